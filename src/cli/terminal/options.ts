/** @module Options that several commands share. */
import type { InferredOptionTypes, Options } from 'yargs';
import { durationFrom, parseInstantMs } from '../../core/index.ts';

/** Errors of the command line in the form of all others: what was expected, what was given. */
export const errorWords = {
  'Not enough non-option arguments: got %s, need at least %s': both('got %s arguments, expected at least %s'),
  'Unknown argument: %s': both('expected a known command or option, got %s'),
  'Not enough arguments following: %s': 'expected a value after --%s, got none',
  'Invalid values:': 'expected another value:',
  'Implications failed:': 'expected another option beside the one that was given:',
  'Argument: %s, Given: %s, Choices: %s': '--%s: got %s, expected one of %s',
};

/** A message that is the same for one and for several. */
function both(text: string): string {
  // yargs takes the two forms as an object here; its types know plain text only.
  return { one: text, other: text } as unknown as string;
}

/** A duration on the command line, ms: `20s`, `500ms`, `2m`, `1h`. */
export function duration(name: string): (text: string) => number {
  const { expected, read } = durationFrom();
  return (text) => {
    const ms = read(text);
    if (ms === undefined) throw new Error(`--${name}: expected ${expected}, got "${text}"`);
    return ms;
  };
}

/** An instant on the command line: `2026-01-06T08:00:00Z`, Unix ms in the result. */
export function instant(name: string): (text: string) => number {
  return (text) => {
    const atMs = parseInstantMs(text);
    if (atMs !== undefined && atMs >= 0) return atMs;
    throw new Error(`--${name}: expected a time like 2026-01-06T08:00:00Z that exists, got "${text}"`);
  };
}

/** An integer on the command line. */
export function whole(name: string, max: number, min = 0): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[0-9]+$/.test(text) || value < min || value > max)
      throw new Error(`--${name}: expected an integer from ${min} to ${max}, got "${text}"`);
    return value;
  };
}

/** `--speed`: a multiple of the recorded speed, or `max`. */
function speed(text: string): number | 'max' {
  if (text === 'max') return 'max';
  const value = Number(text);
  if (!/^[0-9]{1,6}(?:\.[0-9]{1,3})?$/.test(text) || value <= 0)
    throw new Error(`--speed: expected a number above 0, such as 200, or max, got "${text}"`);
  return value;
}

/** The values of a table of options, as a command gets them. */
export type Given<Shape extends Readonly<Record<string, Options>>> = InferredOptionTypes<Shape>;

/** A word of a command that must be there. */
export function position(describe: string) {
  return { type: 'string', demandOption: true, describe } as const;
}

/** The last words of a command, at least one. */
export function positions(describe: string) {
  return { ...position(describe), array: true } as const;
}

/** An option with a value. */
export function textOption(describe: string) {
  return { type: 'string', requiresArg: true, describe } as const;
}

/** An option with a URL of a scheme or its encrypted form, without a trailing slash: of a gateway, a proxy, a Redis. */
export function urlOption(name: string, describe: string, scheme: 'http' | 'redis' = 'http') {
  const coerce = (text: string): string => {
    const protocol = URL.parse(text)?.protocol;
    if (protocol === `${scheme}:` || protocol === `${scheme}s:`) return text.replace(/\/+$/, '');
    // A URL may hold a password.
    const shown = text.replace(/\/\/.*@/, '//...@');
    throw new Error(`--${name}: expected a URL like ${scheme}://host:port, got "${shown}"`);
  };
  return { ...textOption(describe), coerce } as const;
}

/** An option with a value that must be there. */
export function neededOption(describe: string) {
  return { ...textOption(describe), demandOption: true } as const;
}

/** An option with a value that may be given several times. */
export function listOption(describe: string) {
  return { ...textOption(describe), array: true } as const;
}

/** An option without a value: off unless it is given. */
export function flagOption(describe: string) {
  return { type: 'boolean', describe } as const;
}

/** `<config>`. */
export const configPosition = position('Configuration file (YAML)');
/** `<run>`: what a run has recorded. */
export const runPosition = position('Folder of the run, or its name, id or latest');
/** `--tape` of a command whose configuration may name the tape. */
export const studyTapeOption = textOption('Use this tape instead of that of the configuration');
/** `--duration`. */
export const durationOption = {
  ...textOption('Stop after this duration, such as 20s or 5m'),
  coerce: duration('duration'),
} as const;
/** `--run-code`. */
export const runCodeOption = flagOption('Run the strategy files that the run names, if unchanged');
/** `--json`. */
export const jsonOption = flagOption('Print the result as one line of JSON');
/** `--html`. */
export const htmlOption = textOption('Write the HTML report to this file (self-contained)');
/** `--out` of a command that makes the record of a run. */
export const outOption = textOption('Save the run record to this folder');
/** `--calibration` of a command that matches orders by a model. */
export const calibrationOption = textOption('Use the models of this calibrate file; adds a band');
/** `--seed`. */
export const seedOption = {
  ...textOption('Set the random seed of the embedded exchange'),
  coerce: whole('seed', 4_294_967_295),
} as const;
/** `--tape` of a command that starts an embedded exchange. */
export const tapeOption = textOption('Drive the embedded exchange with this tape');
/** `--symbol` beside {@link tapeOption}. */
export const symbolOption = {
  ...textOption('Use this market, if the tape has several'),
  implies: 'tape',
};
/** `--speed` of a command that trades over a tape. */
export function speedOption(otherwise: string) {
  return {
    ...textOption('Set the replay speed: 1 (real time), 200, or max'),
    default: otherwise,
    coerce: speed,
  } as const;
}
/** `--logs`. */
export const logsOption = flagOption('Print the log lines of the strategies too');
/** `--freeze-views`. */
export const freezeViewsOption = flagOption('Freeze views: a line that writes to one throws');
/** `--set`. */
export const setOption = listOption('Change a parameter: strategy.parameter=value (repeatable)');
/** `--workers` of a command that runs many backtests. */
export const workersOption = {
  ...textOption('Use this many threads (default: one per core)'),
  coerce: whole('workers', 1024, 1),
} as const;
/** `--verbose`. */
export const verboseOption = flagOption('Log every step');

/** What a person has to say for some runs; the doctor is told the same. */
export const SAID_OPTIONS = {
  production: flagOption('Required to run against production'),
  'accept-difference': flagOption("Take a position that no strategy owns as nobody's"),
} as const;

/** What was said. */
export function saidBy(args: Given<typeof SAID_OPTIONS>) {
  return { production: args.production === true, acceptsDifference: args['accept-difference'] === true };
}
