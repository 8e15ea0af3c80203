/**
 * @module
 * What a command writes: documents to standard output, everything else to standard error.
 */
import { BotError, formatJson } from '../../core/index.ts';

/** Writes `document` as one line of JSON to standard output: of a command that ends, its last line. */
export function writeDocument(document: unknown): void {
  process.stdout.write(`${formatJson(document)}\n`);
}

/** Writes a line for people to standard output. */
export function writeLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The terminal of standard error, where progress and status go. */
export function errorTerminal() {
  return {
    isTerminal: process.stderr.isTTY === true,
    /** Columns; 120 where there is no terminal. */
    columns: () => process.stderr.columns || 120,
    write: (text: string) => void process.stderr.write(text),
  };
}

/** Writes an error for people to standard error: what happened, the facts, the remedy; a bug comes with its stack. */
export function writeError(thrown: unknown): void {
  if (thrown instanceof BotError) {
    process.stderr.write(`ballast: ${thrown.describe()}\n`);
    return;
  }
  process.stderr.write(
    `ballast: unexpected error\n${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`,
  );
}
