/** @module What the bench of many markets and its server say to each other. */
import type { FundedSeedAccount } from '../../../src/exchange/index.ts';

/** Markets that the strategy places orders in: the first ones. */
export const QUOTED = 2;
/** Size of the best bid, in lots, by which a frame asks for an order. */
export const MARK_LOTS = 77_777;

/** Books that strategies saw, and how often data was taken for stale; they run in the process of the bench. */
export const SEEN = { books: 0, degraded: 0 };

/** Asked of the server once: so many markets, each with a book frame every so many ms. */
export interface ManyMarketsOrder {
  readonly markets: number;
  readonly blockMs: number;
}

/** Its first answer. */
export interface ManyMarketsReady {
  readonly port: number;
  readonly account: FundedSeedAccount;
}

/** What it is asked for from then on: what was since the last time; and that, after the last frame that it sends. */
export const TAKE = 'take';
export const QUIET = 'quiet';

/** Its answer: since the last one. */
export interface ManyMarketsTook {
  /** From the first frame that asked for an order to the order, ms. */
  readonly tookMs: readonly number[];
  readonly frames: number;
}

/** Name of market number `index`. */
export function symbolAt(index: number): string {
  return `M${String(index).padStart(3, '0')}-USD`;
}
