/**
 * @module
 * A process of one client, wrong or right: runs the plans that it is sent and tells what the oracles found. Started with
 * a mutant as JSON, or with none for the product as it is. Nothing of the product is imported before the change is in.
 */
import { pathToFileURL } from 'node:url';
import type { InvariantId } from '../simulation/types.ts';
import { install } from './apply.ts';
import type { Mutant } from './mutant.ts';
import type { Trial } from './plans.ts';

/** What a plan showed; nothing: no violation. */
export interface Finding {
  /** The first violation, in words. */
  readonly violation?: string;
  /** The invariants that were broken, in the order in which they were; none: no oracle saw it. */
  readonly invariants?: readonly InvariantId[];
  /** Why the plan could not be run: nothing is shown by it. */
  readonly broken?: string;
}

async function main(mutant: Mutant | undefined): Promise<void> {
  const root = pathToFileURL(`${import.meta.dirname}/../../`).href;
  const notLoaded = mutant === undefined ? () => [] : install(mutant, root);
  const { runSimulation } = await import('../simulation/run.ts');
  const { loadRegistry } = await import('../simulation/registry.ts');
  const { planOfTrial } = await import('./plans.ts');
  const { faults } = await loadRegistry();
  const run = async (trial: Trial): Promise<Finding> => {
    const { violations } = await runSimulation(planOfTrial(trial, faults));
    const missing = notLoaded();
    if (missing.length > 0) throw new Error(`expected ${missing.join(', ')} to be part of a simulation`);
    const [first] = violations;
    if (first === undefined) return {};
    const invariants = [...new Set(violations.map(({ id }) => id))];
    return { violation: `${first.id} at ${first.atMs} ms: ${first.what}`, invariants };
  };
  process.on('message', (trial: Trial) => {
    run(trial).then(
      (finding) => process.send?.(finding),
      (thrown: unknown) => process.send?.({ broken: String(thrown) } satisfies Finding),
    );
  });
  // The judge has gone: nobody waits for what is still running.
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

const [, , json] = process.argv;
await main(json === undefined ? undefined : (JSON.parse(json) as Mutant));
