/**
 * @module
 * Which code a recorded run may bring to run. The header of a log can be written by anybody: a module that it names runs
 * only where the person who replays asks for it, with the recorded hash, and from outside of the folder of the run.
 */
import { realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { type ConfigSource, parseConfig } from '../../config/index.ts';
import { BotError } from '../../core/index.ts';
import { filesOfStrategy, hashOfStrategy, INSTALLED_STRATEGIES, pinStrategy } from '../setup/index.ts';
import type { RunLogHeader } from './run-log-file.ts';

/** Whose code a run made again runs. */
export interface RunCode {
  /** Folder of the run. */
  readonly folder: string;
  /** In place of the configuration that the run kept: its code was asked for by naming it. */
  readonly config?: ConfigSource | undefined;
  /** True to run the files that the configuration of the run names; absent: only strategies of this installation. */
  readonly runsCode?: boolean | undefined;
  /** Called with those that are going to run, before the first one does. */
  readonly onCode?: ((files: readonly string[]) => void) | undefined;
}

/**
 * The configuration of a run whose code may run. @throws BotError `REPLAY_CODE_IN_RUN`, `REPLAY_CODE_CHANGED`,
 * `REPLAY_CODE_NOT_ASKED_FOR`, before any of it runs.
 */
export function sourceOfRun(
  header: RunLogHeader,
  { folder, config, runsCode, onCode }: RunCode,
): ConfigSource {
  const source = config ?? parseConfig(header.config.text, header.config.file);
  const { strategies } = source.config;
  const all = strategies.flatMap(({ module }) => filesOfStrategy(module));
  const inside = all.filter((file) => isBelow(file, folder));
  if (inside.length > 0)
    throw refused('REPLAY_CODE_IN_RUN', {
      message: `expected no code below the folder of the run, got ${inside.join(', ')}`,
      remedy:
        'A run is a record. Copy the code out of it, read it, and name it in a configuration with --config.',
    });
  if (config !== undefined) return source;
  const named = strategies.filter(({ module }) => !isInstalled(module));
  const changed = named.filter(
    ({ name, module }) => header.strategies.find(({ id }) => id === name)?.sha256 !== hashOfStrategy(module),
  );
  if (changed.length > 0)
    throw refused('REPLAY_CODE_CHANGED', {
      message: `expected the code that the run recorded, got other code in ${changed.map(({ module }) => module).join(', ')}`,
      remedy: 'To replay the run with the code of today, name its configuration with --config.',
    });
  const files = named.flatMap(({ module }) => filesOfStrategy(module));
  if (files.length > 0 && runsCode !== true)
    throw refused('REPLAY_CODE_NOT_ASKED_FOR', {
      message: `expected --run-code for the code that the run names, got none; it would run ${files.join(', ')}`,
      remedy:
        'Read these files. Add --run-code if you trust them; their hash is the one that the run recorded.',
    });
  if (files.length > 0) onCode?.(files);
  for (const { module } of named) pinStrategy(module);
  return source;
}

function refused(code: string, parts: { readonly message: string; readonly remedy: string }): BotError {
  return new BotError({ code, ...parts });
}

/** True of the strategies that came with this installation. */
function isInstalled(module: string): boolean {
  return isBelow(module, INSTALLED_STRATEGIES);
}

function isBelow(file: string, folder: string): boolean {
  return realPath(file).startsWith(join(realPath(folder), sep));
}

/** Without links; of what is not there the path as it is written. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
