/** @module I4: when all is quiet the bot's open orders are the exchange's. */
import type { Oracle } from '../types.ts';
import { agreesAtLast, ordersDiffer } from './support/agreement.ts';
import { sceneOf } from './support/scene.ts';

/** The oracle of this file. */
export const ORACLES: readonly Oracle[] = [
  { ids: ['I4'], begin: (world) => agreesAtLast(sceneOf(world), 'I4', ordersDiffer) },
];
