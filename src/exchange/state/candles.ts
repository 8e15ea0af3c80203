/**
 * @module
 * Bars of one market in every interval, built from trades. A bar exists only when something was traded in it.
 */
import { must, type UnixMs } from '../../core/index.ts';
import { CANDLE_INTERVALS, type CandleInterval } from '../../domain/index.ts';

/** Bars kept per interval; the REST page holds at most 1,000 (own choice). */
const BARS_MAX = 1_000;

const INTERVAL_MS: Readonly<Record<CandleInterval, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

/** One bar in ticks and lots; its latest state. */
export interface Bar {
  /** Start of the candle, Unix ms. */
  readonly startAtMs: number;
  /** First price in ticks. */
  readonly openTicks: number;
  /** Highest price in ticks. */
  highTicks: number;
  /** Lowest price in ticks. */
  lowTicks: number;
  /** Last price in ticks. */
  closeTicks: number;
  /** Traded size in lots. */
  volumeLots: number;
  /** Number of trades. */
  tradeCount: number;
}

/** True if the exchange offers the interval `text`. */
export function isCandleInterval(text: unknown): text is CandleInterval {
  return CANDLE_INTERVALS.some((interval) => interval === text);
}

/** The bars of one market. */
export class Candles {
  readonly #rows = CANDLE_INTERVALS.map((interval) => ({
    interval,
    lengthMs: INTERVAL_MS[interval],
    bars: [] as Bar[],
  }));

  /** Adds a trade to the current bar of each interval. */
  add(trade: { readonly priceTicks: number; readonly lots: number; readonly atMs: UnixMs }): void {
    for (const { lengthMs, bars } of this.#rows) {
      const startAtMs = trade.atMs - (trade.atMs % lengthMs);
      const current = bars[bars.length - 1];
      if (current?.startAtMs === startAtMs) addToBar(current, trade);
      else {
        bars.push(firstBar(startAtMs, trade));
        if (bars.length > 2 * BARS_MAX) bars.splice(0, BARS_MAX);
      }
    }
  }

  /** The current bar, `undefined` before the first trade. */
  current(interval: CandleInterval): Bar | undefined {
    return this.#of(interval).at(-1);
  }

  /** The newest `limit` bars that begin within the range, ascending. */
  list(interval: CandleInterval, range: { fromMs: number; toMs: number; limit: number }): readonly Bar[] {
    return this.#of(interval)
      .filter((bar) => bar.startAtMs >= range.fromMs && bar.startAtMs <= range.toMs)
      .slice(-range.limit);
  }

  #of(interval: CandleInterval): readonly Bar[] {
    return must(
      this.#rows.find((row) => row.interval === interval),
      'bars of the interval',
    ).bars;
  }
}

function firstBar(startAtMs: number, { priceTicks, lots }: { priceTicks: number; lots: number }): Bar {
  return {
    startAtMs,
    openTicks: priceTicks,
    highTicks: priceTicks,
    lowTicks: priceTicks,
    closeTicks: priceTicks,
    volumeLots: lots,
    tradeCount: 1,
  };
}

function addToBar(bar: Bar, { priceTicks, lots }: { priceTicks: number; lots: number }): void {
  bar.highTicks = Math.max(bar.highTicks, priceTicks);
  bar.lowTicks = Math.min(bar.lowTicks, priceTicks);
  bar.closeTicks = priceTicks;
  bar.volumeLots += lots;
  bar.tradeCount++;
}
