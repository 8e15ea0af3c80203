/** @module A trading venue as pure synchronous code. */
export { AccountState, HOUSE_ACCOUNT, Holding } from './accounts/account.ts';
export { post } from './accounts/ledger.ts';
export { accruedFunding, applyTrade, closableLots, valueAt } from './accounts/position.ts';
export { runSetLeverage } from './commands/set-leverage.ts';
export { createVenue } from './create-venue.ts';
export type { CashChange } from './event-log.ts';
export { feeOf, noteVolume, ratesOf, TakerFee, tierOf } from './fees.ts';
export { maintenanceMarginAt, maintenanceMarginOf, marginFigures, netCollateral } from './margin.ts';
export { type BookSide, BUY, type MakerPolicy, OrderBook, SELL } from './matching/order-book.ts';
export type { Preview, Taking } from './matching/preview.ts';
export { affords, affordsResting } from './orders/affordability.ts';
export { OpenOrders } from './orders/open-orders.ts';
export { OrderState, type OrderTerms, snapshotOf } from './orders/order-state.ts';
export { refuseTerms } from './orders/placement.ts';
export { isDue, type TriggerOrder, waitingLots } from './orders/trigger-orders.ts';
export { sliceEnd, TwapOrder } from './orders/twap-orders.ts';
export { MarketState } from './prices/market-state.ts';
export type { CancelReason, RejectReason } from './reasons.ts';
export { VenueState } from './state.ts';
export type {
  AlgoOrderTerms,
  CommandOutcome,
  FeeTier,
  ItemOutcome,
  LogPosition,
  MarketRules,
  VenueAccount,
  VenueEvent,
  VenueLevels,
  VenueMarket,
  VenueMarketView,
  VenueOrder,
  VenuePosition,
  VenueSettings,
} from './types.ts';
export type { VenueKernel } from './venue-kernel.ts';
export { equityOf } from './views.ts';
