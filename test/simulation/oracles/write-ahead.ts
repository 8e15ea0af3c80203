/** @module I8: every write that leaves the bot has an earlier durable record with exactly its bytes. */
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: ['I8'], begin }];

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  return {
    onSight: (sight) => {
      scene.see(sight);
      const sent = scene.writes.sentBy(sight);
      if (sent?.write === undefined) return;
      const { row, isDurable, scope, nonce, life } = sent.write;
      const what = `nonce ${nonce} of ${scope}`;
      if (row === undefined) world.violate('I8', `${what} left and these bytes were never recorded`);
      else if (!isDurable) world.violate('I8', `${what} left before its record was durable`);
      else if (sight.kind === 'request' && sight.life !== life)
        world.violate('I8', `${what} left life ${sight.life}, life ${life} recorded it`);
    },
  };
}
