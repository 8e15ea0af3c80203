/**
 * @module
 * I18: no state mixes epochs. The journal goes from epoch to epoch and never back, a write names an epoch that is or was
 * the exchange's, and cursors never regress inside one.
 */
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { rowOf } from './support/journal-text.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I18'], begin }];

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const left = new Set<string>();
  let epoch: string | undefined;
  let cursor: string | undefined;
  const enter = (next: string): void => {
    if (next === epoch) return;
    if (left.has(next)) world.violate('I18', `back in epoch ${next} after ${epoch}`);
    if (epoch !== undefined) left.add(epoch);
    epoch = next;
    cursor = undefined;
  };
  return {
    onSight: (sight) => {
      scene.see(sight);
      // Rows that a dead life did not see acknowledged may be written again by the next one, and so may lost ones.
      if (sight.kind === 'life' && sight.what === 'started') cursor = undefined;
      if (sight.kind === 'fault' && sight.what === 'begun' && (sight.id === 'F57' || sight.id === 'F58')) {
        left.clear();
        epoch = undefined;
      }
      if (sight.kind !== 'recorded') return;
      const row = rowOf(sight);
      if (row === undefined || row.type === 'outcome') return;
      const named = row.value.epoch;
      if (scene.truth.epoch(named) === undefined)
        world.violate('I18', `a ${row.type} of epoch ${named}, which the exchange never had`);
      if (row.type === 'write') return;
      enter(named);
      if (row.type !== 'effects') return;
      for (const { id } of row.value.fills) {
        const isBehind = cursor !== undefined && comparePlaces(id, cursor) <= 0;
        // What was withheld in silence is booked when it is found, behind the cursor.
        if (isBehind && !scene.withheld.has(id))
          world.violate('I18', `the cursor of fills went from ${cursor} back to ${id}`);
        if (!isBehind) cursor = id;
      }
    },
  };
}

/** `<seq>-<sub>-<idx>` as numbers (obligation O110). */
function comparePlaces(one: string, other: string): number {
  const [a, b] = [one.split('-').map(BigInt), other.split('-').map(BigInt)];
  for (let at = 0; at < 3; at++) {
    const difference = (a[at] ?? 0n) - (b[at] ?? 0n);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
  }
  return 0;
}
