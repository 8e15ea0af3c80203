/**
 * @module
 * What strategies find when they start: the candle history of their markets, and what is subscribed to.
 */
import type { FactSink, MarketSymbol } from '../../../domain/index.ts';
import { readCandles } from '../../../wire/gateway/index.ts';
import type { SubscriptionParams } from '../../../wire/protocol/index.ts';
import type { Bot } from '../../kernel/index.ts';
import type { Environment } from './environment.ts';

/** Candles strategies find before they start: one-minute bars of the last hours. */
const CANDLE_INTERVAL = '1m';
const CANDLES_COUNT = 500;

/**
 * The market channels of the markets of a run: events first, so that the snapshots that follow report a seq after the one
 * from which events are live, as with the channels of an account.
 */
export function subscriptionsOf(symbols: readonly MarketSymbol[]): readonly SubscriptionParams[] {
  return [
    ...symbols.flatMap((symbol): SubscriptionParams[] => [
      { channel: 'trades', symbol },
      { channel: 'candles', symbol, interval: CANDLE_INTERVAL },
      { channel: 'funding', symbol },
      { channel: 'book', symbol, depth: 20 },
      { channel: 'bbo', symbol },
    ]),
    { channel: 'prices' },
  ];
}

/**
 * Shows the candle history of each market, so that it is there before `onStart`. Bars that are there already are left as
 * they are: the stream's are as new, and live ones newer than what a replica reports.
 */
export async function showCandleHistory(
  environment: Environment,
  symbols: readonly MarketSymbol[],
  { markets }: Pick<Bot, 'markets'>,
  sink: FactSink,
): Promise<void> {
  for (const symbol of symbols) {
    const candles = await readCandles(environment.gateway.reader, {
      symbol,
      interval: CANDLE_INTERVAL,
      limit: CANDLES_COUNT,
      context: environment.context,
    });
    const known = new Set(markets.candles(symbol, CANDLE_INTERVAL).map(({ startAtMs }) => startAtMs));
    for (const candle of candles)
      if (!known.has(candle.startAtMs)) sink({ type: 'CandleUpdated', candle, isHistory: true });
  }
}
