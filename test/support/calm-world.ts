/**
 * @module
 * A bot in a simulated world without faults of its own accord: what goes wrong is the test's to say. It ends with the test.
 */
import { onTestFinished } from 'vitest';
import type { ConfigSource } from '../../src/config/index.ts';
import { planOf } from '../simulation/plan.ts';
import type { SimulationPlan } from '../simulation/types.ts';
import { type OpenWorld, openWorld } from '../simulation/world.ts';

/** A world and what tests ask of it. */
export interface CalmWorld {
  readonly world: OpenWorld;
  /** Lets up to `forMs` of virtual time pass, less when `holds` before. */
  pass(forMs: number, holds?: () => boolean): Promise<void>;
  /** Orders of the bot's account at the exchange. */
  open(): number;
}

const STEP_MS = 250;

/** Opens one; `plan`: what is special about it; `source`: its configuration. Its bot is not started. */
export async function aCalmWorld(
  plan: Partial<SimulationPlan> = {},
  source?: ConfigSource,
): Promise<CalmWorld> {
  const calm = { ambiguities: {}, config: 'calm', signatures: 'keyed' } as const;
  const world = await openWorld({ ...planOf(1, []), ...calm, ...plan }, source);
  onTestFinished(() => world.close());
  const { clock, exchange, account } = world;
  return {
    world,
    async pass(forMs, holds = () => false) {
      const untilMs = clock.monotonicMs() + forMs;
      while (!holds() && clock.monotonicMs() < untilMs) await clock.advanceAsync(STEP_MS);
    },
    open: () => exchange.control.venue.openOrders(account.accountId).length,
  };
}

/** Codes of the lanes that halt in `world`, in order, from now on. */
export function haltsIn(world: OpenWorld): readonly string[] {
  const halts: string[] = [];
  world.watch((sight) => {
    if (sight.kind === 'log' && sight.message === 'lane halted') halts.push(String(sight.fields['code']));
  });
  return halts;
}
