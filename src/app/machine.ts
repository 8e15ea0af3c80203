/**
 * @module
 * What a run takes in place of network, disk and event loop when it lives on virtual time (decisions D1, D6): carried
 * requests, a journal in memory, and no locks, since nobody else can be on these nonce scopes.
 */
import type { Transport } from '../gateway/index.ts';
import type { Journal } from '../journal/index.ts';

/** A machine that is simulated. Absent: the real one. */
export interface SimulatedMachine {
  /** A line of its own for each connection to the exchange. */
  newTransport(): Transport;
  readonly journal: Journal;
}
