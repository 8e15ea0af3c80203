/**
 * @module
 * What the trend follower decides, of one market: hold with the trend, and give up what goes too far against it until the
 * trend has turned. The same object decides live and over bars. What this does not do: orders.
 */
import { type BarExit, type BarRule, type Bars, ppmOf } from 'ballast/strategy';
import { type Direction, Trend } from './trend.ts';

/** What it is decided by. */
export interface TrendTerms {
  /** The means must differ by this to turn the direction, ppm. */
  readonly bandPpm: number;
  /** True if it may be short. */
  readonly shorts: boolean;
  /** Out when the price is this far on the wrong side of the average price, ppm; 0: never. */
  readonly stopPpm: number;
  /** The position of a trend. */
  readonly positionLots: number;
}

/** What a rule is made of. */
export interface TrendRuleOptions extends TrendTerms {
  /** Bars of the fast average. */
  readonly fastBars: number;
  /** Bars of the slow average. */
  readonly slowBars: number;
  /** The direction that was stopped out of before. */
  readonly stoppedOut?: Direction;
}

/** See the module. */
export class TrendRule implements BarRule {
  /** May be replaced while it runs; hold from the next bar on. */
  terms: TrendTerms;
  readonly #trend: Trend;
  #stoppedOut: Direction;

  constructor(options: TrendRuleOptions) {
    this.terms = options;
    this.#trend = new Trend(options);
    this.#stoppedOut = options.stoppedOut ?? 0;
  }

  /** The direction that was stopped out of, until it turns; 0: none. */
  get stoppedOut(): Direction {
    return this.#stoppedOut;
  }

  /** Without a direction nothing is begun, and nothing is ended: a restart must not sell what a trend holds. */
  targetLots({ close }: Bars, at: number, heldLots: number): number {
    const { bandPpm, shorts, positionLots } = this.terms;
    const direction = this.#trend.observe(close[at] ?? Number.NaN, bandPpm);
    if (direction === 0) return heldLots;
    if (direction === this.#stoppedOut) return 0;
    this.#stoppedOut = 0;
    return direction === -1 && !shorts ? 0 : direction * positionLots;
  }

  /** Of a position in the direction of the trend; another one is on its way out. */
  stopTicks(_bars: Bars, _at: number, heldLots: number, averageEntryTicks: number): number {
    const { direction } = this.#trend;
    const { stopPpm } = this.terms;
    if (stopPpm === 0 || Math.sign(heldLots) !== direction) return Number.NaN;
    return averageEntryTicks - direction * ppmOf(averageEntryTicks, stopPpm);
  }

  onExit(why: BarExit): void {
    if (why !== 'take') this.#stoppedOut = this.#trend.direction;
  }
}
