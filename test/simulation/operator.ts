/**
 * @module
 * The person behind the bot. Some of what can happen to an account asks for one: strangers that trade on it, a position
 * that no fill explains, a loss. The bot halts then and waits; the person looks, and starts it again. A halt that none
 * of this has led to is left alone: the bot should have come right on its own, and the oracles will say so.
 */
import { formatJson, type Random } from '../../src/core/index.ts';
import type { FaultId, Sight } from './types.ts';
import type { OpenWorld } from './world.ts';

/** Faults after which a halt is right (denials.md M2 to M5, M10). */
const ASKING: readonly FaultId[] = ['F46', 'F47', 'F48', 'F69', 'F70'];
const LOOK_MS = 1_000;
/** How long the person takes to come. */
const COMES_MS_MEAN = 20_000;

/** Looks after the bot from now on. */
export function watchOver(world: OpenWorld, random: Random): void {
  const halts = new Halts();
  world.watch((sight) => halts.note(sight));
  let isComing = false;
  const isHalted = (): boolean => world.bot.life.state === 'running' && !world.bot.isPaused && halts.isAny;
  world.clock.every(LOOK_MS, () => {
    const isAsked = halts.isByFirings || ASKING.some((id) => world.hits[id] !== undefined);
    if (!isHalted() || !isAsked) return;
    if (world.isHealed) {
      // Once all is healed somebody is there, also where one was still on the way.
      world.bot.terminate();
      return;
    }
    if (isComing) return;
    isComing = true;
    world.clock.after(random.exponential(COMES_MS_MEAN), () => {
      isComing = false;
      if (isHalted()) world.bot.terminate();
    });
  });
}

/** What holds trading back in the present life, as its audit tells. */
class Halts {
  readonly #held = new Set<string>();

  get isAny(): boolean {
    return this.#held.size > 0;
  }

  /** M12 waits for a person whatever has kept the bot away from the exchange, twice. */
  get isByFirings(): boolean {
    return [...this.#held].some((holder) => holder.includes('"M12"'));
  }

  note(sight: Sight): void {
    if (sight.kind === 'life' && sight.what === 'started') this.#held.clear();
    if (sight.kind !== 'audit' || sight.event.type !== 'TradingStateChanged') return;
    const { control, scope, state } = sight.event.fields;
    const holder = formatJson([control, scope]);
    if (state === 'active' || state === 'throttled') this.#held.delete(holder);
    else this.#held.add(holder);
  }
}
