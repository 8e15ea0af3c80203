/**
 * The dead man's switch by force: real bots in processes of their own, each struck in another way while its exchange lives
 * on, and judged by what the exchange itself says of their orders.
 *
 * Usage: npm run prove -- force [--times 1] [--seed 1] [--only killed,stopped] [--jobs 2] [--json]
 *        npm run prove -- force --healthy 3h --load 2 | --virtual-hours 24 [--seed 1] [--json]    no violence: no false alarm
 */
import { join } from 'node:path';
import { duration, jsonOption, textOption } from '../../src/cli/terminal/options.ts';
import { freshSeed, seededRandom } from '../../src/core/index.ts';
import { LiveRig } from '../../test/support/live-rig.ts';
import { maybeWhole, readOptions, someOf, whole } from '../options.ts';
import { LATE_MS_MAX } from './force/book-log.ts';
import type { ForceCase } from './force/case.ts';
import * as deaths from './force/cases.ts';
import * as guardians from './force/guardian-cases.ts';
import { runHealthy } from './force/healthy.ts';
import { runHealthyLive } from './force/healthy-live.ts';
import * as neighbors from './force/neighbor-cases.ts';
import * as owners from './force/owner-cases.ts';

/** All cases, in the order in which they run. */
export const CASES: readonly ForceCase[] = [deaths, neighbors, owners, guardians].flatMap((cases) =>
  Object.values(cases),
);

/** What one case showed. Times in ms. */
export interface CaseResult {
  readonly name: string;
  readonly orders: number;
  readonly goneMs: number;
  readonly afterTriggerMs: number;
  /** Orders that came to rest while no switch was armed, by number. */
  readonly unarmed: readonly string[];
  /** What a case also measures. */
  readonly figures: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

/** What a run of cases showed. */
export interface ForceRun {
  readonly schema: 1;
  readonly seed: number;
  readonly cases: number;
  readonly violations: readonly string[];
  /** The latest that any order went after the armed trigger, ms; negative: all went before it. */
  readonly worstMs: number;
  readonly results: readonly CaseResult[];
}

/** Runs the named cases, or all, `times` times, `jobs` at once. */
export async function runForce(options: {
  readonly seed: number;
  readonly times?: number;
  readonly only?: readonly string[];
  readonly jobs?: number;
  readonly say?: (line: string) => void;
}): Promise<ForceRun> {
  const { seed, times = 1, only, jobs = 2, say = () => undefined } = options;
  const chosen = CASES.filter(({ name }) => only === undefined || only.includes(name));
  const results: CaseResult[] = [];
  // Each round has an exchange of its own: one makes a hundred accounts at most, and each case takes one or two.
  for (let round = 1; round <= times; round++)
    results.push(...(await runRound(round, { chosen, seed, jobs, say })));
  return {
    ...{ schema: 1, seed, cases: results.length, results },
    violations: results.flatMap(({ name, violations }) => violations.map((what) => `${name}: ${what}`)),
    worstMs: Math.max(...results.map((result) => result.afterTriggerMs)),
  };
}

/** Runs each case once, `jobs` at once. */
async function runRound(
  round: number,
  {
    chosen,
    seed,
    jobs,
    say,
  }: {
    readonly chosen: readonly ForceCase[];
    readonly seed: number;
    readonly jobs: number;
    readonly say: (line: string) => void;
  },
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  const queue = [...chosen];
  const rig = await LiveRig.start({
    seed,
    accounts: queue.length,
    script: join(import.meta.dirname, 'force', 'exchange.ts'),
  });
  const work = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const name = `${one.name}-${round}`;
      const result = await judge(one, rig, { name, random: seededRandom(`${seed} ${name}`) });
      results.push(result);
      say(describe(result));
    }
  };
  try {
    await Promise.all(Array.from({ length: jobs }, work));
  } finally {
    await rig.end();
  }
  return results;
}

async function judge(
  one: ForceCase,
  rig: LiveRig,
  tools: Parameters<ForceCase['run']>[1],
): Promise<CaseResult> {
  const { name } = one;
  try {
    const { going, scene } = await one.run(rig, tools);
    const { orders, goneMs, afterTriggerMs } = going;
    const unarmed = scene.placedUnarmed();
    const unarmedMs = scene.log.unarmedMsMax();
    scene.expect(orders > 0, 'no order rested when it was struck');
    scene.expect(unarmed.length === 0, `placed without an armed switch (I11): ${unarmed.join(', ')}`);
    scene.expect(unarmedMs <= LATE_MS_MAX, `an order rested ${unarmedMs} ms without an armed switch (I11)`);
    return {
      name,
      orders,
      goneMs,
      afterTriggerMs,
      unarmed,
      figures: scene.figures,
      violations: scene.violations,
    };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return { name, orders: 0, goneMs: 0, afterTriggerMs: 0, unarmed: [], figures: {}, violations: [what] };
  }
}

function describe({ name, orders, goneMs, afterTriggerMs, figures, violations }: CaseResult): string {
  const trigger = afterTriggerMs >= 0 ? `${afterTriggerMs} ms after` : `${-afterTriggerMs} ms before`;
  const measured = Object.entries(figures)
    .map(([what, value]) => `, ${what} ${value}`)
    .join('');
  const verdict = violations.length === 0 ? '' : `: ${violations.join('; ')}`;
  return `${name}: ${orders} orders gone in ${goneMs} ms, ${trigger} the trigger${measured}${verdict}`;
}

function maybeDuration(text: string | number | undefined): number | undefined {
  return text === undefined ? undefined : duration('healthy')(String(text));
}

if (import.meta.main) {
  const values = readOptions({
    times: whole('How often each case', { min: 1, otherwise: 1 }),
    seed: maybeWhole('Of the instants; a fresh one where it is left out'),
    only: someOf(
      'Only these',
      CASES.map(({ name }) => name),
    ),
    jobs: whole('Cases at once', { min: 1, otherwise: 2 }),
    healthy: { ...textOption('In place of the cases: a healthy bot for so long'), coerce: maybeDuration },
    load: whole('With --healthy: other processes that never rest', { min: 0, otherwise: 0 }),
    'virtual-hours': maybeWhole('In place of the cases: a healthy bot in the simulation', { min: 1 }),
    json: jsonOption,
  });
  const { times, jobs, only, healthy, load, seed = freshSeed() } = values;
  process.stderr.write(`seed ${seed}\n`);
  const hours = values['virtual-hours'];
  if (healthy !== undefined || hours !== undefined) {
    const run =
      healthy === undefined
        ? await runHealthy({ seed, hours: hours ?? 1 })
        : await runHealthyLive({ seed, forMs: healthy, load });
    process.stdout.write(`${JSON.stringify(run, undefined, values.json ? undefined : 2)}\n`);
    const wrong = 'violations' in run ? run.violations.length : run.fires + run.missed;
    process.exit(wrong === 0 ? 0 : 1);
  }
  const run = await runForce({
    seed,
    times,
    jobs,
    only,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  if (values.json) process.stdout.write(`${JSON.stringify(run)}\n`);
  else
    process.stdout.write(
      `${run.cases} cases, ${run.violations.length} violations, the last order at worst ${run.worstMs} ms after its trigger\n`,
    );
  process.exitCode = run.violations.length === 0 ? 0 : 1;
}
