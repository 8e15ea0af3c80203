/**
 * @module
 * G10: a backtest of the whole runtime with a queue model, latency, fees, funding and an order action for each twenty
 * events, beside the bare loop over the same log in memory.
 */
import { type GroupResult, type Limit, missed, reached } from '../../goal.ts';
import { type Effort, inTurn, rounded, Samples, timeMs } from '../../measure.ts';
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
  return {
    goals: [reached(LIMIT, samples.ratio(BARE, OURS))],
    figures: {
      ...Object.fromEntries(
        samples.names().map((name) => [`G10 ${name}, M rows/s`, rounded(1 / samples.median(name))]),
      ),
      ...Object.fromEntries(
        CASES.map(([, name]) => [`G10 of the bare loop, ${name}`, rounded(samples.ratio(BARE, name))]),
      ),
    },
  };
}
