/**
 * @module
 * G10: a backtest of the whole runtime with a queue model, latency, fees, funding and an order action for each twenty
 * events, beside the bare loop over the same log in memory. And the ten recorded hours of the issue, where the recording
 * is there: seconds beyond the start of the process. (performance B7, D)
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GroupResult, type Limit, missed, reached } from '../../goal.ts';
import { type Effort, inTurn, median, rounded, Samples, timeMs } from '../../measure.ts';
import { showTable } from '../../show.ts';
import { bareLoop, eventLog } from './event-log.ts';
import {
  benchMarkets,
  EVENTS_PER_ACTION,
  Quoter,
  type QuoterStep,
  runOver,
  sourceOf,
} from './whole-runtime.ts';

/** As the yardstick: more than the caches hold, for the bare loop too. */
const ROWS = 1_000_000;
const ROUNDS_MAX = 5;
/** Rounds before the first that counts: the first runs of some hundred functions are spent compiling them. */
const WARM_ROUNDS = 4;
/** The bare loop is over too soon to be timed once. */
const BARE_LOOPS = 5;
const BARE = 'bare loop in memory';
const OURS = 'ballast, an order action per 20 events';
/** What is judged, and two heavier ways to quote that are shown beside it. */
const CASES: readonly (readonly [QuoterStep, string])[] = [
  ['action', OURS],
  ['quote', 'ballast, a quote replaced per 20 events'],
  ['both quotes', 'ballast, both quotes replaced per 20 events'],
];
const LIMIT: Limit = {
  id: 'G10',
  what: 'rows a second of a backtest with matching, latency, fees, funding and an order action per 20, to the bare loop',
  limit: 0.07,
  better: 'higher',
};
/** Of the wanted actions: a quote that was filled has nothing to be taken back. */
const ACTIONS_PART_MIN = 0.85;

const ROOT = join(import.meta.dirname, '..', '..', '..');
const RECORDING = join(ROOT, '..', 'shared', 'data', 'standx-btcusd-20260106');
const HOURS_LIMIT: Limit = {
  id: 'G10.hours',
  what: 'seconds of `ballast backtest` over ten recorded hours, beyond the start of the process',
  limit: 3,
  better: 'lower',
};
const HOURS_ROUNDS_MAX = 3;
const COMMAND_MS_MAX = 180_000;

/** Measures G10. */
export async function backtestInMemory({ rounds }: Effort): Promise<GroupResult> {
  const log = eventLog({ rows: ROWS, seed: 'G10' });
  const source = sourceOf(log, benchMarkets(1));
  const run = (step: QuoterStep) => runOver(source, (context) => new Quoter(context, step)).record;
  const { counts, fills, residual } = run('action');
  const actions = counts.ordersPlaced + counts.ordersCanceled;
  if (
    actions < (ROWS / EVENTS_PER_ACTION) * ACTIONS_PART_MIN ||
    residual !== 0n ||
    fills.length === 0 ||
    !CASES.every(([step]) => run(step).residual === 0n)
  )
    return { goals: [missed(LIMIT, `${actions} actions, residual ${residual}`)], figures: {} };
  const samples = new Samples();
  const bare = () => {
    for (let at = 0; at < BARE_LOOPS; at++) bareLoop(log);
  };
  const runs = [
    [BARE, bare, BARE_LOOPS] as const,
    ...CASES.map(([step, name]) => [name, () => void run(step), 1] as const),
  ];
  for (let at = 0; at < WARM_ROUNDS; at++) for (const [, once] of runs) once();
  for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++)
    for (const [name, once, loops] of inTurn(runs, round))
      samples.add(name, ((await timeMs(once, 1)) * 1000) / (ROWS * loops));
  showTable(
    `G10 one row (${actions} order actions in ${counts.writes} writes, ${fills.length} fills, residual 0)`,
    samples.rows(BARE),
  );
  const hours = tenHours(Math.min(rounds, HOURS_ROUNDS_MAX));
  return {
    goals: [reached(LIMIT, samples.ratio(BARE, OURS)), ...hours.goals],
    figures: {
      ...Object.fromEntries(
        samples.names().map((name) => [`G10 ${name}, M rows/s`, rounded(1 / samples.median(name))]),
      ),
      ...Object.fromEntries(
        CASES.map(([, name]) => [`G10 of the bare loop, ${name}`, rounded(samples.ratio(BARE, name))]),
      ),
      ...hours.figures,
    },
  };
}

/** The command of the issue, as a person starts it, less what the same command takes to say its version. */
function tenHours(rounds: number): GroupResult {
  if (!existsSync(RECORDING))
    return { goals: [missed(HOURS_LIMIT, 'the recording is not there')], figures: {} };
  const folder = mkdtempSync(join(tmpdir(), 'ballast-bench-'));
  try {
    const tape = join(folder, 'standx');
    ballast('import', 'standx', RECORDING, '--out', tape);
    const config = join(ROOT, 'configs', 'backtest', 'maker-standx.yaml');
    const outputs = new Set<string>();
    const seconds: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const start = ballast('--version').seconds;
      const run = ballast('backtest', config, '--tape', tape, '--json');
      outputs.add(run.output);
      seconds.push(run.seconds - start);
    }
    const { money } = JSON.parse([...outputs][0]!) as { money: { residual: string } };
    if (outputs.size !== 1 || Number(money.residual) !== 0)
      return { goals: [missed(HOURS_LIMIT, 'other bytes, or a residual')], figures: {} };
    return {
      goals: [reached(HOURS_LIMIT, median(seconds))],
      figures: { 'G10 ten hours, s': rounded(median(seconds)) },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function ballast(...args: readonly string[]): { readonly output: string; readonly seconds: number } {
  const began = performance.now();
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(ROOT, 'bin', 'ballast.mjs'), ...args],
    {
      encoding: 'utf8',
      timeout: COMMAND_MS_MAX,
      maxBuffer: 1 << 28,
    },
  );
  if (status !== 0) throw new Error(`ballast ${args[0]} ended with ${status}: ${stderr.slice(-400)}`);
  return { output: stdout, seconds: (performance.now() - began) / 1_000 };
}
