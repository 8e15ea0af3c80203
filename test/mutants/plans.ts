/**
 * @module
 * The plans by which a mutant is judged: short ones with the disturbances that its hint names, then those of the seeds.
 */
import { planOf } from '../simulation/plan.ts';
import type { Fault, FaultId, SimulationPlan } from '../simulation/types.ts';
import type { PlanHint } from './mutant.ts';

/** One plan by its seed: with the hint of the mutant, or as the swarm has it. */
export interface Trial {
  readonly seed: number;
  readonly hint: PlanHint | undefined;
}

/** Virtual time of a directed plan: long enough for a dozen strikes, short enough to try many. */
const DIRECTED_FAULTS_MS = 150_000;
const DIRECTED_HEALED_MS = 75_000;

/** What a mutant without a hint is tried with first: it shows on its own. */
const UNDISTURBED: PlanHint = { faults: {}, ambiguities: {} };

/** The trials of a mutant in order: short ones of the seeds `directed`, then whole ones of `general`. */
export function* trialsOf(
  hint: PlanHint = UNDISTURBED,
  { directed, general }: { readonly directed: readonly number[]; readonly general: readonly number[] },
): Generator<Trial> {
  for (const seed of directed) yield { seed, hint };
  for (const seed of general) yield { seed, hint: undefined };
}

/** The plan of a trial in a world that can be struck by `faults`. */
export function planOfTrial({ seed, hint }: Trial, faults: readonly Fault[]): SimulationPlan {
  const drawn = planOf(seed, faults);
  if (hint === undefined) return drawn;
  const known = new Set<FaultId>(faults.map(({ id }) => id));
  const wanted = Object.entries(hint.faults ?? drawn.faults).filter(([id]) => known.has(id as FaultId));
  return {
    ...drawn,
    faultsForMs: DIRECTED_FAULTS_MS,
    healedForMs: DIRECTED_HEALED_MS,
    signatures: 'keyed',
    // What is hinted at happens to a bot that runs, and a short plan has no time for starts that are refused.
    isStartDisturbed: false,
    ...hint,
    faults: Object.fromEntries(wanted),
    settings: { ...drawn.settings, ...hint.settings },
  };
}
