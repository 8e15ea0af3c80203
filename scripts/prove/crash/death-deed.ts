/**
 * @module
 * Dies at the n-th occurrence of a step, and perhaps again and again while it starts (obligations F50, F51).
 */
import { must, type Random } from '../../../src/core/index.ts';
import {
  onRecovery,
  onStep,
  RECOVERY_PHASES,
  type RecoveryPhase,
  STEPS,
  type Step,
} from '../../../test/simulation/steps.ts';
import type { StepId } from '../../../test/simulation/types.ts';
import type { OpenWorld } from '../../../test/simulation/world.ts';
import type { Deed } from './deed.ts';

/** How a process dies: the machine goes on, or loses what was not acknowledged. */
export const DEATHS = ['crash', 'powerLoss'] as const;

/** See {@link DEATHS}. */
export type Death = (typeof DEATHS)[number];

/** Within this the step is expected; later there would be no time to start again. */
const WITHIN_MS = 40_000;
const NTH_MAX = { often: 8, seldom: 3, rare: 1 } as const;
const DEATHS_IN_RECOVERY_MAX = 5;
const AGAIN_SHARE = 0.3;
const LOST_SHARE = 0.45;
const CUT_EVERY_MS = 6_000;
/** Steps of the way out of an unknown outcome, and those that come with a new stream. */
const LOSSY: ReadonlySet<StepId> = new Set(['J16', 'J17', 'J18']);
const CUTTING: ReadonlySet<StepId> = new Set(['J9', 'J22']);

/** See the module. */
export class DeathDeed implements Deed {
  readonly violations: readonly string[] = [];
  deaths = 0;
  readonly #world: OpenWorld;
  readonly #step: StepId;
  readonly #death: Death;
  readonly #random: Random;

  /** `seed` picks the phase in which a start is killed, each in its turn, so that a few seeds have them all. */
  constructor(
    world: OpenWorld,
    { step, death, seed }: { readonly step: StepId; readonly death: Death; readonly seed: number },
    random: Random,
  ) {
    this.#world = world;
    this.#step = step;
    this.#death = death;
    this.#random = random;
    this.#disturb();
    const isRecovery = step === 'J28';
    const times = isRecovery || random.chance(AGAIN_SHARE) ? random.integer(1, DEATHS_IN_RECOVERY_MAX) : 0;
    const phase = isRecovery ? phaseOf(seed) : this.#anyPhase();
    const { id, frequency } = isRecovery
      ? anyStep(random)
      : must(
          STEPS.find((one) => one.id === step),
          step,
        );
    const withdraw = onStep(world, id, random.integer(1, NTH_MAX[frequency]), () => {
      this.#die();
      this.#dieAgain(times, phase);
    });
    world.clock.after(WITHIN_MS, withdraw);
  }

  get isReached(): boolean {
    return this.deaths > (this.#step === 'J28' ? 1 : 0);
  }

  #die(): void {
    if (this.#world.bot.life.state === 'over') return;
    this.deaths++;
    this.#world.bot.kill(this.#death);
  }

  #dieAgain(left: number, phase: RecoveryPhase): void {
    if (left === 0) return;
    onRecovery(this.#world, phase, () => {
      this.#die();
      this.#dieAgain(left - 1, this.#anyPhase());
    });
  }

  #anyPhase(): RecoveryPhase {
    return phaseOf(this.#random.integer(0, RECOVERY_PHASES.length - 1));
  }

  /** Some steps need something to go wrong first. */
  #disturb(): void {
    const { network, clock } = this.#world;
    if (LOSSY.has(this.#step)) {
      const chance = this.#random.fork('losses');
      network.onRequest(({ method }) => {
        if (method !== 'POST' || this.#world.bot.life.state !== 'running' || !chance.chance(LOST_SHARE))
          return undefined;
        return chance.chance(0.5) ? { kind: 'dropResponse' } : { kind: 'cutRequest', byte: 20 };
      });
    }
    if (CUTTING.has(this.#step)) {
      const timer = clock.every(CUT_EVERY_MS, () => {
        if (this.#world.isHealed) timer.cancel();
        else network.cutSockets('cut by the case');
      });
    }
  }
}

/** Where the death falls that a killed recovery follows upon. */
function anyStep(random: Random): Step {
  const often = STEPS.filter(({ id, frequency }) => frequency === 'often' && id !== 'J28');
  return must(often[random.integer(0, often.length - 1)], 'a step');
}

function phaseOf(n: number): RecoveryPhase {
  return must(RECOVERY_PHASES[n % RECOVERY_PHASES.length], 'a phase');
}
