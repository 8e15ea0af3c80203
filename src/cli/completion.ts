/** @module `ballast completion`: what a shell needs to complete commands and options, made from the table of commands. */
import type { Argv } from 'yargs';
import { run } from './terminal/command-process.ts';
import { completionScript, SHELLS } from './terminal/completion-script.ts';
import { EXIT } from './terminal/exit-codes.ts';
import { writeLine } from './terminal/output.ts';

/** Gives what adds `completion` to the command line, for these commands and itself. */
export function completionCommandOf(commands: readonly ((cli: Argv) => Argv)[]): (cli: Argv) => Argv {
  const add = (cli: Argv): Argv =>
    cli.command(
      'completion <shell>',
      'Print what a shell needs to complete commands',
      (one) => one.positional('shell', { choices: SHELLS, demandOption: true, describe: 'Which shell' }),
      ({ shell }) =>
        run(async () => {
          writeLine(completionScript(shell, [...commands, add]));
          return EXIT.ok;
        }),
    );
  return add;
}
