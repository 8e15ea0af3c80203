/** @module A trading venue as pure synchronous code. */
export { HOUSE_ACCOUNT } from './accounts/account.ts';
export { createVenue } from './create-venue.ts';
export { createLocalVenue } from './local/create-local-venue.ts';
export {
  FILL_MODELS,
  type FillModelSettings,
  type Latency,
  type LocalVenue,
  type LocalVenueOptions,
  type OrderLatency,
  type ToldLevels,
} from './local/types.ts';
export { type BookSide, BUY, type MakerPolicy, OrderBook, SELL } from './matching/order-book.ts';
export type {
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
  WaitingTerms,
} from './types.ts';
export type { VenueKernel } from './venue-kernel.ts';
