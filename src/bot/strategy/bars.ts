/**
 * @module
 * Rules over bars: what a strategy decides when a bar has closed. The bar engine asks them a bar at a time, a strategy can
 * ask the same rule while it runs live. What this does not do: orders; the engine fills what a rule wants at the next open.
 */
import type { Decimal } from '../../core/index.ts';
import type { Lots, Market, Ticks } from '../../domain/index.ts';

/** One bar. */
export interface Bar {
  /** When it began, Unix us. */
  readonly openUs: number;
  /** Ticks. */
  readonly open: number;
  /** Highest price of the bar. */
  readonly high: number;
  /** Lowest price of the bar. */
  readonly low: number;
  /** Last price of the bar. */
  readonly close: number;
  /** Lots. */
  readonly volume: number;
}

/** Bars in columns, oldest first. Of a bar that is not over yet there is NaN in each: a rule cannot look ahead. */
export interface Bars {
  /** When a bar began, Unix us. */
  readonly openUs: Float64Array;
  /** Prices in ticks. */
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /** In lots. */
  readonly volume: Float64Array;
}

/** Why a position was given up inside a bar. */
export type BarExit = 'stop' | 'take' | 'liquidation';

/**
 * Decides on bars. One instance a market and run; it may keep what it likes, and should make no objects in its methods.
 * @example { targetLots: (bars, at) => ((bars.close[at] ?? 0) > (bars.close[at - 20] ?? Infinity) ? 10 : 0) }
 */
export interface BarRule {
  /**
   * At the close of bar `at`: the position that is wanted from the next open on, in lots, below 0 short. What is held is
   * given; to answer with it is to leave it.
   */
  targetLots(bars: Bars, at: number, heldLots: number): number;
  /**
   * The price at which the position is given up inside the next bar; NaN: none. Asked for each bar with a position, after
   * what was wanted is filled at its open; `at` is the bar before. Lots are signed, the average is of what is held.
   */
  stopTicks?(bars: Bars, at: number, heldLots: number, averageEntryTicks: number): number;
  /** The price at which the profit of a position is taken inside the next bar, as {@link BarRule.stopTicks}. */
  takeTicks?(bars: Bars, at: number, heldLots: number, averageEntryTicks: number): number;
  /** The position was given up inside a bar; its `targetLots` is asked next. */
  onExit?(why: BarExit): void;
}

/** What a rule knows of its market before the first bar. */
export interface BarMarket {
  readonly market: Market;
  /** Length of a bar, ms. */
  readonly barMs: number;
  /** A decimal size as lots. @throws ConfigError when it does not fit the lot. */
  lotsOf(size: Decimal | string): Lots;
  /** A decimal price as ticks. @throws ConfigError when it does not fit the tick. */
  ticksOf(price: Decimal | string): Ticks;
}
