/** @module The trading nouns as immutable data, and the one pure state machine that applies facts to state. */
export type {
  AccountSummary,
  AdoptedPosition,
  CarriedHoldings,
  Fill,
  LedgerEntry,
  Position,
  PositionMove,
  ProvenCursors,
} from './account.ts';
export { type AccountChange, isOver, type OrderStatus } from './account-change.ts';
export { AccountState } from './account-state.ts';
export type { AccountView } from './account-view.ts';
export { type Approved, approve } from './approval.ts';
export type {
  CanonicalCommand,
  CanonicalOrder,
  CanonicalOrderId,
  MainWalletOperation,
  VaultOperation,
} from './canonical-command.ts';
export {
  type CancelAllOrders,
  type CancelOrders,
  type Command,
  cancelsOf,
  type LaneCommand,
  type PlaceOrders,
  type PlannedOperation,
  placesOf,
  type ReplaceOrders,
  type RoutedCommand,
  type SafetyCommand,
  type ScheduleCancel,
  type SetLeverage,
  type TradingCommand,
} from './command.ts';
export type { Denial } from './denial.ts';
export {
  type Exposure,
  type ExposureItem,
  ExposureSum,
  longestLots,
  OwnedExposure,
  openOrdersOf,
  openTickLotsOf,
  shortestLots,
} from './exposure.ts';
export {
  FACT_TYPES,
  type Fact,
  type FactSink,
  type FactsSink,
  type FactType,
  type FeedFact,
  factsSinkOf,
  MARKET_FACT_TYPES,
  type MarketFact,
  type MarketSink,
  marketSinkOf,
  type Proof,
} from './fact.ts';
export {
  type AccountSelection,
  type Address,
  accountName,
  type ClientOrderId,
  type Cursor,
  compareCursors,
  type Epoch,
  grantingAccount,
  type IntentId,
  type LaneId,
  type MarketSymbol,
  type Nonce,
  type OrderId,
  type RequestId,
  type Seq,
  type StrategyId,
  seqOfCursor,
} from './ids.ts';
export {
  closesPosition,
  isFeeEntry,
  isFundingEntry,
  isLiquidationEntry,
  isTradeEntry,
  movesPosition,
  splitByHolding,
} from './inventory.ts';
export { LevelBook } from './level-book.ts';
export { ASK_KEY_TOP, LevelSide, NO_KEY } from './level-side.ts';
export {
  ceilToTick,
  floorToLot,
  floorToTick,
  formatPrice,
  formatSize,
  isMarketReason,
  isTradable,
  MARKET_STATUSES,
  type Market,
  notionalOf,
  parsePrice,
  parseSize,
} from './market.ts';
export {
  type Bbo,
  type Book,
  bookOf,
  CANDLE_INTERVALS,
  type Candle,
  type CandleInterval,
  type FundingRate,
  type Prices,
  type Trade,
} from './market-data.ts';
export { EVENT, type EventKind, FLAG_END } from './market-rows.ts';
export {
  bestAskOf,
  bestBidOf,
  type MarketRecord,
  MarketState,
  midOf,
  valuationTicksOf,
} from './market-state.ts';
export {
  isOutsideBook,
  isPositionLeg,
  isUnknownOrder,
  type OrderRef,
  type OrderSpec,
  openLotsOf,
  orderFromSpec,
  type PositionLeg,
  type QuoteLevel,
  TIMES_IN_FORCE,
  type TimeInForce,
  type Trigger,
  type TwapPlan,
  type TwapProgress,
  type WorkingOrder,
} from './order.ts';
export { CostBook, type Pnl, totalOf } from './pnl.ts';
export { PositionAudit, type PositionMismatch } from './position-audit.ts';
export { RecentIds } from './recent-ids.ts';
export {
  isBadOutcome,
  type RunCourse,
  type RunLogLine,
  type RunTally,
  type StrategyOutcome,
} from './run-course.ts';
export {
  MARKOUT_HORIZONS_MS,
  NO_STRATEGY,
  type RecordedFill,
  type RecordedQuote,
  type RunCounts,
  type RunMarket,
  type RunPnl,
  type RunQuoting,
  type RunRecord,
  type RunSamples,
  type RunTrigger,
} from './run-record.ts';
export type { DisturbedRun, RobustnessKind, RunRobustness } from './run-robustness.ts';
export { oppositeOf, type Side, signedLots } from './side.ts';
export {
  type Lots,
  lots,
  type Ppm,
  PRICE_TICKS_MAX,
  ppm,
  ppmOfTruncated,
  type Quantums,
  quantums,
  type Ticks,
  ticks,
} from './units.ts';
export type { VenuePort } from './venue-port.ts';
export {
  type AlgoOrderKind,
  type TpslLeg,
  type TpslSpec,
  type TriggerSpec,
  type TwapSpec,
  twapLimitTicks,
} from './waiting-order.ts';
