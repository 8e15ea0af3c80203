/** @module The work of a command: its configuration is checked first, and its end is the end of the process. */
import type { ConfigSource } from '../../config/index.ts';
import { exitCodeOf } from './exit-codes.ts';
import { writeError } from './output.ts';

/**
 * Runs a command's work, turns what it throws into a message and an exit code, and ends the process: a command is
 * over when its work is, whatever timer or socket a package keeps. Standard output is written synchronously.
 */
export async function run(work: () => Promise<number>): Promise<never> {
  try {
    process.exit(await work());
  } catch (thrown) {
    writeError(thrown);
    process.exit(exitCodeOf(thrown));
  }
}

/**
 * The configuration in `file` with the parameters that `--set` gave, checked before the modules that trade are loaded,
 * which takes longer than all else.
 */
export async function configured(file: string, set: readonly string[] = []): Promise<ConfigSource> {
  const { loadConfig, withParameters } = await import('../../config/index.ts');
  const source = loadConfig(file);
  return set.length === 0 ? source : withParameters(source, set);
}
