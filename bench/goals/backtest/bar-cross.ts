/**
 * @module
 * The bars and the rule that bar engines are measured with: long above a simple moving average of closes, flat below it.
 * The mean is worked out here as the peers do it: whole ticks added up, divided once, so all see the same numbers.
 */

import type { BarRule, Bars } from '../../../src/bot/strategy/index.ts';
import { must, seededRandom } from '../../../src/core/index.ts';
import { ppm, quantums } from '../../../src/domain/index.ts';
import type { BarColumns, BarRunOptions } from '../../../src/research/bars/index.ts';
import { LOG_FROM_US } from './event-log.ts';
import { benchMarkets } from './whole-runtime.ts';

/** Bars of the mean. */
export const WINDOW = 30;
/** Length of a bar. */
export const BAR_MS = 60_000;
/** What is traded. */
export const BENCH_MARKET = must(benchMarkets(1)[0], 'a market');
const COLLATERAL = quantums(10n ** 15n);

/** Minute bars of a price that wanders, from a seed: each opens near the close before it. */
export function randomBars(rows: number): BarColumns {
  const random = seededRandom('bars');
  const column = () => new Float64Array(rows);
  const bars = {
    ...{ openUs: column(), open: column(), high: column(), low: column() },
    ...{ close: column(), volume: column() },
  };
  let price = 1_000_000;
  for (let at = 0; at < rows; at++) {
    const open = Math.round(price * (1 + (random.next() - 0.5) * 0.001));
    const close = Math.round(open * (1 + (random.next() - 0.5) * 0.01));
    bars.openUs[at] = LOG_FROM_US + at * BAR_MS * 1_000;
    bars.open[at] = open;
    bars.close[at] = close;
    bars.high[at] = Math.max(open, close) + random.integer(0, 500);
    bars.low[at] = Math.min(open, close) - random.integer(0, 500);
    bars.volume[at] = random.integer(1, 1_000);
    price = close;
  }
  return { rows, barUs: BAR_MS * 1_000, ...bars };
}

/** The mean of the last {@link WINDOW} closes at each bar; NaN before there are so many. */
export function averagesOf({ rows, close }: BarColumns): Float64Array {
  const averages = new Float64Array(rows).fill(Number.NaN);
  const mean = new RunningMean();
  for (let at = 0; at < rows; at++) averages[at] = mean.next(close, at);
  return averages;
}

/** As in grademark the rule is not asked at the bar at whose open a target of it is filled. */
export class CrossRule implements BarRule {
  readonly #mean = new RunningMean();
  #heldLots = 0;

  targetLots({ close }: Bars, at: number, heldLots: number): number {
    const mean = this.#mean.next(close, at);
    const isJustFilled = heldLots !== this.#heldLots;
    this.#heldLots = heldLots;
    if (isJustFilled) return heldLots;
    const last = close[at] ?? Number.NaN;
    if (heldLots === 0) return last > mean ? 1 : 0;
    return last < mean ? 0 : heldLots;
  }
}

/** A run of the cross, without fees: the peers charge none here. */
export function crossRun(bars: BarColumns): BarRunOptions {
  return {
    market: BENCH_MARKET,
    bars,
    rule: new CrossRule(),
    terms: { collateral: COLLATERAL, takerPpm: ppm(0), slippageTicks: 0 },
  };
}

/** Sums of whole ticks have no rounding. */
class RunningMean {
  #sum = 0;

  next(close: Float64Array, at: number): number {
    this.#sum += (close[at] ?? 0) - (at >= WINDOW ? (close[at - WINDOW] ?? 0) : 0);
    return at < WINDOW - 1 ? Number.NaN : this.#sum / WINDOW;
  }
}
