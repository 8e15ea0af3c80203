/**
 * @module
 * I31: once the exchange has told the truth for 60 s a healthy bot quotes, or stands still by a name that only a person can
 * clear. Looked at from the healing to the stop, not once.
 */
import type { Oracle, OracleChecks, OracleWorld, Sight } from '../types.ts';
import { type Scene, sceneOf } from './support/scene.ts';
import { isSwitchSpent } from './support/spent-switch.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I31'], begin }];

const WITHIN_MS = 60_000;
/** Controls that hold something until a person resumes it, or until the market or the position is another. */
const OF_A_PERSON: ReadonlySet<string> = new Set(['M1', 'M2', 'M4', 'M7', 'M9', 'M10', 'M12', 'M13']);

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  /** Controls that hold something, and lanes that are halted: what a person clears. */
  const held = new Set<string>();
  let quotedAtMs = Number.NEGATIVE_INFINITY;
  let stopping = 0;
  let isTold = false;
  return {
    onSight: (sight) => {
      scene.see(sight);
      if (sight.kind === 'life' && sight.what === 'stopping') stopping = sight.life;
      if (sight.kind === 'life' && sight.what === 'started') held.clear();
      note(sight, held);
    },
    onBlock: () => {
      const { roomSinceMs, life, nowMs } = scene;
      if (isTold || roomSinceMs === undefined || life === undefined || life.overAtMs !== undefined) return;
      if (life.number === stopping || world.isPaused()) return;
      if (scene.restingOrders().length > 0 || isHeld(scene, held)) {
        quotedAtMs = nowMs;
        return;
      }
      const silentMs = nowMs - Math.max(roomSinceMs, quotedAtMs);
      if (silentMs <= WITHIN_MS) return;
      isTold = true;
      const view = world.view();
      const stand =
        view === undefined ? 'nothing is known of it' : `it is ${view.state}, the account ${view.account}`;
      world.violate(
        'I31',
        `no order of the bot rests for ${Math.round(silentMs)} ms of truth, and no name says why: ${stand}`,
      );
    },
  };
}

function note(sight: Sight, held: Set<string>): void {
  if (sight.kind === 'log' && sight.message === 'lane halted') held.add(String(sight.fields['code']));
  if (sight.kind !== 'audit' || sight.event.type !== 'TradingStateChanged') return;
  const { control, state } = sight.event.fields;
  const name = String(control);
  if (state === 'active') held.delete(name);
  else if (OF_A_PERSON.has(name)) held.add(name);
}

function isHeld(scene: Scene, held: ReadonlySet<string>): boolean {
  return held.size > 0 || isSwitchSpent(scene.world);
}
