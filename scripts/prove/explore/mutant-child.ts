/**
 * @module
 * A process of one wrong client that explores until an invariant is broken by it. Nothing of the product is imported before
 * the change is in.
 */
import { pathToFileURL } from 'node:url';
import { install } from '../../../test/mutants/apply.ts';
import type { Mutant } from '../../../test/mutants/mutant.ts';
import type { InvariantId } from '../../../test/simulation/types.ts';

/** What it tells: schedules that failed as the mutant is meant to fail, the first first. */
export interface MutantFinding {
  readonly failed: readonly {
    readonly id: string;
    readonly invariants: readonly InvariantId[];
    readonly what: string;
  }[];
  readonly schedules: number;
  readonly broken?: string;
}

/** Failures that are told: the product may fail in the first, too. */
const FAILED_MAX = 20;

async function main(mutant: Mutant, tries: number): Promise<MutantFinding> {
  const root = pathToFileURL(`${import.meta.dirname}/../../../`).href;
  install(mutant, root);
  const { explore, ownRunners } = await import('../../../test/simulation/explore/explorer.ts');
  const { runSchedule } = await import('../../../test/simulation/explore/run-schedule.ts');
  const failed: MutantFinding['failed'][number][] = [];
  const bounds = { schedules: tries, depth: 2, isLate: () => failed.length >= FAILED_MAX };
  const { schedules } = await explore(ownRunners(runSchedule), bounds, {
    onFailure: ({ id, violations }) => {
      const invariants = [...new Set(violations.map((one) => one.id))];
      const { breaks } = mutant;
      if (breaks !== undefined && !breaks.some((one) => invariants.includes(one))) return;
      failed.push({ id, invariants, what: violations[0]?.what ?? '' });
    },
  });
  return { failed, schedules };
}

// Nobody waits for a verdict any more.
process.once('disconnect', () => process.exit());
const [, , json = '', tries = ''] = process.argv;
const finding = await main(JSON.parse(json) as Mutant, Number(tries)).catch(
  (thrown: unknown): MutantFinding => ({ failed: [], schedules: 0, broken: String(thrown) }),
);
process.send?.(finding);
