/** @module `ballast flatten`: halts a run or a market, cancels everything there and closes the positions. */
import type { Argv } from 'yargs';
import { actionCommand, actOrGuardian } from './terminal/operate.ts';

/** Adds `flatten` to the command line. */
export function flattenCommand(cli: Argv): Argv {
  return actionCommand(cli, 'flatten', 'Halt, cancel all orders and close all positions', {
    act: actOrGuardian,
    hasStrategy: false,
  });
}
