/**
 * @module
 * What strategies find when they start: the candle history of their markets, and what is subscribed to.
 */
import { CANDLE_INTERVALS, type FactSink, type MarketSymbol } from '../../../domain/index.ts';
import { readCandles } from '../../../wire/gateway/index.ts';
import type { SubscriptionParams } from '../../../wire/protocol/index.ts';
import type { Environment } from './environment.ts';

/** Minutes are subscribed to; bars of longer intervals grow with them. */
const LIVE_INTERVAL = '1m';
/** Bars of each interval that strategies find before they start. */
const CANDLES_COUNT = 500;

/**
 * The market channels of the markets of a run: events first, so that the snapshots that follow report a seq after the one
 * from which events are live, as with the channels of an account. Of a market in `unread`, which no strategy trades and
 * nobody records, the best prices are enough: a position there can be valued and closed.
 */
export function subscriptionsOf(
  symbols: readonly MarketSymbol[],
  unread: ReadonlySet<string> = new Set(),
): readonly SubscriptionParams[] {
  return [
    ...symbols.flatMap((symbol): SubscriptionParams[] => [
      ...(unread.has(symbol)
        ? []
        : ([
            { channel: 'trades', symbol },
            { channel: 'candles', symbol, interval: LIVE_INTERVAL },
            { channel: 'funding', symbol },
            { channel: 'book', symbol, depth: 20 },
          ] as const)),
      { channel: 'bbo', symbol },
    ]),
    { channel: 'prices' },
  ];
}

/** What of its markets a run reads. */
export interface Reading {
  /** Markets of strategies, in the order of the configuration. */
  readonly traded: ReadonlySet<MarketSymbol>;
  readonly market: readonly SubscriptionParams[];
  /** Markets whose books are subscribed to for the recording alone. */
  readonly unread: ReadonlySet<MarketSymbol>;
}

/** What a run reads of `symbols`, the markets of its configuration: everything that strategies trade or a recording keeps. */
export function readingOf(
  symbols: readonly MarketSymbol[],
  strategies: readonly { readonly symbols: readonly MarketSymbol[] }[],
  isRecorded: boolean,
): Reading {
  const named = new Set(strategies.flatMap((strategy) => strategy.symbols));
  const traded = new Set(symbols.filter((symbol) => named.has(symbol)));
  const unread = new Set(symbols.filter((symbol) => !named.has(symbol)));
  return { traded, unread, market: subscriptionsOf(symbols, isRecorded ? undefined : unread) };
}

/** Shows the candle history of each market in every interval, so that it is there before `onStart`. */
export async function showCandleHistory(
  { gateway, context }: Environment,
  symbols: Iterable<MarketSymbol>,
  sink: FactSink,
): Promise<void> {
  for (const symbol of symbols) {
    const histories = await Promise.all(
      CANDLE_INTERVALS.map((interval) =>
        readCandles(gateway.reader, { symbol, interval, limit: CANDLES_COUNT, context }),
      ),
    );
    for (const candle of histories.flat()) sink({ type: 'CandleUpdated', candle, isHistory: true });
  }
}
