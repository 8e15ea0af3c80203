/**
 * @module
 * The end of the bot's process at any instant, and its ends while it starts again (faults F50, F51, F60). Who
 * supervises it starts it again.
 */
import { must, type Random } from '../../../src/core/index.ts';
import { logUniform, pickOne } from '../network/strikes.ts';
import { onRecovery, onStep, RECOVERY_PHASES, type RecoveryPhase, STEPS } from '../steps.ts';
import type { Fault, World } from '../types.ts';

/** Which occurrence of a step is waited for, at most. */
const NTH_MAX = { often: 12, seldom: 3, rare: 1 } as const;
const KILLS_IN_RECOVERY_MAX = 5;
const AGAIN_MS = { min: 1, max: 20_000 } as const;

function kill(world: World, draw: Random): boolean {
  if (world.bot.life.state === 'over') return false;
  world.bot.kill(draw.chance(0.5) ? 'powerLoss' : 'crash');
  return true;
}

/** Dies in `phase` of the next start, and so on while `times` lasts. */
function dieInRecovery(world: World, draw: Random, times: number): () => void {
  let withdraw: () => void = () => undefined;
  const wait = (left: number): void => {
    const phase: RecoveryPhase = must(
      RECOVERY_PHASES[draw.integer(0, RECOVERY_PHASES.length - 1)],
      'a phase',
    );
    withdraw = onRecovery(world, phase, () => {
      if (kill(world, draw)) world.hit('F51');
      if (left > 1) wait(left - 1);
    });
  };
  wait(times);
  return () => withdraw();
}

/** How the process ends. */
export const FAULTS: readonly Fault[] = [
  {
    id: 'F50',
    what: 'killed at a step of its work, or at any instant',
    perMinute: 0.5,
    strike: (world, draw) => {
      if (draw.chance(0.3)) {
        if (kill(world, draw)) world.hit('F50');
        return undefined;
      }
      const step = must(STEPS[draw.integer(0, STEPS.length - 2)], 'a step of a running life');
      return onStep(world, step.id, draw.integer(1, NTH_MAX[step.frequency]), () => {
        if (kill(world, draw)) world.hit('F50');
      });
    },
  },
  {
    id: 'F51',
    what: 'killed again and again while it starts',
    perMinute: 0.3,
    strike: (world, draw) => {
      kill(world, draw);
      const withdraw = dieInRecovery(world, draw, draw.integer(1, KILLS_IN_RECOVERY_MAX));
      // Longer than the deaths take: a start that skips the phase is not waited for any more.
      world.clock.after(60_000, withdraw);
      return undefined;
    },
  },
  {
    id: 'F60',
    what: 'told to end, once or twice',
    perMinute: 0.3,
    strike: (world, draw) => {
      const { number } = world.bot.life;
      if (world.bot.life.state === 'over') return undefined;
      world.bot.terminate();
      world.hit('F60');
      if (pickOne(draw, [true, false])) {
        world.clock.after(logUniform(draw, AGAIN_MS.min, AGAIN_MS.max), () => {
          if (world.bot.life.number === number) world.bot.terminate();
        });
      }
      return undefined;
    },
  },
];
