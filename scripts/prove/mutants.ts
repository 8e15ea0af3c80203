/**
 * Judges the wrong clients of test/mutants: each must be caught by an oracle of the simulation in a plan that the
 * product passes. Two processes at a time, each mutant in one of its own.
 *
 * Usage: npm run prove -- mutants [--only id,id] [--seeds 140] [--directed 60] [--seed 7 --plan directed] [--json]
 */
import { jsonOption } from '../../src/cli/terminal/options.ts';
import { MUTANTS } from '../../test/mutants/index.ts';
import { judge, type Verdict } from '../../test/mutants/judge.ts';
import { readOptions, someOf, whole } from '../options.ts';

const WORKERS = 2;
const PLAN_MS_MAX = 120_000;
const PLANS = ['directed', 'general'] as const;

/** One line of the table. */
function lineOf({ id, obligation, what, caughtBy, broken, plans, spoiled, seconds }: Verdict): string {
  const by =
    caughtBy === undefined
      ? (broken ?? `SURVIVED ${plans} plans`)
      : `${caughtBy.plan} seed ${caughtBy.seed} [${caughtBy.invariants.join(' ')}]: ${caughtBy.violation.split('\n', 1)[0]?.slice(0, 160)}`;
  const noise = spoiled === 0 ? '' : ` (${spoiled} plans that the product does not pass)`;
  const replay =
    caughtBy === undefined
      ? ''
      : `\n    npm run prove -- mutants --only ${id} --plan ${caughtBy.plan} --seed ${caughtBy.seed}`;
  return `${id} [${obligation}] ${what}\n    ${by}${noise}, ${seconds} s${replay}`;
}

if (import.meta.main) {
  const values = readOptions({
    only: someOf(
      'Only these',
      MUTANTS.map(({ id }) => id),
    ),
    seeds: whole('Seeds of whole plans of the swarm, behind the directed ones', { otherwise: 140 }),
    directed: whole('Seeds of plans made for it, before those', { otherwise: 60 }),
    plan: someOf('Only these plans', PLANS),
    seed: whole('Only this seed of each plan; 0: all', { otherwise: 0 }),
    json: jsonOption,
  });
  const seedsOf = (plan: (typeof PLANS)[number], count: number): readonly number[] => {
    if (!values.plan.includes(plan)) return [];
    return values.seed > 0 ? [values.seed] : Array.from({ length: count }, (_none, at) => at + 1);
  };
  const chosen = MUTANTS.filter(({ id }) => values.only.includes(id));
  const beganAtMs = performance.now();
  const verdicts = await judge(chosen, {
    workers: WORKERS,
    general: seedsOf('general', values.seeds),
    directed: seedsOf('directed', values.directed),
    timeoutMs: PLAN_MS_MAX,
    say: (verdict) => void (values.json ? process.stderr : process.stdout).write(`${lineOf(verdict)}\n`),
  });
  const catches = verdicts.flatMap(({ id, obligation, caughtBy }) => {
    if (caughtBy === undefined) return [];
    const { plan, seed, invariants } = caughtBy;
    return [{ id, obligation, plan, seed, invariants }];
  });
  const survived = verdicts.filter(({ caughtBy }) => caughtBy === undefined).map(({ id }) => id);
  const [mutants, caught] = [verdicts.length, verdicts.length - survived.length];
  const seconds = Math.round((performance.now() - beganAtMs) / 1000);
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ mutants, caught, survived, seconds, catches })}\n`
      : `${caught} of ${mutants} wrong clients caught${survived.length === 0 ? '' : `; survived: ${survived.join(', ')}`}\n`,
  );
  process.exitCode = survived.length === 0 ? 0 : 1;
}
