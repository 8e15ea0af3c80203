/**
 * @module
 * Counts the conditions that runs must reach now and then (reachability). It breaks no invariant: it says
 * whether the others had anything to see.
 */
import type { Oracle, OracleChecks, OracleWorld } from '../types.ts';
import { sceneOf } from './support/scene.ts';
import { LaneConditions } from './support/sometimes-lanes.ts';
import { StreamConditions } from './support/sometimes-streams.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [{ ids: [], begin }];

function begin(world: OracleWorld): OracleChecks {
  const scene = sceneOf(world);
  const lanes = new LaneConditions(scene);
  const streams = new StreamConditions(scene);
  scene.onLog((applied, entry, own) => lanes.applied(applied, entry, own));
  return {
    onSight: (sight) => {
      scene.see(sight);
      lanes.see(sight);
      streams.see(sight);
    },
  };
}
