/** @module What G18 and its server say to each other. */
import type { FundedSeedAccount } from '../../../src/exchange/index.ts';
import type { ClockScale } from '../../scaled-clock.ts';

/** Said to the server once. */
export interface SoakOrder {
  readonly clock: ClockScale;
  /** Of the scaled clock. */
  readonly blockMs: number;
}

/** Said by the server once. */
export interface SoakReady {
  readonly origin: string;
  readonly account: FundedSeedAccount;
}

/** What happened until now: asked for by any message. */
export interface SoakTold {
  /** Renewals of the switch. */
  readonly armed: number;
  /** How often all streams were cut, and how often frames were lost. */
  readonly cuts: number;
  readonly losses: number;
  /** Orders of the bot. */
  readonly orders: number;
}
