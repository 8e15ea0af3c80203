/** @module `ballast cancel-all`: cancels every open order of a run, a market or a strategy. */
import type { Argv } from 'yargs';
import { actionCommand, actOrGuardian } from './terminal/operate.ts';

/** Adds `cancel-all` to the command line. */
export function cancelAllCommand(cli: Argv): Argv {
  return actionCommand(cli, 'cancel-all', 'Cancel every open order; strategies may quote again', {
    act: actOrGuardian,
    hasGuardian: true,
  });
}
