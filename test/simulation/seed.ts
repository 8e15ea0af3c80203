/**
 * @module
 * One seed as it is asked for and as it is replayed: the number, and what of its plan is left out.
 */

import { AMBIGUITIES } from './ambiguities.ts';
import { planOf, withFaults } from './plan.ts';
import { loadRegistry } from './registry.ts';
import { type AmbiguityId, type FaultId, type SimulationPlan, SOMETIMES } from './types.ts';

/** Which part of which plan is run. Absent: all that the seed has drawn. */
export interface SeedRequest {
  readonly seed: number;
  readonly faults?: readonly FaultId[];
  readonly quirks?: SimulationPlan['ambiguities'];
  /** Virtual minutes with faults, in place of what the seed has drawn; the healed time is then the least. */
  readonly minutes?: number;
  /** The kind of world, in place of the one that the seed has drawn. */
  readonly world?: SimulationPlan['config'];
}

const MINUTE_MS = 60_000;

/** The plan that a request stands for. */
export async function planFor({
  seed,
  faults,
  quirks,
  minutes,
  world,
}: SeedRequest): Promise<SimulationPlan> {
  const drawn = planOf(seed, (await loadRegistry()).faults, world);
  const plan =
    minutes === undefined ? drawn : { ...drawn, faultsForMs: minutes * MINUTE_MS, healedForMs: MINUTE_MS };
  const struck = faults === undefined ? plan : withFaults(plan, faults);
  return { ...struck, ambiguities: quirks ?? plan.ambiguities };
}

/** The command that runs it again. */
export function replayLine({ seed, faults, quirks, minutes, world }: SeedRequest): string {
  const words = [`npm run prove -- swarm --seed ${seed}`];
  if (world !== undefined) words.push(`--world ${world}`);
  if (minutes !== undefined) words.push(`--minutes ${minutes}`);
  if (faults !== undefined) words.push(`--faults ${faults.length === 0 ? 'none' : faults.join(',')}`);
  if (quirks !== undefined) {
    const answers = Object.entries(quirks).map(([id, value]) => `${id}=${value}`);
    words.push(`--quirks ${answers.length === 0 ? 'none' : answers.join(',')}`);
  }
  return words.join(' ');
}

/** The values of `A4=delta`, `A10=kept`; of none: all at their default. */
export function quirksOf(answers: readonly string[]): SimulationPlan['ambiguities'] {
  return Object.fromEntries(answers.map((one) => one.split('=')));
}

/** Everything that can be hit, so that what never was shows as zero. */
export interface Catalogue {
  readonly faults: readonly FaultId[];
  /** With each of their values: `A4=delta`. */
  readonly ambiguities: readonly string[];
  readonly sometimes: readonly string[];
}

/** The names of all faults, answers and conditions. */
export async function catalogueOf(): Promise<Catalogue> {
  const { faults } = await loadRegistry();
  return {
    faults: faults.map(({ id }) => id),
    ambiguities: AMBIGUITIES.flatMap(({ id, values }) => values.map((value) => `${id}=${value}`)),
    sometimes: SOMETIMES,
  };
}

/** The value that a plan gives to an ambiguity. */
export function valueOfAmbiguity(plan: SimulationPlan, id: AmbiguityId): string {
  return plan.ambiguities[id] ?? AMBIGUITIES.find((one) => one.id === id)?.values[0] ?? '';
}
