/** @module A trading venue as pure synchronous code. */
export type {
  CommandOutcome,
  FillSide,
  ItemOutcome,
  LogPosition,
  VenueAccount,
  VenueEvent,
  VenueEventBody,
  VenueLevels,
  VenueMarket,
  VenueMarketView,
  VenueOrder,
  VenuePosition,
  VenueSettings,
} from './types.ts';
export type { VenueKernel } from './venue-kernel.ts';
