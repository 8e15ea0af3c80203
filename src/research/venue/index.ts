/** @module The simulated venue of paper and backtest, with its fill, queue and latency models. */
export { createLocalVenue } from './create-local-venue.ts';
export type { Disturbance } from './disturbance.ts';
export {
  type EmittedLevels,
  FILL_MODELS,
  type FillModelSettings,
  type Latency,
  type LocalVenue,
  type LocalVenueOptions,
  type OrderLatency,
} from './types.ts';
