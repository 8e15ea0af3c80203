/**
 * @module
 * Scenarios of code: the same run again, a look ahead, hidden inputs, writes to what is shared, floods, memory. They play a
 * mixed market, and look at what the strategy uses and leaves.
 */
import { barsLookAhead } from './bars-look-ahead.ts';
import { FLOOD_CODES } from './faults.ts';
import { heapBytes } from './heap.ts';
import { HIDDEN_KINDS, HiddenInputs, type HiddenKind } from './hidden-inputs.ts';
import type { Exam, Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';
import type { StageOptions } from './stage-options.ts';
import type { Finding } from './subject.ts';

/** Steps of the mixed market. */
const STEPS = 120;
/** Frames of the very long run until all is compiled and filled, and in each of the parts after it. */
const WARM_FRAMES = 6_000;
const PART_FRAMES = 3_000;
const PARTS = 3;
/** What each part may leave in memory: garbage of others comes and goes, what a strategy keeps grows in all of them. */
const GROWTH_BYTES_MAX = 150_000;
/** Characters that a saved state may have at least before it is held to grow. */
const SAVED_LENGTH = 20_000;
/** Of a market in which nothing changes: how long it lasts, and the writes in it. */
const STILL_S = 120;

/** One step: a market that goes on, with a jump, fills, a rejection and a silence now and then. */
function mixed(stage: Stage, step: number): void {
  if (step % 40 === 13) stage.market.move(8_000);
  if (step % 40 === 23) stage.silence(5_000);
  stage.venue.rejection = () => (step % 20 === 7 ? 'InsufficientMargin' : undefined);
  if (step % 10 === 4) {
    const [order] = stage.ordersOf(step % 20 === 4 ? 'buy' : 'sell');
    if (order !== undefined) stage.do(`order ${order.orderId} is filled`, () => stage.venue.fill(order));
  }
  for (let frame = 0; frame < 4; frame++) stage.frame(step + frame);
}

function played(exam: Exam, steps: number, options?: StageOptions): Stage {
  const stage = exam.stage(options).start();
  for (let step = 0; step < steps; step++) mixed(stage, step);
  return stage;
}

/** Decides `stage` what `before` did? The first difference is a finding. */
function compare(stage: Stage, before: Stage, expected: string): Finding | undefined {
  const at = stage.record.decisions.findIndex((one, index) => one !== before.record.decisions[index]);
  if (at < 0) return undefined;
  const [now, then] = [stage.record.decisions[at] ?? 'nothing', before.record.decisions[at] ?? 'nothing'];
  return {
    event: { number: Number(now.split(' ', 1)[0]), atMs: 0, text: `decision ${at + 1}` },
    expected: `${expected}: ${then.slice(0, 160)}`,
    got: now.slice(0, 160),
  };
}

/** The inputs of one kind that are hidden from a run. */
function hidden(kind: HiddenKind): Scenario {
  return {
    ...{ group: 'code', name: `hidden-${kind}`, summary: `It uses no ${kind} that a run cannot repeat` },
    run: (exam) => {
      const loaded = exam.loading.find((one) => one.kind === kind);
      let stage: Stage | undefined;
      const say = (name: string) => stage?.fail(EXPECTED[kind], `${name} was used`);
      const inputs = new HiddenInputs((used, name) => used === kind && say(name));
      stage = exam.stage({ watch: { within: (run) => inputs.within(run) } });
      if (loaded !== undefined) stage.do('the module is loaded', () => say(loaded.name));
      inputs.install();
      try {
        stage.start();
        for (let step = 0; step < STEPS / 4; step++) mixed(stage, step);
        stage.do('the run ends', () => stage.bot.end('the scenario is over'));
      } finally {
        inputs.remove();
      }
      return stage.finding;
    },
  };
}

const EXPECTED: Readonly<Record<HiddenKind, string>> = {
  clock: 'context.now() instead of the clock of the machine',
  randomness: 'context.random instead of randomness without a seed',
  timer: 'context.startTimer and context.startInterval instead of timers of the process',
  network: 'a feed of the configuration instead of the network',
  file: 'parameters, onLoad or a feed instead of files',
};

/** See the module. */
export const CODE_SCENARIOS: readonly Scenario[] = [
  {
    ...{ group: 'code', name: 'same-run-twice', summary: 'Two runs decide the same' },
    run: (exam) => {
      const first = played(exam, STEPS);
      return compare(played(exam, STEPS), first, 'the decisions of the run before');
    },
  },
  {
    ...{
      group: 'code',
      name: 'two-instances',
      summary: 'Two instances decide the same as one',
    },
    run: (exam) => {
      const alone = played(exam, STEPS);
      const [left, right] = [exam.stage().start(), exam.stage().start()];
      for (let step = 0; step < STEPS; step++) {
        mixed(left, step);
        mixed(right, step);
      }
      const expected = 'the decisions of an instance alone';
      return compare(left, alone, expected) ?? compare(right, alone, expected);
    },
  },
  {
    ...{
      group: 'code',
      name: 'look-ahead',
      summary: 'It decides the same if the market goes on',
    },
    run: (exam) => {
      const whole = played(exam, STEPS);
      const part = played(exam, STEPS / 2);
      return compare(part, whole, 'the decisions of the same run that goes on') ?? barsLookAhead(exam);
    },
  },
  ...HIDDEN_KINDS.map(hidden),
  {
    ...{
      group: 'code',
      name: 'shared-views',
      summary: 'It only reads books, views and events',
    },
    run: (exam) => {
      let stage: Stage | undefined;
      const onWrite = (handler: string, what: string) =>
        stage?.fail('views that are only read', `${handler} changed ${what}`);
      stage = exam.stage({ watch: { onWrite } });
      stage.start();
      for (let step = 0; step < STEPS / 4; step++) mixed(stage, step);
      return stage.finding;
    },
  },
  {
    ...{
      group: 'code',
      name: 'flood',
      summary: 'A market that does not move needs no writes',
    },
    run: (exam) => {
      const stage = exam.stage({ faultCodes: FLOOD_CODES }).start();
      stage.calm(30_000);
      const before = stage.record.writeCount;
      stage.calm(STILL_S * 1_000, { stepPpm: 0 });
      const writes = stage.record.writeCount - before;
      if (writes > STILL_S)
        stage.fail(`at most a write a second in a market that does not move`, `${writes} in ${STILL_S} s`);
      return stage.finding;
    },
  },
  {
    ...{ group: 'code', name: 'very-long-run', summary: 'It keeps nothing that grows' },
    run: longRun,
  },
];

function longRun(exam: Exam): Finding | undefined {
  const stage = exam.stage({ isUnrecorded: true, areLimitsIgnored: true }).start();
  const part = (frames: number) => {
    for (let frame = 0; frame < frames && stage.finding === undefined; frame++) stage.frame(frame);
    return { bytes: heapBytes(), saved: stage.saved?.length ?? 0 };
  };
  const warm = part(WARM_FRAMES);
  const parts = [warm, ...Array.from({ length: PARTS }, () => part(PART_FRAMES))];
  const grown = Math.min(...parts.slice(1).map(({ bytes }, at) => bytes - (parts[at]?.bytes ?? 0)));
  if (grown > GROWTH_BYTES_MAX)
    stage.fail(
      'memory that does not grow with the run',
      `at least ${Math.round(grown / 1_000)} kB more in each ${PART_FRAMES} frames`,
    );
  const saved = parts.at(-1)?.saved ?? 0;
  if (saved > SAVED_LENGTH && saved > warm.saved * 1.5)
    stage.fail(
      'a saved state that does not grow with the run',
      `${saved} characters, ${warm.saved} after ${WARM_FRAMES} frames`,
    );
  return stage.finding;
}
