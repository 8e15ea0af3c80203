/**
 * @module
 * Python environments of the peers, in the user's cache: made with pip when they are not there. And processes whose last
 * line of output is a document.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { say } from '../show.ts';

const CACHE = join(homedir(), '.cache', 'ballast', 'bench-engines');
const INSTALL_MS_MAX = 600_000;
const RUN_MS_MAX = 300_000;

/** A place in the cache, what is installed there, and the modules that tell that it is. */
export interface Wanted {
  readonly folder: string;
  readonly packages: readonly string[];
  readonly modules: readonly string[];
  /** The first minor version of Python 3 that the packages take; absent: any. */
  readonly minor?: number;
}

/** The interpreter of an environment with the packages, made when it is not there; without it, why. */
export function environment({ folder, packages, modules, minor = 0 }: Wanted): {
  readonly path?: string;
  readonly reason?: string;
} {
  const place = join(CACHE, folder);
  const path = join(place, 'bin', 'python');
  if (existsSync(path) && spawnSync(path, ['-c', `import ${modules.join(', ')}`]).status === 0)
    return { path };
  const names = packages.join(', ');
  say(`bench:peers: installing ${names} into ${place}`);
  const python = pythonOf(minor);
  if (python === undefined)
    return { reason: `skipped: ${names} need Python 3.${minor} or later as python3 or python3.${minor}` };
  const made = spawnSync(python, ['-m', 'venv', '--clear', place], { encoding: 'utf8' });
  if (made.status !== 0)
    return { reason: `skipped: no Python environment (${made.error?.message ?? made.stderr})` };
  const install = ['-m', 'pip', 'install', '--quiet', ...packages];
  const { status, stderr } = spawnSync(path, install, { encoding: 'utf8', timeout: INSTALL_MS_MAX });
  if (status === 0) return { path };
  return { reason: `skipped: ${names} cannot be had (${stderr.trim().split('\n').at(-1) ?? ''})` };
}

/** An interpreter of Python 3 that is new enough. */
function pythonOf(minor: number): string | undefined {
  const isEnough = `import sys; sys.exit(sys.version_info < (3, ${minor}))`;
  return ['python3', `python3.${minor}`].find((name) => spawnSync(name, ['-c', isEnough]).status === 0);
}

/** Runs a command to its end. @throws Error with the end of its stderr when it fails. */
export function must(command: string, args: readonly string[]): string {
  const ended = spawnSync(command, args, { encoding: 'utf8', timeout: RUN_MS_MAX, maxBuffer: 1 << 28 });
  if (ended.status === 0) return ended.stdout;
  throw new Error(`${command} ${args.join(' ')} ended with ${ended.status}: ${ended.stderr.slice(-800)}`);
}

/** The document in the last line of what a command prints. */
export function told<T>(command: string, args: readonly string[]): T {
  return JSON.parse(must(command, args).trim().split('\n').at(-1) ?? '') as T;
}
