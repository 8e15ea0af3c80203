import { describe, expect, test } from 'vitest';
import type { Axis } from '../../../../src/research/sweep/space.ts';
import { runSweep, type SweepSettings, windowsOf } from '../../../../src/research/sweep/sweep.ts';
import type { JobRunner, SweepJob, SweepResult } from '../../../../src/research/sweep/types.ts';

const NO_COURSE = { denials: {}, rejections: {}, halts: {}, haltedSeconds: {}, noQuoteSeconds: {} };

const AXES: readonly Axis[] = [
  { path: 'm.x', values: ['1', '2', '3'] },
  { path: 'm.y', values: ['1', '2', '3'] },
];
const SPAN = { fromMs: 1_000, toMs: 2_000 };
const GRID: SweepSettings = {
  axes: AXES,
  method: 'grid',
  trials: 9,
  population: 4,
  seed: 1,
  objectives: [
    { statistic: 'pnl', better: 'higher' },
    { statistic: 'maxDrawdown', better: 'lower' },
  ],
  windows: 1,
  trainFraction: 0,
};

/** Profit x in the first half of the span and -x behind it; drawdown y. x = 3 with y = 3 fails. */
function resultOf({ key, parameters, fromMs }: SweepJob): SweepResult {
  const [x, y] = [Number(parameters['m.x']), Number(parameters['m.y'])];
  if (x === 3 && y === 3) return { key, error: 'too bold' };
  return {
    key,
    statistics: { pnl: fromMs < 1_500 ? x : -x, maxDrawdown: y },
    annualReason: null,
    failure: null,
    course: NO_COURSE,
    decisionHash: key,
  };
}

/** Runs jobs backwards, and tells of the first one twice, as a queue may. */
function runner(ran: SweepJob[], dieAfter = Number.POSITIVE_INFINITY): JobRunner {
  return {
    run: async (jobs, onResult) => {
      for (const job of [...jobs].reverse()) {
        if (ran.length >= dieAfter) throw new Error('killed');
        ran.push(job);
        onResult(resultOf(job));
        if (ran.length === 1) onResult(resultOf(job));
      }
    },
    close: async () => undefined,
  };
}

function portsOf(ran: SweepJob[], known = new Map<string, SweepResult>(), dieAfter?: number) {
  const kept: SweepResult[] = [];
  return {
    span: SPAN,
    runner: runner(ran, dieAfter),
    known,
    kept,
    keyOf: ({ parameters, fromMs, toMs }: Omit<SweepJob, 'key'>) =>
      `${parameters['m.x']}/${parameters['m.y']} ${fromMs}-${toMs}`,
    onResult: (result: SweepResult) => void kept.push(result),
  };
}

describe('runSweep', () => {
  test('gives every combination once, in order, whatever order results come in', async () => {
    const ran: SweepJob[] = [];
    const ports = portsOf(ran);
    const { rows, windows } = await runSweep(GRID, ports);
    expect(rows.map(({ job }) => Object.values(job.parameters).join(''))).toEqual([
      ...['11', '12', '13', '21', '22', '23', '31', '32', '33'],
    ]);
    expect(ports.kept).toHaveLength(9);
    expect(windows).toMatchObject([
      { test: undefined, best: { job: { parameters: { 'm.x': '3', 'm.y': '1' } } } },
    ]);
  });

  test('after a kill goes on to the same set, without running again what is known', async () => {
    const whole = await runSweep(GRID, portsOf([]));
    const known = new Map<string, SweepResult>();
    const first: SweepJob[] = [];
    await expect(runSweep(GRID, portsOf(first, known, 4))).rejects.toThrow('killed');
    const second: SweepJob[] = [];
    expect(await runSweep(GRID, portsOf(second, known))).toEqual(whole);
    expect([first.length, second.length]).toEqual([4, 5]);
  });

  test('chooses on the training part and looks once at the test part behind it', async () => {
    const ran: SweepJob[] = [];
    const { windows, rows } = await runSweep({ ...GRID, windows: 2, trainFraction: 0.5 }, portsOf(ran));
    expect(windows.map(({ train, test }) => [train, test])).toEqual([
      [
        { fromMs: 1_000, toMs: 1_250 },
        { fromMs: 1_250, toMs: 1_500 },
      ],
      [
        { fromMs: 1_500, toMs: 1_750 },
        { fromMs: 1_750, toMs: 2_000 },
      ],
    ]);
    expect(windows.map(({ best }) => best?.job.parameters)).toEqual([
      { 'm.x': '3', 'm.y': '1' },
      { 'm.x': '1', 'm.y': '1' },
    ]);
    expect(windows.map(({ outOfSample }) => outOfSample?.result)).toMatchObject([
      { statistics: { pnl: 3 } },
      { statistics: { pnl: -1 } },
    ]);
    expect(rows.filter(({ job }) => job.part === 'test')).toHaveLength(2);
  });

  test('searches with the runs it has, and learns from failures too', async () => {
    const ran: SweepJob[] = [];
    const { rows, windows } = await runSweep({ ...GRID, method: 'nsga2' }, portsOf(ran));
    expect(new Set(rows.map(({ job }) => job.key)).size).toBe(9);
    expect(windows[0]?.best?.job.parameters).toEqual({ 'm.x': '3', 'm.y': '1' });
    const few = await runSweep({ ...GRID, method: 'random', trials: 5 }, portsOf([]));
    expect(few.rows).toHaveLength(5);
  });
});

describe('windowsOf', () => {
  test('cover the span without a gap, and end with it', () => {
    const windows = windowsOf({ fromMs: 0, toMs: 1_000 }, { windows: 3, trainFraction: 0.7 });
    const spans = windows.flatMap(({ train, test }) => [train, ...(test === undefined ? [] : [test])]);
    for (const [at, span] of spans.entries()) expect(span.fromMs).toBe(spans[at - 1]?.toMs ?? 0);
    expect(spans.at(-1)?.toMs).toBe(1_000);
  });
});
