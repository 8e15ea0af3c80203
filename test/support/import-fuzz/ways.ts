/** @module Thirty ways and more in which files of recordings are mutilated on their way to people. */
import { gzipSync } from 'node:zlib';
import type { Random } from '../../../src/core/index.ts';
import type { SampleFile } from './sample.ts';

/** A file as it is written: its text or bytes. */
export type Content = string | Uint8Array;

/** Makes of a file another one; `undefined`: this way does not apply to it. */
export type Way = (file: SampleFile, random: Random) => Content | SampleFile | undefined;

/** A file as plain text. */
export function textOf({ header, rows }: SampleFile, separator = ',', end = '\n'): string {
  const lines = [...(header === undefined ? [] : [header]), ...rows].map((cells) => cells.join(separator));
  return lines.map((line) => line + end).join('');
}

function isJson({ name, header }: SampleFile): boolean {
  return header === undefined && !name.includes('.csv');
}

const withRows = (file: SampleFile, rows: SampleFile['rows']): SampleFile => ({ ...file, rows });

/** The file with another text in the cells of `columns`. */
function withCells(
  file: SampleFile,
  columns: readonly number[],
  change: (cell: string, row: number) => string,
): SampleFile {
  return withRows(
    file,
    file.rows.map((cells, row) => cells.map((cell, at) => (columns.includes(at) ? change(cell, row) : cell))),
  );
}

/** The file with other exchange times, as text of digits. */
function withTimes(file: SampleFile, change: (time: string, row: number) => string): SampleFile {
  if (!isJson(file)) return withCells(file, file.times, change);
  return withCells(file, [0], (line, row) =>
    line.replaceAll(/(?<=[":])1[0-9]{12}(?=[,}])/g, (time) => change(time, row)),
  );
}

function withIds(file: SampleFile, change: (id: string, row: number) => string): SampleFile | undefined {
  if (file.ids !== undefined) return withCells(file, [file.ids], change);
  if (!isJson(file) || !textOf(file).includes('"t":')) return undefined;
  return withCells(file, [0], (line, row) => line.replace(/(?<="t":)[0-9]+/, (id) => change(id, row)));
}

/** Digits three places to the left; a fraction goes with them. */
function timesThousand(time: string): string {
  const [whole = '', fraction = ''] = time.split('.');
  const rest = fraction.slice(3);
  return whole + fraction.slice(0, 3).padEnd(3, '0') + (rest === '' ? '' : `.${rest}`);
}

function byThousand(time: string): string {
  return time.split('.')[0]?.slice(0, -3) ?? '';
}

function received(file: SampleFile, change: (time: string) => string): SampleFile | undefined {
  if (file.received !== undefined) return withCells(file, [file.received], change);
  if (!isJson(file) || !textOf(file).includes('"stream"')) return undefined;
  return withCells(file, [0], (line) => line.replace(/^[0-9]+/, change));
}

/** A time of any unit, seconds earlier. */
function earlier(time: string, seconds: number): string {
  if (time.includes('.') || time.length === 10) return `${(Number(time) * 1_000 - seconds * 1_000) / 1_000}`;
  return String(BigInt(time) - BigInt(seconds) * 10n ** BigInt(time.length - 10));
}

const csvOnly =
  (way: Way): Way =>
  (file, random) =>
    isJson(file) ? undefined : way(file, random);
const headed =
  (way: Way): Way =>
  (file, random) =>
    file.header === undefined ? undefined : way(file, random);

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => [random.next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Rows `from` to `to` moved to the end. */
function moved(file: SampleFile, from: number, to: number): SampleFile {
  const { rows } = file;
  return withRows(file, [...rows.slice(0, from), ...rows.slice(to), ...rows.slice(from, to)]);
}

/** By name. */
export const WAYS: Readonly<Record<string, Way>> = {
  'byte order mark': (file) => `\ufeff${textOf(file)}`,
  'carriage returns and line feeds': (file) => textOf(file, ',', '\r\n'),
  'carriage returns alone': (file) => textOf(file, ',', '\r'),
  'empty lines': (file) => textOf(file, ',', '\n\n'),
  'an empty first line': (file) => `\n${textOf(file)}`,
  'no line feed at the end': (file) => textOf(file).slice(0, -1),
  'rows of empty cells at the end': csvOnly(
    (file) => `${textOf(file)}${','.repeat((file.rows[0]?.length ?? 1) - 1)}\n`,
  ),
  'blanks around cells': csvOnly((file) => textOf(file, ' , ')),
  'quoted cells': csvOnly((file) =>
    textOf({
      ...file,
      header: file.header?.map((cell) => `"${cell}"`),
      rows: file.rows.map((cells) => cells.map((cell) => `"${cell}"`)),
    }),
  ),
  semicolons: headed((file) => textOf(file, ';')),
  tabs: headed((file) => textOf(file, '\t')),
  'gzip without its name': (file) => gzipSync(textOf(file)),
  'UTF-16': (file) => Buffer.from(`\ufeff${textOf(file)}`, 'utf16le'),
  'zero bytes at the end': (file) => `${textOf(file)}${'\0'.repeat(64)}`,
  'the header again in the middle': headed((file) => {
    const half = Math.floor(file.rows.length / 2);
    return withRows(file, [...file.rows.slice(0, half), file.header ?? [], ...file.rows.slice(half)]);
  }),
  'a column more': headed((file) => ({
    ...file,
    header: [...(file.header ?? []), 'note'],
    rows: file.rows.map((cells) => [...cells, 'x']),
  })),
  'a column less': headed((file, random) => {
    const gone = random.integer(0, (file.header?.length ?? 1) - 1);
    const without = (cells: readonly string[]) => cells.filter((_, at) => at !== gone);
    return { ...file, header: without(file.header ?? []), rows: file.rows.map(without) };
  }),
  'two columns exchanged': headed((file, random) => {
    const [a, b] = [0, random.integer(1, (file.header?.length ?? 2) - 1)];
    const exchanged = (cells: readonly string[]) =>
      cells.map((cell, at) => (at === a ? (cells[b] ?? '') : at === b ? (cells[a] ?? '') : cell));
    return { ...file, header: exchanged(file.header ?? []), rows: file.rows.map(exchanged) };
  }),
  'cut within the last row': (file) => {
    const text = textOf(file);
    return text.slice(0, Math.max(text.lastIndexOf(','), text.lastIndexOf(':')) - 1);
  },
  'newest first': (file) => withRows(file, file.rows.toReversed()),
  'shuffled rows': (file, random) => withRows(file, shuffled(file.rows, random)),
  'halves exchanged': (file) => moved(file, 0, Math.floor(file.rows.length / 2)),
  'neighbors exchanged': (file, random) => {
    const at = random.integer(1, file.rows.length - 3);
    const rows = [...file.rows];
    [rows[at], rows[at + 1]] = [rows[at + 1] ?? [], rows[at] ?? []];
    return withRows(file, rows);
  },
  'rows that come late': (file, random) => {
    const from = random.integer(1, file.rows.length - 30);
    return moved(file, from, from + random.integer(1, 4));
  },
  'each row twice': (file) =>
    withRows(
      file,
      file.rows.flatMap((cells) => [cells, cells]),
    ),
  'one row twice': (file, random) => {
    const at = random.integer(0, file.rows.length - 1);
    return withRows(file, [...file.rows.slice(0, at + 1), ...file.rows.slice(at)]);
  },
  'the last third again': (file) =>
    withRows(file, [...file.rows, ...file.rows.slice(Math.floor((file.rows.length * 2) / 3))]),
  'times of a finer unit': (file) => withTimes(file, timesThousand),
  'times of a coarser unit': (file) => withTimes(file, byThousand),
  'half of the times of a finer unit': (file) =>
    withTimes(file, (time, row) => (row > file.rows.length / 2 ? timesThousand(time) : time)),
  'a time of zero': (file, random) => {
    const at = random.integer(0, file.rows.length - 1);
    return withTimes(file, (time, row) => (row === at ? '0' : time));
  },
  'a time of a far year': (file, random) => {
    const at = random.integer(0, file.rows.length - 1);
    return withTimes(file, (time, row) => (row === at ? time.replace(/^./, '4') : time));
  },
  'receive times of a finer unit': (file) => received(file, timesThousand),
  'receive times of a coarser unit': (file) => received(file, byThousand),
  'a recorder whose clock is behind': (file) => received(file, (time) => earlier(time, 2)),
  'no ids': (file) => withIds(file, () => (isJson(file) ? '0' : '')),
  'ids of zero': (file) => withIds(file, () => '0'),
  'words for no id': (file, random) =>
    isJson(file)
      ? undefined
      : withIds(file, () => ['null', 'NaN', 'None', '-', 'n/a', 'undefined'][random.integer(0, 5)] ?? ''),
  'one id for all': (file) => withIds(file, () => '77'),
  'ids that start again': (file) => withIds(file, (_id, row) => String((row % 20) + 1)),
  'a gap of a minute': (file) => {
    const from = Math.floor(file.rows.length / 5);
    return withRows(file, [...file.rows.slice(0, from), ...file.rows.slice(file.rows.length - from)]);
  },
  'each row a snapshot': (file) => {
    const at = file.header?.findIndex((name) => name === 'snap' || name === 'is_snapshot') ?? -1;
    return at < 0 ? undefined : withCells(file, [at], () => 'true');
  },
  'no snapshot at the beginning': (file) => {
    const at = file.header?.findIndex((name) => name === 'snap' || name === 'is_snapshot') ?? -1;
    const first = file.rows.findIndex((cells) => cells[at] === 'false');
    return at < 0 ? undefined : withRows(file, file.rows.slice(first));
  },
  'decimal commas': csvOnly((file) =>
    textOf(
      withRows(
        file,
        file.rows.map((cells) => cells.map((cell) => cell.replace('.', ','))),
      ),
      ';',
    ),
  ),
};
