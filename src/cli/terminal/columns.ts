/** @module Rows of cells as lines of a terminal, each column as wide as its widest cell. */
import { labeledText } from '../../core/index.ts';

/** Columns of a terminal that tables are made for. */
const WIDTH = 80;
/** A last cell with less room than this stands in lines of its own. */
const LAST_MIN = 24;
/** Where those lines begin. */
const BELOW = 4;

/**
 * Two spaces stand between columns. The last cell of a row is wrapped below itself, so that no line is longer than 80
 * columns unless a word is, or the cells before the last one are.
 *
 * @example columns([['a', 'price'], ['bb', '1.5']])
 */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) => lineOf(row, widths)).join('\n');
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  const before = row
    .slice(0, -1)
    .map((cell, at) => `${cell.padEnd(widths[at] ?? 0)}  `)
    .join('');
  const last = row.at(-1) ?? '';
  if (before.length + last.length <= WIDTH) return `${before}${last}`.trimEnd();
  if (WIDTH - before.length >= LAST_MIN) return labeledText(before, last, before.length);
  return `${before.trimEnd()}\n${labeledText('', last, BELOW)}`;
}
