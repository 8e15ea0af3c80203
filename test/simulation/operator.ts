/**
 * @module
 * The person behind the bot. Some of what can happen to an account asks for one: strangers that trade on it, a position
 * that no fill explains, a loss. The bot halts then and waits; the person looks, lets it trade by a word, since a halt is
 * kept over a restart, and starts it again where it was no loss. A halt that none of this has led to is left alone: the bot
 * should have come right on its own, and the oracles will say so.
 */

import type { TradingScope } from '../../src/bot/risk/index.ts';
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
      look(world, halts);
      return;
    }
    if (isComing) return;
    isComing = true;
    world.clock.after(random.exponential(COMES_MS_MEAN), () => {
      isComing = false;
      if (isHalted()) look(world, halts);
    });
  });
}

/** What the person does: trading goes on after a loss, whatever else held it is looked at by starting again. */
function look(world: OpenWorld, halts: Halts): void {
  const { areLosses } = halts;
  for (const scope of halts.scopes()) world.bot.letTrade(scope);
  if (!areLosses) world.bot.terminate();
}

/** What holds trading back in the present life, as its audit tells. */
class Halts {
  /** Control and scope, by their text. */
  readonly #held = new Map<string, { readonly control: unknown; readonly scope: TradingScope }>();

  get isAny(): boolean {
    return this.#held.size > 0;
  }

  /** M12 waits for a person whatever has kept the bot away from the exchange, twice. */
  get isByFirings(): boolean {
    return [...this.#held.values()].some(({ control }) => control === 'M12');
  }

  /** Nothing but losses (M4) holds trading back. */
  get areLosses(): boolean {
    return [...this.#held.values()].every(({ control }) => control === 'M4');
  }

  scopes(): readonly TradingScope[] {
    return Array.from(this.#held.values(), ({ scope }) => scope);
  }

  note(sight: Sight): void {
    if (sight.kind === 'life' && sight.what === 'started') this.#held.clear();
    if (sight.kind !== 'audit' || sight.event.type !== 'TradingStateChanged') return;
    const { control, scope, state } = sight.event.fields;
    const isFree = state === 'active' || state === 'throttled';
    // A person's word has no control, and ends what controls began.
    for (const [holder, held] of this.#held)
      if (
        isFree &&
        formatJson(held.scope) === formatJson(scope) &&
        (control ?? held.control) === held.control
      )
        this.#held.delete(holder);
    if (!isFree) this.#held.set(formatJson([control, scope]), { control, scope: scope as TradingScope });
  }
}
