/** @module The simulated venue of paper and backtest, with its fill, queue and latency models. */
export { createLocalVenue } from './create-local-venue.ts';
export {
  FILL_MODELS,
  type FillModelSettings,
  type Latency,
  type LocalVenue,
  type LocalVenueOptions,
  type OrderLatency,
  type ToldLevels,
} from './types.ts';
