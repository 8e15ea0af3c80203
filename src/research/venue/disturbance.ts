/**
 * @module
 * What is made worse on purpose, for a study of robustness: answers that arrive later, fills that another participant has.
 * Its draws are streams of their own, so that all others of the run stay what they are.
 */
import type { Random } from '../../core/index.ts';

/** See the module. Plain data, for threads. */
export interface Disturbance {
  /** Name of its streams of draws. */
  readonly seed: string;
  /** Each packet of answers and reports arrives later by a draw from 0 up to this, us, in its order; absent: none does. */
  readonly laterUsMax?: number;
  /**
   * Chance, ppm, that a fill which the fill model gives a resting order goes to another participant: its volume is gone,
   * the order stays where it is, nothing of it is filled. Absent: 0. Later volume is a draw of its own, so an order that
   * the market stays at is filled a little later, and what is lost is mostly what the market only touched. Of `fifo` only
   * executions are missed: a recorded order that comes to rest through one of ours meets it.
   */
  readonly missedPpm?: number;
}

/** A delay on purpose: from 0 to `usMax`, each equally likely, of draws of its own. */
export interface Later {
  readonly usMax: number;
  readonly random: Random;
}

const MILLION = 1_000_000;

/** The delay on top of the latency of responses; `undefined`: none. */
export function laterOf(disturbance: Disturbance | undefined, random: Random): Later | undefined {
  const usMax = disturbance?.laterUsMax;
  return usMax === undefined ? undefined : { usMax, random: random.fork(`later ${disturbance?.seed}`) };
}

/** Whether a fill in the market of this number is missed, a draw a call; without a chance nothing is drawn. */
export function missedOf(
  disturbance: Disturbance | undefined,
  random: Random,
  market: number,
): () => boolean {
  const chance = (disturbance?.missedPpm ?? 0) / MILLION;
  if (chance === 0) return () => false;
  const draws = random.fork(`missed ${disturbance?.seed} ${market}`);
  return () => draws.chance(chance);
}
