/** @module What G18 and its server say to each other. */
import type { FundedSeedAccount } from '../../../src/exchange/index.ts';
import type { ClockScale } from '../../scaled-clock.ts';

/** Asked of the server: from when on its clock is faster, or what happened until now. */
export type SoakOrder = { readonly clock: ClockScale } | 'counts';

/** Said by the server once. */
export interface SoakReady {
  readonly origin: string;
  readonly account: FundedSeedAccount;
}

/** What happened until now. */
export interface SoakCounts {
  /** Renewals of the switch. */
  readonly armed: number;
  /** How often all streams were cut, and how often frames were lost. */
  readonly cuts: number;
  readonly losses: number;
  /** Orders of the bot. */
  readonly orders: number;
}
