/** @module Columns as CSV: the first line names them, fields as {@link csvText} writes them. */
import { csvText, textOfCsv } from '../core/index.ts';

/** Rows as text. */
export function csvOf(head: readonly string[], rows: Iterable<readonly (string | number)[]>): string {
  const lines = [head.join(',')];
  for (const row of rows) lines.push(row.map(field).join(','));
  return `${lines.join('\n')}\n`;
}

function field(value: string | number): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value);
  return csvText(value);
}

/** The rows of a text, without the head; `undefined` when the head is another or a row has another length. */
export function rowsOfCsv(text: string, head: readonly string[]): (readonly string[])[] | undefined {
  const rows = text.includes('"')
    ? quotedRows(text)
    : text
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split(','));
  const [first, ...rest] = rows;
  if (first?.join(',') !== head.join(',')) return undefined;
  return rest.every((row) => row.length === head.length) ? rest : undefined;
}

function quotedRows(text: string): (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  // A field, quoted or not, and what ends it.
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\n|$)/g)) {
    if (end === '') break;
    row.push(quoted === undefined ? (bare ?? '') : textOfCsv(quoted.replaceAll('""', '"')));
    if (end !== '\n') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
