/**
 * @module
 * LOAD: a live run whose strategy reads 200 markets with a book each 20 ms (10,000 frames a second) and places orders in
 * two of them, beside one with these two alone. From the frame that asks for an order to its arrival at the exchange; how
 * long a start takes; and, without limits, what a core is needed for from 1 to 200 markets.
 */
import { type GroupResult, type Limit, reached } from '../../goal.ts';
import { type Effort, median, rounded } from '../../measure.ts';
import { showTable } from '../../show.ts';
import { type Figures, type LoadShown, measureLoad } from './load-run.ts';

const LIMITS = {
  p99: {
    id: 'LOAD',
    what: 'frame to order, p99, of two markets among 200 with 20 ms blocks, to the two alone',
    limit: 3,
    better: 'lower',
  },
  start: {
    id: 'LOAD.start',
    what: 'seconds until a run of 200 markets with 20 ms blocks may quote',
    limit: 10,
    better: 'lower',
  },
} as const satisfies Record<string, Limit>;

const BLOCK_MS = 20;
const ROUNDS_MAX = 3;
const CURVE = [1, 2, 20, 100, 200];

/** Measures LOAD. */
export async function manyMarkets({ rounds }: Effort): Promise<GroupResult> {
  const shown = new Map<number, LoadShown[]>(CURVE.map((markets) => [markets, []]));
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++)
    for (const [markets, runs] of shown) runs.push(await measureLoad({ markets, blockMs: BLOCK_MS }));
  const of = (markets: number, figure: keyof Figures): number =>
    median((shown.get(markets) ?? []).map((one) => one[figure]));
  const names: readonly (keyof Figures)[] = [
    'startS',
    'p50Ms',
    'p99Ms',
    'cpu',
    'loopP99Ms',
    'framesPerS',
    'memoryMb',
  ];
  showTable(
    `LOAD a live run, a book of each market every ${BLOCK_MS} ms`,
    CURVE.map((markets) =>
      Object.fromEntries([
        ['markets', markets],
        ...names.map((name) => [name, of(markets, name).toFixed(2)]),
      ]),
    ),
  );
  return {
    goals: [reached(LIMITS.p99, of(200, 'p99Ms') / of(2, 'p99Ms')), reached(LIMITS.start, of(200, 'startS'))],
    figures: Object.fromEntries(
      CURVE.flatMap((markets) =>
        names.map((name) => [`${markets} markets, ${name}`, rounded(of(markets, name))] as const),
      ),
    ),
  };
}
