/**
 * @module
 * The words the venue uses for why something was refused or canceled. Names of the exchange's kernel where they are
 * known (exchange.md#market-rules); those marked "own" are this venue's choice.
 */

/** Why a command or an item is rejected. */
export const REJECT_REASONS = [
  'InsufficientMargin',
  'PostOnlyWouldCross',
  'FokInsufficientLiquidity',
  'ReduceOnlyNoPosition',
  'ReduceOnlyWrongSide',
  'OrderNotAligned',
  'EquityTierLimitExceeded',
  'UnknownOrder',
  'MarketNotTrading',
  'InvalidLeverage',
  'InvalidConditional',
  'InvalidScheduleCancel',
  /** Own: slices, interval or tolerance of a time-weighted order make no sense. */
  'InvalidTwap',
  /** Own: the market has no such number. */
  'UnknownMarket',
  /** Own: the account has no such number, or it is the house account. */
  'UnknownAccount',
  /** Own: notional below the market's minimum. */
  'BelowMinNotional',
  /** Own: price times size is beyond 2^53 - 1 tick-lots. */
  'OrderTooLarge',
  /** Own: `goodTilMs` is before the time of placement. */
  'OrderExpired',
  /** Own: more than 65,536 records in one log entry. */
  'BatchTooLarge',
  /** Own: the router of an order is no account, or asks for more than the venue allows. */
  'InvalidBuilder',
] as const;
/** One of {@link REJECT_REASONS}. */
export type RejectReason = (typeof REJECT_REASONS)[number];

/** Why a resting order was canceled (own words). */
const CANCEL_REASONS = [
  'Requested',
  'ScheduleCancel',
  'SelfTrade',
  'ReduceOnly',
  'FinalSettlement',
  'Liquidation',
] as const;
/** One of {@link CANCEL_REASONS}. */
export type CancelReason = (typeof CANCEL_REASONS)[number];
