/**
 * @module
 * What strategies find when they start: the candle history of their markets, and what is subscribed to.
 */
import type { Log } from '../../../core/index.ts';
import type { CandleInterval, FactSink, MarketSymbol } from '../../../domain/index.ts';
import { readCandles } from '../../../wire/gateway/index.ts';
import type { SubscriptionParams } from '../../../wire/protocol/index.ts';
import type { Environment } from './environment.ts';

/** Minutes are subscribed to; bars of longer intervals grow with them. */
const LIVE_INTERVAL = '1m';
/** Bars of each interval that strategies find before they start. */
const CANDLES_COUNT = 500;
/** More requests than this are worth a line in the log. */
const MANY_REQUESTS = 100;

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

/** A strategy, as far as it says what it reads. */
export interface Reader {
  readonly symbols: readonly MarketSymbol[];
  readonly definition: { readonly candles: readonly CandleInterval[] };
}

/** What of its markets a run reads. */
export interface Reading {
  /** Markets of strategies, in the order of the configuration. */
  readonly traded: ReadonlySet<MarketSymbol>;
  /** The intervals that strategies want of each market before they start. */
  readonly candles: ReadonlyMap<MarketSymbol, ReadonlySet<CandleInterval>>;
  readonly market: readonly SubscriptionParams[];
  /** Markets whose books are subscribed to for the recording alone. */
  readonly unread: ReadonlySet<MarketSymbol>;
}

/** What a run reads of `symbols`, the markets of its configuration: everything that strategies trade or a recording keeps. */
export function readingOf(
  symbols: readonly MarketSymbol[],
  strategies: readonly Reader[],
  isRecorded: boolean,
): Reading {
  const readersOf = (symbol: MarketSymbol) => strategies.filter((one) => one.symbols.includes(symbol));
  const traded = new Set(symbols.filter((symbol) => readersOf(symbol).length > 0));
  const unread = new Set(symbols.filter((symbol) => !traded.has(symbol)));
  const candles = new Map(
    Array.from(traded, (symbol) => [
      symbol,
      new Set(readersOf(symbol).flatMap(({ definition }) => definition.candles)),
    ]),
  );
  // A market whose strategies want no candles has none to grow either.
  const isWanted = ({ channel, symbol }: SubscriptionParams): boolean =>
    channel !== 'candles' || isRecorded || candles.get(symbol as MarketSymbol)?.size !== 0;
  const market = subscriptionsOf(symbols, isRecorded ? undefined : unread).filter(isWanted);
  return { traded, candles, unread, market };
}

/** Shows the candle history that strategies want, so that it is there before `onStart`. */
export async function showCandleHistory(
  { environment: { gateway, context }, log }: { readonly environment: Environment; readonly log: Log },
  candles: Reading['candles'],
  sink: FactSink,
): Promise<void> {
  const requests = Array.from(candles.values()).reduce((sum, intervals) => sum + intervals.size, 0);
  if (requests >= MANY_REQUESTS)
    log.info(
      `the start reads ${requests} candle histories, which the request budget may make slow: a strategy that names the intervals it reads (\`candles\` beside its parameters) starts sooner`,
    );
  for (const [symbol, intervals] of candles) {
    const histories = await Promise.all(
      Array.from(intervals, (interval) =>
        readCandles(gateway.reader, { symbol, interval, limit: CANDLES_COUNT, context }),
      ),
    );
    for (const candle of histories.flat()) sink({ type: 'CandleUpdated', candle, isHistory: true });
  }
}
