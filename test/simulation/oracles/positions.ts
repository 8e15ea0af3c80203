/** @module I2: a position is the sum of all fills and adjustments, on both sides the same. */
import type { Oracle } from '../types.ts';
import { agreesAtLast, positionsDiffer } from './support/agreement.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [
  { ids: ['I2'], begin: (world) => agreesAtLast(sceneOf(world), 'I2', positionsDiffer) },
];
