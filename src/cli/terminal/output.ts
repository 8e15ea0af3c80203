/**
 * @module
 * What a command writes: documents to standard output, everything else to standard error. A document is written whole
 * before the command goes on: the end of the process would cut what waits, and hide that it could not be written.
 */
import fs from 'node:fs';
import {
  BotError,
  formatJson,
  isFull,
  LossyOutput,
  messageOf,
  printable,
  SystemClock,
  secrets,
  stackOf,
  standardError,
  unwaiting,
  wrapLines,
} from '../../core/index.ts';

/** The one door of texts to a terminal: without secrets, and without characters that would steer it. */
export function forPeople(text: string): string {
  return printable(secrets.scrub(text));
}

/**
 * What looks like a private key on the command line is written nowhere. What `api` asks for has the hashes of requests in
 * its path and its query: they stay readable.
 */
export function addMisplacedKeys(words: readonly string[]): void {
  const isAsked = /^(?:\/|(?:--query=)?\w+=)/;
  for (const word of words) if (words[0] !== 'api' || !isAsked.test(word)) secrets.addMisplaced(word);
}

/** Writes `document` as one line of JSON to standard output: of a command that ends, its last line. As {@link writeLine}. */
export function writeDocument(document: unknown, waitMs?: number): boolean {
  return writeLine(formatJson(document), waitMs);
}

/** Between two tries to write to a pipe whose reader is slower. */
const FULL_PIPE_MS = 5;

/** A head and lines below it, indented; nothing if there are none. */
export function blockOf(head: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${head}:`, ...lines.map((line) => `  ${line}`)];
}

/**
 * Writes a line to standard output. A reader that left is no error: `ballast ... | head` is what people do. One that
 * reads nothing for `waitMs` is given up, and the line is not whole: false; without it, it is waited for.
 * @throws BotError `OUTPUT_UNWRITABLE` when it cannot be written whole.
 */
export function writeLine(text: string, waitMs = Number.POSITIVE_INFINITY): boolean {
  return writeWhole(forPeople(text), waitMs);
}

/** As {@link writeLine} with its secrets: for what a person has asked for by name, and nothing else. */
export function writeSecret(text: string): void {
  writeWhole(printable(text), Number.POSITIVE_INFINITY);
}

function writeWhole(text: string, waitMs: number): boolean {
  const clock = new SystemClock();
  let left: Uint8Array = Buffer.from(`${text}\n`);
  let readAtMs = clock.monotonicMs();
  while (left.length > 0) {
    try {
      left = left.subarray(fs.writeSync(unwaiting(1), left));
      readAtMs = clock.monotonicMs();
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
      if (code === 'EPIPE') return true;
      if (!isFull(cause)) throw unwritable(cause);
      if (clock.monotonicMs() - readAtMs > waitMs) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
    }
  }
  return true;
}

function unwritable(cause: unknown): BotError {
  return new BotError({
    code: 'OUTPUT_UNWRITABLE',
    message: `expected to write the result to standard output, got ${messageOf(cause)}`,
    remedy: 'Free some space, or send the output elsewhere; what was written is not whole.',
    cause,
  });
}

/** Standard output and error that cannot be written, or that nobody reads, end no command: {@link writeLine} sees to results. */
export function ignoreLostOutput(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}

/**
 * What code of others writes to standard output or error, as `console.log` of a strategy does, is no longer waited for:
 * a terminal that is stopped would stop the bot.
 */
export function neverWaitForOutput(): void {
  const result = new LossyOutput(unwaiting(1));
  for (const [stream, output] of [
    [process.stdout, result],
    [process.stderr, standardError()],
  ] as const)
    stream.write = (text: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
      output.write(typeof text === 'string' ? text : Buffer.from(text).toString());
      const done = rest.find((one): one is () => void => typeof one === 'function');
      if (done !== undefined) process.nextTick(done);
      return true;
    };
}

/** The terminal of standard error, where progress and status go. */
export function errorTerminal() {
  return {
    isTerminal: process.stderr.isTTY === true,
    /** Columns; 120 where there is no terminal. */
    columns: () => process.stderr.columns || 120,
    /** Text of the moment: left out while the reader is behind. */
    write: (text: string) => {
      const output = standardError();
      if (!output.isBehind) output.write(text);
    },
  };
}

/** Writes a line for people to standard error. */
export function writeNote(text: string): void {
  standardError().write(`${forPeople(text)}\n`);
}

/** Writes what went wrong; on a terminal no line is longer than it, unless a word is. Programs get their lines whole. */
export function writeProblem(text: string): void {
  const { isTTY, columns } = process.stderr;
  writeNote(isTTY === true && columns > 0 ? wrapLines(text, columns) : text);
}

/** Says which files of a recorded run are going to run. */
export function showCode(files: readonly string[]): void {
  for (const file of files) writeNote(`runs the code of ${file}`);
}

/** Writes an error for people to standard error: what happened, the facts, the remedy; a bug comes with its stack. */
export function writeError(thrown: unknown): void {
  if (thrown instanceof BotError) {
    writeProblem(`ballast: ${thrown.describe()}`);
    return;
  }
  writeNote(`ballast: unexpected error\n${stackOf(thrown) ?? messageOf(thrown)}`);
}
