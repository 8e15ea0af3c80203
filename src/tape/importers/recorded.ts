/** @module A record of a file on its way to the reader of its format. */
import type { Place } from './location.ts';

/** What every record says of itself. */
export interface Recorded {
  /** Location in the recording. */
  readonly place: Place;
  /** Exchange time, Unix us. */
  readonly exchangeUs: number;
  /** Receive time, Unix us; `undefined`: it has none. */
  readonly receivedUs?: number | undefined;
}
