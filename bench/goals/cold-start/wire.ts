/** @module What G19 and its processes say to each other. */
import type { FundedSeedAccount } from '../../../src/exchange/index.ts';

/** Said to a process that has begun. */
export interface ColdOrder {
  readonly origin: string;
  readonly account: FundedSeedAccount;
  /** Of its journal and its lock. */
  readonly folder: string;
  /** Requests of the framework until it was armed, which the bare process makes. */
  readonly requests: readonly ColdRequest[];
}

/** A request as it left. */
export interface ColdRequest {
  readonly method: string;
  readonly path: string;
}

/** Said when it is armed, or when the last answer is there. */
export interface ColdCounts {
  readonly requests: readonly ColdRequest[];
}
