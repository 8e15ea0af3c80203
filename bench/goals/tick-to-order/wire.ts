/** @module What G5 and its server say to each other. */
import type { FundedSeedAccount } from '../../../src/exchange/index.ts';

/** Where bare stacks post their orders. */
export const BENCH_ORDERS = '/bench/orders';
/** Where bare stacks get their frames. */
export const BENCH_STREAM = '/bench/ws';

/** Said by the server once. */
export interface TickServerReady {
  readonly port: number;
  readonly account: FundedSeedAccount;
  readonly epoch: string;
}

/** Asked of the server: a frame for somebody, many in a row, or the microseconds of all ticks since the last time. */
export type TickOrder =
  | { readonly kind: 'tick'; readonly to: 'bench' | 'bot' }
  | { readonly kind: 'flood'; readonly to: 'bench' | 'bot'; readonly count: number }
  | { readonly kind: 'take' };
