/**
 * @module
 * One case: a bot in a world of its own that dies, halts or finds its journal damaged, starts again, goes on, and is
 * judged by the oracles of the swarm, by {@link RestartOracle}, and by what its deed knows.
 */
import { must, type Random, seededRandom } from '../../../src/core/index.ts';
import { DAMAGES, type Damage } from '../../../test/simulation/disk-damage.ts';
import { runSimulation } from '../../../test/simulation/run.ts';
import { STEPS, type Step } from '../../../test/simulation/steps.ts';
import type { SimulationPlan, StepId } from '../../../test/simulation/types.ts';
import type { OpenWorld } from '../../../test/simulation/world.ts';
import { CommitDeed, FAILED_COMMITS, type FailedCommit } from './commit-deed.ts';
import { DamageDeed } from './damage-deed.ts';
import { DEATHS, type Death, DeathDeed } from './death-deed.ts';
import type { Deed } from './deed.ts';
import { RestartOracle } from './restart-oracle.ts';

/** One case, by words that replay it. */
export type CrashCase = { readonly seed: number } & (
  | { readonly kind: 'death'; readonly step: StepId; readonly how: Death }
  /** `seed` is the number of the commit that fails. */
  | { readonly kind: 'commit'; readonly how: FailedCommit }
  | { readonly kind: 'damage'; readonly how: Damage }
);

/** What a case showed. */
export interface CrashResult {
  /** What it was, in words. */
  readonly name: string;
  readonly isReached: boolean;
  readonly deaths: number;
  readonly openAtStart: number;
  readonly ordersAtDeath: number;
  readonly violations: readonly string[];
}

const FAULTS_MS = 50_000;
/** A commit of a quiet bot comes about so often, or oftener. */
const COMMIT_MS = 2_500;
const HEALED_MS = 75_000;
const NEVER_PER_MINUTE = 1e-9;

/** All steps and deaths, each with `seeds` seeds. */
export function deathCases(work: {
  readonly from: number;
  readonly seeds: number;
  readonly steps?: readonly Step[];
}): readonly CrashCase[] {
  const { from, seeds, steps = STEPS } = work;
  return seedsFrom(from, seeds).flatMap((seed) =>
    steps.flatMap(({ id: step }) => DEATHS.map((how) => ({ kind: 'death' as const, step, how, seed }))),
  );
}

/** Commits that fail: the first, the second, and so on to the `count`-th. */
export function commitCases(count: number): readonly CrashCase[] {
  return seedsFrom(1, count).flatMap((seed) =>
    FAILED_COMMITS.map((how) => ({ kind: 'commit' as const, how, seed })),
  );
}

/** Journals that are damaged between two lives, each way with `seeds` seeds. */
export function damageCases(from: number, seeds: number): readonly CrashCase[] {
  return seedsFrom(from, seeds).flatMap((seed) =>
    DAMAGES.map((how) => ({ kind: 'damage' as const, how, seed })),
  );
}

/** What a case is about, without its seed. */
export function nameOf(one: CrashCase): string {
  return one.kind === 'death' ? `${one.step} ${one.how}` : one.how;
}

/** Runs one case. */
export async function runCase(one: CrashCase): Promise<CrashResult> {
  const random = seededRandom(`${nameOf(one)} ${one.seed}`);
  let parts: { readonly oracle: RestartOracle; readonly deed: Deed } | undefined;
  const run = await runSimulation(planOf(one, random.fork('plan')), (world) => {
    parts = { oracle: new RestartOracle(world), deed: deedOf(one, world, random) };
  });
  const { oracle, deed } = must(parts, 'a world that was prepared');
  return {
    name: nameOf(one),
    isReached: deed.isReached,
    deaths: deed.deaths,
    ...oracle.figures,
    violations: [
      ...run.violations.map(({ id, atMs, what }) => `${atMs} ms: ${id} ${what}`),
      ...oracle.violations,
      ...deed.violations,
    ],
  };
}

function deedOf(one: CrashCase, world: OpenWorld, random: Random): Deed {
  switch (one.kind) {
    case 'death':
      return new DeathDeed(world, { step: one.step, death: one.how, seed: one.seed }, random);
    case 'commit':
      return new CommitDeed(world, one.how, one.seed);
    case 'damage':
      return new DamageDeed(world, one.how, random);
  }
}

function planOf({ kind, seed }: CrashCase, random: Random): SimulationPlan {
  return {
    seed,
    faultsForMs: FAULTS_MS + (kind === 'commit' ? seed * COMMIT_MS : 0),
    healedForMs: HEALED_MS,
    // Not a life without faults: alarms are due, and for damaged journals other books. The deaths come from the deed.
    faults: { [kind === 'damage' ? 'F57' : 'F50']: NEVER_PER_MINUTE },
    ambiguities: {},
    signatures: 'keyed',
    config: 'calm',
    latency: {
      requestMs: random.integer(1, 20),
      answerMs: random.integer(1, 20),
      frameMs: random.integer(1, 5),
      journalMs: random.integer(1, 20),
    },
    settings: { blockMs: random.integer(200, 1_000), replicaLagMs: random.integer(1, 300) },
  };
}

function seedsFrom(from: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_none, n) => from + n);
}
