/**
 * @module
 * LOAD.record: a live run of 200 markets with a book each 100 ms that keeps frames, rows and its log, beside the same run
 * that keeps nothing. Rounds alternate.
 */
import { type GroupResult, type Limit, missed, reached } from '../../goal.ts';
import { type Effort, median, rounded } from '../../measure.ts';
import { showTable } from '../../show.ts';
import { type Figures, type LoadShown, measureLoad } from './load-run.ts';

const LIMITS = {
  thread: {
    id: 'LOAD.record',
    what: 'processor time of the thread that trades, 200 markets with 100 ms blocks, recorded to not recorded',
    limit: 1.15,
    better: 'lower',
  },
  p99: {
    id: 'LOAD.record.p99',
    what: 'frame to order, p99, recorded to not recorded',
    limit: 1.2,
    better: 'lower',
  },
  whole: {
    id: 'LOAD.record.whole',
    what: 'runs of which every frame is on a tape that verify finds whole',
    limit: 1,
    better: 'higher',
  },
} as const satisfies Record<string, Limit>;

const LOAD = { markets: 200, blockMs: 100, runMs: 15_000 } as const;
const ROUNDS_MAX = 5;
const NAMES: readonly (keyof Figures)[] = [
  ...(['startS', 'p50Ms', 'p99Ms', 'cpu', 'threadCpu', 'loopP99Ms', 'framesPerS', 'memoryMb'] as const),
];

/** Measures LOAD.record. */
export async function recordedMarkets({ rounds }: Effort): Promise<GroupResult> {
  const off: LoadShown[] = [];
  const on: LoadShown[] = [];
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++) {
    off.push(await measureLoad({ ...LOAD, isRecorded: false }));
    on.push(await measureLoad({ ...LOAD, isRecorded: true }));
  }
  const of = (runs: readonly LoadShown[], figure: keyof Figures): number =>
    median(runs.map((one) => one[figure]));
  const ratio = (figure: keyof Figures): number =>
    median(on.map((one, round) => one[figure] / (off[round]?.[figure] ?? Number.NaN)));
  const rows = [
    { case: 'not recorded', ...textsOf((name) => of(off, name)) },
    { case: 'recorded', ...textsOf((name) => of(on, name)) },
  ];
  showTable('LOAD.record 200 markets, a book of each every 100 ms', rows);
  const whole = on.filter(({ isWhole }) => isWhole === true).length / on.length;
  const goals = [reached(LIMITS.thread, ratio('threadCpu')), reached(LIMITS.p99, ratio('p99Ms'))];
  return {
    goals: [
      ...goals,
      whole === 1
        ? reached(LIMITS.whole, whole)
        : missed(
            LIMITS.whole,
            `${Math.round(whole * on.length)} of ${on.length} runs are whole on their tape`,
          ),
    ],
    figures: Object.fromEntries([
      ['LOAD.record cpu of all threads, ratio', rounded(ratio('cpu'))],
      ...NAMES.flatMap((name) => [
        [`not recorded, ${name}`, rounded(of(off, name))] as const,
        [`recorded, ${name}`, rounded(of(on, name))] as const,
      ]),
    ]),
  };
}

function textsOf(of: (name: keyof Figures) => number): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [name, of(name).toFixed(3)]));
}
