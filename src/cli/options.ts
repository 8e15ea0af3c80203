/** @module Options that several commands share, and how a command's work becomes the end of the process. */
import { loadConfig, parseDurationMs } from '../config/index.ts';
import { exitCodeOf } from './exit-codes.ts';
import { writeError } from './output.ts';

/** A duration on the command line: `20s`, `500ms`, `2m`, `1h`. */
export function duration(text: string): number {
  return durationOf('for')(text);
}

/** A duration of the option `name`. */
export function durationOf(name: string): (text: string) => number {
  return (text) => {
    if (!/^[0-9]{1,9}(?:ms|s|m|h)$/.test(text))
      throw new Error(`--${name}: expected a duration like 20s or 5m, found "${text}"`);
    return parseDurationMs(text);
  };
}

/** An instant on the command line: `2026-01-06T08:00:00Z`, Unix ms from here on. */
export function instant(name: string): (text: string) => number {
  return (text) => {
    const atMs = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/.test(text)
      ? Date.parse(text)
      : Number.NaN;
    if (Number.isNaN(atMs))
      throw new Error(`--${name}: expected a time like 2026-01-06T08:00:00Z, found "${text}"`);
    return atMs;
  };
}

/** A whole number on the command line. */
export function whole(name: string, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[0-9]+$/.test(text) || value > max)
      throw new Error(`--${name}: expected a whole number from 0 to ${max}, found "${text}"`);
    return value;
  };
}

/** `--for`. */
export const forOption = {
  type: 'string',
  requiresArg: true,
  coerce: duration,
  describe: 'End by itself after this time (20s, 5m)',
} as const;
/** `--json`. */
export const jsonOption = {
  type: 'boolean',
  default: false,
  describe: 'Print the result as one line of JSON, the last of standard output',
} as const;
/** `--seed`. */
export const seedOption = {
  type: 'string',
  requiresArg: true,
  coerce: whole('seed', 4_294_967_295),
  describe: 'Seed of the embedded exchange',
} as const;
/** `--tape`. */
export const tapeOption = {
  type: 'string',
  requiresArg: true,
  describe: 'Folder of a recorded market that drives the embedded exchange',
} as const;
/** `--verbose`. */
export const verboseOption = { type: 'boolean', default: false, describe: 'Log every step' } as const;

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

/** `file`, held against its schema before the rooms that trade are loaded, which takes longer than all else. */
export function checked(file: string): string {
  loadConfig(file);
  return file;
}
