/** @module The work of a command: its configuration is checked first, and its end is the end of the process. */
import type { ConfigSource } from '../../config/index.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { writeError } from './output.ts';

/** True once this process ends by a code of its own. */
let isEnding = false;

/** Ends the process: the launcher passes on the code of an end that it heard of, and no other. */
export function endProcess(code: number): never {
  isEnding = true;
  process.send?.({ ended: code });
  process.exit(code);
}

/**
 * Runs a command's work, turns what it throws into a message and an exit code, and ends the process: a command is
 * over when its work is, whatever timer or socket a package keeps. Standard output is written synchronously.
 */
export async function run(work: () => Promise<number>): Promise<never> {
  process.send?.({ begun: true });
  // `process.exit` of code of others, with whatever code.
  process.on('exit', () => {
    if (!isEnding) process.exitCode = EXIT.died;
  });
  try {
    return endProcess(await work());
  } catch (thrown) {
    writeError(thrown);
    return endProcess(exitCodeOf(thrown));
  }
}

/** Options that stand in for keys of a configuration. */
interface Overrides {
  readonly set?: readonly string[] | undefined;
  readonly 'freeze-views'?: boolean | undefined;
}

/**
 * The configuration in `file` with what options gave in place of its keys, checked before the modules that trade are loaded,
 * which takes longer than all else.
 */
export async function configured(file: string, given: Overrides = {}): Promise<ConfigSource> {
  const { set = [], 'freeze-views': freezeViews = false } = given;
  const { loadConfig, withFrozenViews, withParameters } = await import('../../config/index.ts');
  const loaded = loadConfig(file);
  const source = set.length === 0 ? loaded : withParameters(loaded, set);
  return freezeViews ? withFrozenViews(source) : source;
}
