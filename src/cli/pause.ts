/** @module `ballast pause`: takes the quotes of a run, a market or a strategy away, until it is resumed. */
import type { Argv } from 'yargs';
import { actionCommand } from './terminal/operate.ts';

/** Adds `pause` to the command line. */
export function pauseCommand(cli: Argv): Argv {
  return actionCommand(cli, 'pause', 'Pull all quotes; nothing is placed until it is resumed');
}
