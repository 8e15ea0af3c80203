/**
 * @module
 * How any CSV becomes rows of a tape: which columns hold what, in which units and words. Read from a YAML file (format
 * `csv`, docs/guides/import-recordings.md) or fixed for a format whose files always look the same.
 */
import { basename } from 'node:path';
import { ConfigError, ProtocolError } from '../../core/index.ts';
import { readFirstRow } from './csv-table.ts';
import { malformed, type Place, quoted } from './location.ts';
import type { TimeUnit } from './times.ts';

/** What a row of a file is. */
const CSV_ROWS = ['trades', 'quotes', 'levels', 'books', 'candles'] as const;
/** One of {@link CSV_ROWS}. */
export type CsvRows = (typeof CSV_ROWS)[number];

/** The roles a column can have, by what the rows are; those with `?` may be left out. */
const CSV_ROLES: Readonly<Record<CsvRows, readonly string[]>> = {
  trades: ['price', 'size', 'side?', 'id?'],
  quotes: ['bidPrice', 'bidSize', 'askPrice', 'askSize'],
  levels: ['price', 'size', 'side', 'snapshot?'],
  books: ['bidPrice', 'bidSize', 'askPrice', 'askSize'],
  candles: ['open', 'high', 'low', 'close', 'volume?'],
};

/** A column that holds times. */
export interface CsvTime {
  /** Name of the column, or its number from 1 where the file has no header. */
  readonly column: string;
  /** Unit of the values. */
  readonly unit: TimeUnit;
}

/** How files of one kind are read. Columns are named by the header, or by their number from 1 without one. */
export interface CsvFileMapping {
  /** The names of such files; `*` matches any letters. */
  readonly name: string;
  /** Such names as a pattern whose group `symbol` is the market, of formats with fixed names. */
  readonly pattern?: RegExp | undefined;
  /** Kind of the rows. */
  readonly rows: CsvRows;
  /** Character between cells. */
  readonly separator: string;
  /** True if the first line names the columns. */
  readonly hasHeader: boolean;
  /** Columns of a file without a header; absent: as many as the first line has. */
  readonly cells?: number | undefined;
  /** The exchange's time. */
  readonly time: CsvTime;
  /** The recorder's time; absent: these rows have no receive time, the exchange's time is taken. */
  readonly received?: CsvTime | undefined;
  /** The column that names the market; absent: all rows are of one. */
  readonly symbol?: string | undefined;
  /** Columns by role, see CSV_ROLES; of `books`, `{level}` means 0, 1, 2 and so on. */
  readonly columns: Readonly<Record<string, string>>;
  /** The words of the taker's side, or of the side of the book: `buy` is bid. Case does not matter. */
  readonly sides: { readonly buy: readonly string[]; readonly sell: readonly string[] };
  /** Of `books`: levels a side. */
  readonly levels?: number | undefined;
  /** Of `candles`: length of a bar; its time is its beginning. */
  readonly intervalMs?: number | undefined;
}

/** A whole mapping. */
export interface CsvMapping {
  /** The market, where no column names it. */
  readonly symbol?: string | undefined;
  /** Decimals of a price; `undefined`: found by reading the data. */
  readonly priceDecimals?: number | undefined;
  /** Decimals of a size; `undefined`: found by reading the data. */
  readonly sizeDecimals?: number | undefined;
  /** Silence of the book that counts as a gap, ms; `undefined`: the default of the kind of rows. */
  readonly silenceMs?: number | undefined;
  /** Mapping of each kind of file. */
  readonly files: readonly CsvFileMapping[];
}

/** Columns of the values in a row of a file. */
export interface CsvColumns {
  /** Index of the column of the exchange time. */
  readonly time: number;
  /** Index of the column of the receive time; `undefined`: none. */
  readonly received: number | undefined;
  /** Index of the column of the symbol; `undefined`: none. */
  readonly symbol: number | undefined;
  /** Cells by role; of `books` all levels, best first. */
  readonly roles: Readonly<Record<string, readonly number[]>>;
  /** Cells of the header; `undefined`: none. */
  readonly header: readonly string[] | undefined;
  /** Number of columns. */
  readonly count: number;
}

/** Finds the columns of the file at `path`. @throws ProtocolError when the mapping names one that is not there. */
export async function findColumns(path: string, mapping: CsvFileMapping): Promise<CsvColumns> {
  const { place, cells: first } = await readFirstRow(path, mapping.separator, mapping.hasHeader);
  const indexOf = (column: string): number => {
    const index = mapping.hasHeader ? first.indexOf(column.trim()) : Number(column) - 1;
    if (mapping.hasHeader && index !== first.lastIndexOf(column.trim()))
      throw malformed(
        place,
        `one column ${column}`,
        'several of this name',
        'Give each column a name of its own.',
      );
    if (index >= 0 && index < first.length) return index;
    throw missingColumn(place, column, first.join(mapping.separator));
  };
  const roles: Record<string, readonly number[]> = {};
  for (const [role, column] of Object.entries(mapping.columns)) {
    const levels = mapping.rows === 'books' ? (mapping.levels ?? 1) : 1;
    roles[role] = Array.from({ length: levels }, (_, level) =>
      indexOf(column.replace('{level}', `${level}`)),
    );
  }
  return {
    time: indexOf(mapping.time.column),
    received: mapping.received === undefined ? undefined : indexOf(mapping.received.column),
    symbol: mapping.symbol === undefined ? undefined : indexOf(mapping.symbol),
    roles,
    header: mapping.hasHeader ? first : undefined,
    count: mapping.cells ?? first.length,
  };
}

function missingColumn({ file, line }: Place, column: string, found: string): ProtocolError {
  return new ProtocolError({
    code: 'TAPE_COLUMN_MISSING',
    message: `expected the column ${JSON.stringify(column)} that the mapping names at ${file}:${line}, got ${quoted(found)}`,
    remedy: 'Name a column of the first line in the mapping, or the separator that the file has.',
    details: { file, line },
  });
}

/** @throws ConfigError when a role is missing or unknown for what the rows are. */
export function checkRoles({ name, rows, columns }: CsvFileMapping): void {
  const known = CSV_ROLES[rows].map((role) => role.replace('?', ''));
  const missing = CSV_ROLES[rows].find((role) => !role.endsWith('?') && columns[role] === undefined);
  const unknown = Object.keys(columns).find((role) => !known.includes(role));
  if (missing === undefined && unknown === undefined) return;
  const found = missing === undefined ? `the unknown ${unknown}` : `none for ${missing}`;
  throw new ConfigError({
    code: 'TAPE_MAPPING_INVALID',
    message: `expected columns for ${CSV_ROLES[rows].join(', ')} of ${rows} in files ${name}, got ${found}`,
    remedy:
      'Name the columns in the mapping; docs/guides/import-recordings.md lists them by what the rows are.',
  });
}

/** The pattern of a file name with `*`. */
export function namePattern(name: string): RegExp {
  const escaped = basename(name).replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*')}$`);
}
