/**
 * @module
 * SCALE: what a live run needs for 1 to 200 markets with a book each 100 ms, and 1 to 20 strategies that read all of them.
 * One strategy places orders in two markets. The goal is the shape: ten times the markets in ten times the time and no more.
 */
import { type GroupResult, type Limit, reached } from '../../goal.ts';
import { type Effort, median, rounded } from '../../measure.ts';
import { showTable } from '../../show.ts';
import { type Figures, type LoadShown, measureLoad } from './load-run.ts';

const LIMIT = {
  id: 'SCALE',
  what: 'processor time a market of 200 markets, to that of 20',
  limit: 1,
  better: 'lower',
} as const satisfies Limit;

const MARKETS = [1, 20, 100, 200];
const STRATEGIES = [1, 5, 20];
const ROUNDS_MAX = 3;
const LOAD = { blockMs: 100, runMs: 10_000 } as const;
const NAMES: readonly (keyof Figures)[] = ['cpu', 'loopP99Ms', 'p50Ms', 'p99Ms', 'memoryMb'];

/** Measures SCALE. */
export async function scale({ rounds }: Effort): Promise<GroupResult> {
  const cases = MARKETS.flatMap((markets) =>
    STRATEGIES.map((strategies) => ({ markets, strategies, runs: [] as LoadShown[] })),
  );
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++)
    for (const { markets, strategies, runs } of cases)
      runs.push(await measureLoad({ ...LOAD, markets, strategies }));
  const of = (runs: readonly LoadShown[], figure: keyof Figures): number =>
    median(runs.map((one) => one[figure]));
  showTable(
    `SCALE a live run, a book of each market every ${LOAD.blockMs} ms`,
    cases.map(({ markets, strategies, runs }) => ({
      case: `${markets} markets, ${strategies} strategies`,
      ...Object.fromEntries(NAMES.map((name) => [name, of(runs, name).toFixed(2)])),
    })),
  );
  const aMarket = (count: number): number => {
    const found = cases.find(({ markets, strategies }) => markets === count && strategies === 1);
    return of(found?.runs ?? [], 'cpu') / count;
  };
  return {
    goals: [reached(LIMIT, aMarket(200) / aMarket(20))],
    figures: Object.fromEntries(
      cases.flatMap(({ markets, strategies, runs }) =>
        NAMES.map(
          (name) =>
            [`${markets} markets, ${strategies} strategies, ${name}`, rounded(of(runs, name))] as const,
        ),
      ),
    ),
  };
}
