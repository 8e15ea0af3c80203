/**
 * @module
 * How orders of ours meet a recorded market. One matcher a market: `LevelMatcher` for books of levels, where a fill model
 * says what reaches a resting order, and `OrderMatcher` for books order by order, where nothing has to be assumed.
 */
import type { Side } from '../../domain/index.ts';
import type { CancelReason, Preview, Taking } from '../../exchange/engine/index.ts';
import type { LocalOrder } from './local-order.ts';
import type { EmittedLevels, MarketRows } from './types.ts';

/** See the module. Times are Unix microseconds. */
export interface Matcher {
  /** One row of the market, see `tape`. */
  onRow(kind: number, flags: number, us: number, price: number, size: number, id: number): void;
  /**
   * Takes the row at `from` in and later ones that happened until `untilUs`, up to before `to`: as {@link onRow}, as
   * long as they set levels and can lead to nothing, because no own order rests there or is crossed. No row of another
   * market is among them. Gives the first one that has to be looked at.
   */
  passLevels(rows: MarketRows, from: number, to: number, untilUs: number): number;
  /** True if an order of this side and price would trade at once, with another participant or with one of ours. */
  crosses(side: Side, priceTicks: number): boolean;
  /** What an order would trade at once. */
  preview(taking: Taking): Preview;
  /** Takes what is there: [price, lots] in the order of the book. Own orders in the way leave (`SelfTrade`). */
  take(order: LocalOrder): readonly (readonly [number, number])[];
  /** An order came to rest and has its slot in the book. */
  rested(order: LocalOrder): void;
  /** The mid rounded down; undefined: a side is empty. */
  midTicks(): number | undefined;
  /** True if it knows and shows exactly the levels of its rows. */
  readonly isPlain: boolean;
  /** Takes in at once the result of rows of levels; while it is plain and no order rests. */
  showLevels(levels: EmittedLevels): void;
  /** The queue ahead of an order, in lots; undefined: the model has no queue. */
  queueOf(order: LocalOrder): { readonly aheadLots: number; readonly atRestLots: number } | undefined;
  /** Orders that came to rest between the prices that the book shows; undefined: it shows every price. */
  readonly restedBetween: number | undefined;
}

/** What a matcher does to orders; carried out by `LocalOrders`. */
export interface MatcherPorts {
  /** A log entry begins at this time, unless one is under way. */
  begin(us: number): void;
  /** A resting order is filled at its own price. */
  fill(order: LocalOrder, lots: number): void;
  /** True if a fill that a resting order would have goes to another participant: a draw each time, see `Disturbance`. */
  isMissed(): boolean;
  /** The book itself has filled a resting order. */
  filled(order: LocalOrder, lots: number): void;
  /** An own order leaves. */
  cancel(order: LocalOrder, reason: CancelReason): void;
  /** The book itself has dropped an own order. */
  dropped(order: LocalOrder): void;
  /** The own order in a slot of the book. */
  inSlot(slot: number): LocalOrder;
  /** An own order gets a new queue position, after all others of its price. */
  requeue(order: LocalOrder): void;
}
