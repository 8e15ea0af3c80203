/**
 * @module
 * One case: a bot that dies at the n-th occurrence of a step, starts again, perhaps dies again while it starts, goes on,
 * and is judged by the oracles of the swarm and by {@link RestartOracle}.
 */
import { must, type Random, seededRandom } from '../../src/core/index.ts';
import { FSYNC_FAILED } from '../../test/simulation/disk.ts';
import { runSimulation } from '../../test/simulation/run.ts';
import {
  onRecovery,
  onStep,
  RECOVERY_PHASES,
  type RecoveryPhase,
  STEPS,
  type Step,
} from '../../test/simulation/steps.ts';
import type { SimulationPlan, StepId } from '../../test/simulation/types.ts';
import type { OpenWorld } from '../../test/simulation/world.ts';
import { RestartOracle } from './restart-oracle.ts';

/** How a process dies: the machine goes on, or loses what was not acknowledged. */
export type Death = 'crash' | 'powerLoss';

/** A commit that fails, and with it the journal: the bot halts. */
export type FailedCommit = 'diskFull' | 'syncFailed';

/** One case, by words that replay it. */
export interface CrashCase {
  readonly step: StepId;
  readonly death: Death | FailedCommit;
  readonly seed: number;
}

/** What a case showed. */
export interface CrashResult extends CrashCase {
  /** The step was reached, so the bot died there. */
  readonly isReached: boolean;
  readonly deaths: number;
  readonly openAtStart: number;
  readonly ordersAtDeath: number;
  readonly violations: readonly string[];
}

const FAULTS_MS = 50_000;
const HEALED_MS = 75_000;
/** Within this the step is expected; later there would be no time to start again. */
const WITHIN_MS = 40_000;
const NTH_MAX = { often: 8, seldom: 3, rare: 1 } as const;
const DEATHS_IN_RECOVERY_MAX = 5;
const AGAIN_SHARE = 0.3;
const LOST_SHARE = 0.3;
const CUT_EVERY_MS = 6_000;
const NEVER_PER_MINUTE = 1e-9;
const MENDED_AFTER_MS = 8_000;
/** Steps of the way out of an unknown outcome, and those that come with a new stream. */
const LOSSY: ReadonlySet<StepId> = new Set(['J16', 'J17', 'J18']);
const CUTTING: ReadonlySet<StepId> = new Set(['J9', 'J22']);

/** All steps and deaths, each with `seeds` seeds. */
export function casesOf(work: {
  readonly from: number;
  readonly seeds: number;
  readonly steps?: readonly Step[];
}): readonly CrashCase[] {
  const { from, seeds, steps = STEPS } = work;
  const cases: CrashCase[] = [];
  for (let seed = from; seed < from + seeds; seed++) {
    for (const { id: step } of steps)
      for (const death of ['crash', 'powerLoss'] as const) cases.push({ step, death, seed });
  }
  return cases;
}

/** Commits that fail: the first, the second, and so on to the `count`-th; the disk is full, or its sync fails. */
export function commitCases(count: number): readonly CrashCase[] {
  return Array.from({ length: count }, (_none, n) =>
    (['diskFull', 'syncFailed'] as const).map((death) => ({ step: 'J3' as const, death, seed: n + 1 })),
  ).flat();
}

/** Runs one case. */
export async function runCase(one: CrashCase): Promise<CrashResult> {
  const random = seededRandom(`crash ${one.step} ${one.death} ${one.seed}`);
  let oracle: RestartOracle | undefined;
  let deaths = 0;
  const onDeath = (): void => {
    deaths++;
  };
  const run = await runSimulation(planOf(one, random.fork('plan')), (world) => {
    oracle = new RestartOracle(world);
    disturb(world, one.step, random.fork('disturb'));
    const { death } = one;
    if (isKill(death)) arrange(world, { ...one, death }, { random, onDeath });
    else failCommit(world, { ...one, death }, onDeath);
  });
  const { figures, violations, stops } = must(oracle, 'the oracle of a world that was prepared');
  const isUnnamed = deaths > 0 && !isKill(one.death) && !stops.some((why) => why.includes('JOURNAL'));
  return {
    ...one,
    isReached: deaths > 0 && (one.step !== 'J28' || deaths > 1),
    deaths,
    ...figures,
    violations: [
      ...run.violations.map(({ id, atMs, what }) => `${atMs} ms: ${id} ${what}`),
      ...violations,
      ...(isUnnamed ? [`it halted without saying why: ${stops.join('; ')}`] : []),
    ],
  };
}

function isKill(death: CrashCase['death']): death is Death {
  return death === 'crash' || death === 'powerLoss';
}

function planOf({ seed }: CrashCase, random: Random): SimulationPlan {
  return {
    seed,
    faultsForMs: FAULTS_MS,
    healedForMs: HEALED_MS,
    // Not a life without faults: alarms are due. The deaths come from here, not from the catalogue.
    faults: { F50: NEVER_PER_MINUTE },
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

/** Some steps need something to go wrong first. */
function disturb(world: OpenWorld, step: StepId, random: Random): void {
  if (LOSSY.has(step)) {
    world.network.onRequest(({ method }) => {
      if (method !== 'POST' || world.bot.life.state !== 'running' || !random.chance(LOST_SHARE))
        return undefined;
      return random.chance(0.5) ? { kind: 'loseAnswer' } : { kind: 'cutRequest', byte: 20 };
    });
  }
  if (CUTTING.has(step)) {
    const timer = world.clock.every(CUT_EVERY_MS, () => {
      if (world.isHealed) timer.cancel();
      else world.network.cutSockets('cut by the case');
    });
  }
}

/** Lets the n-th commit fail once strategies quote, and mends the disk a little later. */
function failCommit(
  world: OpenWorld,
  { death, seed }: CrashCase & { readonly death: FailedCommit },
  onFailure: () => void,
): void {
  let isArranged = false;
  world.watch((sight) => {
    if (isArranged || sight.kind !== 'life' || sight.what !== 'ready') return;
    isArranged = true;
    world.disk.failFrom(seed, death === 'diskFull' ? 'ENOSPC: database or disk is full' : FSYNC_FAILED);
  });
  world.watch((sight) => {
    if (sight.kind !== 'life' || sight.what !== 'stopping' || sight.life > 1 || world.isHealed) return;
    onFailure();
    world.clock.after(MENDED_AFTER_MS, () => world.disk.heal());
  });
}

/** Puts the deaths of a case on its way. */
function arrange(
  world: OpenWorld,
  { step, death, seed }: CrashCase & { readonly death: Death },
  { random, onDeath }: { readonly random: Random; readonly onDeath: () => void },
): void {
  const die = (): void => {
    if (world.bot.life.state === 'over') return;
    onDeath();
    world.bot.kill(death);
  };
  const isRecovery = step === 'J28';
  const again = isRecovery || random.chance(AGAIN_SHARE) ? random.integer(1, DEATHS_IN_RECOVERY_MAX) : 0;
  const dieAgain = (left: number, phase: RecoveryPhase): void => {
    if (left === 0) return;
    onRecovery(world, phase, () => {
      die();
      dieAgain(left - 1, phaseOf(random.integer(0, RECOVERY_PHASES.length - 1)));
    });
  };
  // Each phase in its turn, so that a few seeds have them all.
  const firstPhase = phaseOf((isRecovery ? seed : random.integer(0, RECOVERY_PHASES.length - 1)) - 1);
  const { id, frequency } = isRecovery
    ? anyStep(random)
    : must(
        STEPS.find((one) => one.id === step),
        step,
      );
  const withdraw = onStep(world, id, random.integer(1, NTH_MAX[frequency]), () => {
    die();
    dieAgain(again, firstPhase);
  });
  world.clock.after(WITHIN_MS, withdraw);
}

/** Where the death falls that a killed recovery follows upon. */
function anyStep(random: Random): Step {
  const often = STEPS.filter(({ id, frequency }) => frequency === 'often' && id !== 'J28');
  return must(often[random.integer(0, often.length - 1)], 'a step');
}

function phaseOf(n: number): RecoveryPhase {
  const count = RECOVERY_PHASES.length;
  return must(RECOVERY_PHASES[((n % count) + count) % count], 'a phase');
}
