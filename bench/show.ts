/** @module The tables a person reads, on stderr: stdout belongs to the document. */
import type { Row } from './measure.ts';

/** Prints a table under its title. */
export function showTable(title: string, rows: readonly Row[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  );
  process.stderr.write(`\n${title}\n${text.map((line) => `  ${line}\n`).join('')}`);
}

/** Prints a line. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
