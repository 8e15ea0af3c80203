/**
 * @module
 * A wrong client: the product with one piece of one source file changed. A mutant says which obligation it breaks and
 * which disturbances make that show; whether it is caught is for the oracles of the simulation (L7).
 */
import type { InvariantId, SimulationPlan } from '../simulation/types.ts';

/** What a directed plan has in place of what its seed drew. */
export type PlanHint = Partial<
  Pick<SimulationPlan, 'ambiguities' | 'config' | 'faults' | 'faultsForMs' | 'healedForMs' | 'settings'>
>;

/** One change of a source file. */
export interface Change {
  /** The file that is changed, from the root of the project. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** What makes the product a wrong one. */
export interface Patch extends Change {
  /** Further changes, where two parts of the product watch over the same rule. */
  readonly also?: readonly Change[];
}

/** One wrong client. */
export interface Mutant extends Patch {
  /** Names it, in kebab case. */
  readonly id: string;
  /** The obligation or invariant of `obligations` that it breaks. */
  readonly obligation: string;
  /** One of these must be broken for it to count as caught; absent: any. What stands still in the end breaks I13 anyhow. */
  readonly breaks?: readonly InvariantId[];
  /** What it does wrong, in one sentence. */
  readonly what: string;
  /** The disturbances that make it show. Tried before the general plans of the seeds. */
  readonly hint?: PlanHint;
}
