/** @module `ballast reduce`: lets a run, a market or a strategy only reduce, until it is resumed. */
import type { Argv } from 'yargs';
import { actionCommand } from './terminal/operate.ts';

/** Adds `reduce` to the command line. */
export function reduceCommand(cli: Argv): Argv {
  return actionCommand(cli, 'reduce', 'Let positions only become smaller until it is resumed');
}
