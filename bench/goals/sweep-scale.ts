/**
 * @module
 * A sweep on two threads beside the same sweep on one, starts of threads included: backtests share nothing, so a second core
 * must give nearly twice the rate (issue 5, sweeps; peers-and-features U39). Says nothing on a machine of one core, or on one
 * whose second core belongs to somebody else meanwhile.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { sweepConfiguration } from '../../src/app/index.ts';
import { parseConfig } from '../../src/config/index.ts';
import { sweepScene } from '../../test/support/sweep-scene.ts';
import { type GroupResult, type Limit, missed, reached } from '../goal.ts';
import { rounded, Samples } from '../measure.ts';
import { showTable } from '../show.ts';

const LIMIT: Limit = {
  id: 'SWEEP',
  what: 'a sweep on two threads, its rate to that on one',
  limit: 1.8,
  better: 'higher',
};
const TAPE_MINUTES = 240;
const ONE = 'one thread';
const TWO = 'two threads';

/** Measures it. */
export async function sweepScale(): Promise<GroupResult> {
  if (availableParallelism() < 2) return { goals: [missed(LIMIT, 'this machine has one core')], figures: {} };
  const scene = sweepScene(TAPE_MINUTES);
  const took = new Samples();
  let backtests = 0;
  try {
    for (const workers of [1, 2]) {
      const beganAtMs = performance.now();
      const { rows } = await sweepConfiguration({
        source: parseConfig(wider(scene.text), scene.config),
        tape: scene.tape,
        out: join(scene.folder, `out-${workers}`),
        seed: 1,
        workers,
      });
      if (rows.some(({ failure }) => failure !== null)) throw new Error('expected every backtest to succeed');
      backtests = rows.length;
      took.add(workers === 1 ? ONE : TWO, performance.now() - beganAtMs);
    }
  } finally {
    scene.remove();
  }
  showTable(`a sweep of ${backtests} backtests, ms`, took.rows(ONE));
  return {
    goals: [reached(LIMIT, 1 / took.ratio(TWO, ONE))],
    figures: { 'sweep, backtests': backtests, 'sweep on two threads, ms': rounded(took.median(TWO)) },
  };
}

/**
 * A table of eight by eight and no test part: nothing waits for a choice. It takes a minute, so that what each thread does
 * once is a small part: it starts, and the code of its first backtests is compiled on whatever core is free.
 */
function wider(text: string): string {
  return text
    .replace('values: [20, 60, 200]', 'values: [20, 40, 60, 80, 100, 120, 160, 200]')
    .replace('{ from: 0, to: 20, step: 20 }', '{ from: 0, to: 35, step: 5 }')
    .replace('trainShare: 0.5', 'trainShare: 0');
}
