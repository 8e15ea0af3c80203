/**
 * @module
 * Bars and funding out of CSV files of any size, with a line of column names; they are read as imports read CSV, line by
 * line. Numbers are read exactly: ticks and lots have as many decimals as the file shows. Every error names file, line,
 * column, what was expected and what was found.
 */
import { basename } from 'node:path';
import { BotError, isoOfUs, must, ProtocolError, parseInstantUs } from '../../core/index.ts';
import {
  type CsvRow,
  FETCH_AGAIN,
  malformed,
  plainDecimal,
  priceAt,
  quoted,
  rateAt,
  readCsv,
  readFirstRow,
  ScaleScan,
  sha256OfFile,
  sizeAt,
  timeToUs,
} from '../../tape/importers/index.ts';
import { checkBars } from './check.ts';
import { type BarColumns, NumberColumn, type SettlementColumns } from './columns.ts';
import { Settlements } from './from-tape.ts';

const US_PER_MS = 1_000;
const TIME_NAMES = ['ts_ms', 'time', 'timestamp', 'open_time', 'date', 'datetime'];
const RATE_NAMES = ['funding_rate', 'rate'];
const PRICES = ['open', 'high', 'low', 'close'] as const;
const VOLUME_NAMES = ['volume', 'vol'];

/** How a file is read. */
export interface BarFileOptions {
  /** Decimals of a price; absent: as many as the file shows. */
  readonly priceDecimals?: number | undefined;
  /** Decimals of a size; absent: as many as the file shows. */
  readonly sizeDecimals?: number | undefined;
  /** True if bars may be missing. */
  readonly isGapAllowed: boolean;
}

/** A file that was read. */
export interface NamedData {
  readonly name: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
}

/** Bars of a file. */
export interface BarFile extends NamedData {
  /** The bars, oldest first. */
  readonly bars: BarColumns;
  /** Decimals of a price; one tick is 10^-priceDecimals. */
  readonly priceDecimals: number;
  /** Decimals of a size; one lot is 10^-sizeDecimals. */
  readonly sizeDecimals: number;
}

/** The rows of a file without the first one; each call reads them from the beginning. */
type Rows = () => AsyncIterable<CsvRow> | Iterable<CsvRow>;

/**
 * Reads bars; their length is the shortest time between two of them.
 * @throws BotError `BARS_FILE_UNREADABLE`, `BARS_COLUMN_MISSING`, `BARS_VALUE_INVALID`, or what {@link checkBars} throws.
 */
export async function readBarFile(path: string, options: BarFileOptions): Promise<BarFile> {
  return inWordsOfBars(async () => {
    const { first, rows } = await openTable(path);
    return { ...(await barsOfRows(first, rows, options)), ...(await namedData(path)) };
  });
}

/** The bars of `rows` under the names in `first`. @throws ProtocolError, or as {@link readBarFile}. */
export async function barsOfRows(
  first: CsvRow,
  rows: Rows,
  options: BarFileOptions,
): Promise<Omit<BarFile, keyof NamedData>> {
  const names = new ColumnNames(first);
  const places = {
    time: names.find(TIME_NAMES),
    prices: PRICES.map((name) => names.find([name])),
    volume: names.find(VOLUME_NAMES),
  };
  const scan = new ScaleScan();
  if (options.priceDecimals === undefined || options.sizeDecimals === undefined)
    for await (const { cells } of rows())
      scan.addRow(cells, { prices: places.prices, sizes: [places.volume] });
  const { priceDecimals, sizeDecimals } = scan.scale(options);
  const lines = new RowLines(first.place.line + 1);
  const openUs = new NumberColumn();
  const prices = PRICES.map(() => new NumberColumn());
  const volume = new NumberColumn();
  for await (const { place, cells } of rows()) {
    lines.add(place.line);
    openUs.push(timeAt(place, cells[places.time] ?? '', names.nameOf(places.time)));
    for (const [at, column] of prices.entries()) {
      const cell = must(places.prices[at], 'a column of prices');
      column.push(priceAt(place, plainDecimal(cells[cell] ?? ''), priceDecimals, names.nameOf(cell)));
    }
    const size = plainDecimal(cells[places.volume] ?? '');
    volume.push(sizeAt(place, size, sizeDecimals, names.nameOf(places.volume)));
  }
  const begins = openUs.done();
  const [open, high, low, close] = prices.map((column) => column.done());
  const none = new Float64Array();
  const bars: BarColumns = {
    rows: begins.length,
    barUs: shortestStep(begins),
    openUs: begins,
    ...{ open: open ?? none, high: high ?? none, low: low ?? none, close: close ?? none },
    volume: volume.done(),
  };
  const placeOf = (at: number) => `${first.place.file}:${lines.lineOf(at)}`;
  checkBars(bars, { placeOf, isGapAllowed: options.isGapAllowed });
  return { bars, priceDecimals, sizeDecimals };
}

/** Reads settlements of funding: a time and a rate a line, in order. @throws BotError as {@link readBarFile}. */
export async function readFundingFile(
  path: string,
): Promise<NamedData & { readonly settlements: SettlementColumns }> {
  return inWordsOfBars(async () => {
    const { first, rows } = await openTable(path);
    const names = new ColumnNames(first);
    const [time, rate] = [names.find(TIME_NAMES), names.find(RATE_NAMES)];
    const settlements = new Settlements();
    let lastUs = Number.NEGATIVE_INFINITY;
    for await (const { place, cells } of rows()) {
      const us = timeAt(place, cells[time] ?? '', names.nameOf(time));
      if (us <= lastUs)
        throw malformed(
          place,
          'a time after that of the row before',
          isoOfUs(us),
          'Sort the rows by time, each once.',
        );
      lastUs = us;
      settlements.add(us, rateAt(place, plainDecimal(cells[rate] ?? ''), names.nameOf(rate)), 0);
    }
    return { settlements: settlements.done(), ...(await namedData(path)) };
  });
}

async function openTable(path: string) {
  const first = await readFirstRow(path, ',', true);
  return { first, rows: () => readCsv(path, { separator: ',', header: first.cells }) };
}

async function namedData(path: string): Promise<NamedData> {
  return { name: basename(path), hash: (await sha256OfFile(path)).toString('hex') };
}

/** The columns of a file by their names, whose case does not matter. */
class ColumnNames {
  readonly #first: CsvRow;
  readonly #names: readonly string[];

  constructor(first: CsvRow) {
    this.#first = first;
    this.#names = first.cells.map((name) => name.toLowerCase());
  }

  /** The index of the column with one of these names. */
  find(names: readonly string[]): number {
    const place = this.#names.findIndex((name) => names.includes(name));
    const isTwice = place >= 0 && this.#names.lastIndexOf(this.nameOf(place)) !== place;
    if (place >= 0 && !isTwice) return place;
    const { file, line } = this.#first.place;
    const expected = names.join(' or ');
    const found = isTwice ? `${this.nameOf(place)} twice in` : 'only';
    throw new BotError({
      code: 'BARS_COLUMN_MISSING',
      message: `expected one column ${expected} at ${file}:${line}, got ${found} ${shown(this.#names.join(', '), 200)}`,
      remedy: 'Give the file a first line with the names of its columns; docs/guides/bars.md lists them.',
    });
  }

  nameOf(at: number): string {
    return this.#names[at] ?? '';
  }
}

/** The lines of rows, which mostly follow each other: kept are those that do not. */
class RowLines {
  readonly #jumps: { readonly row: number; readonly line: number }[];
  #rows = 0;
  #next: number;

  constructor(first: number) {
    this.#jumps = [{ row: 0, line: first }];
    this.#next = first;
  }

  add(line: number): void {
    if (line !== this.#next) this.#jumps.push({ row: this.#rows, line });
    this.#next = line + 1;
    this.#rows++;
  }

  lineOf(row: number): number {
    const jump = must(
      this.#jumps.findLast((one) => one.row <= row),
      'the first row',
    );
    return jump.line + row - jump.row;
  }
}

/** Unix us: a number whose digits show its unit, or a time in UTC. @throws ProtocolError naming the location. */
function timeAt(place: CsvRow['place'], text: string, column: string): number {
  const us = /^[0-9.]+$/.test(text) ? timeToUs({ ...place, column }, text, 'auto') : parseInstantUs(text);
  if (us !== undefined && us >= 0 && Number.isSafeInteger(us) && us % US_PER_MS === 0) return us;
  const expected = 'a time that exists in whole ms: Unix s, ms, us or ns, or like 2026-01-06T08:00:00Z';
  throw malformed({ ...place, column }, expected, quoted(text), 'Write times in UTC, in one of these forms.');
}

/** The shortest time from one bar to a later one; a minute where there is no such. */
function shortestStep(openUs: Float64Array): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let at = 1; at < openUs.length; at++) {
    const step = (openUs[at] ?? 0) - (openUs[at - 1] ?? 0);
    if (step > 0 && step < shortest) shortest = step;
  }
  return Number.isFinite(shortest) ? shortest : 60_000 * US_PER_MS;
}

/** What `read` gives; its errors of files and cells are reported as those of bars. */
async function inWordsOfBars<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    if (!(thrown instanceof ProtocolError)) throw thrown;
    const { code, message, remedy, details } = thrown;
    if (code === 'TAPE_FILE_UNREADABLE') throw unreadable(message, thrown);
    throw new BotError({
      code: 'BARS_VALUE_INVALID',
      message: shown(message, message.length),
      remedy: remedy === FETCH_AGAIN ? 'Fix the line, or leave it out.' : remedy,
      details,
      cause: thrown,
    });
  }
}

/** The beginning of what was found; what cannot be printed, as in a file of another kind, is a question mark. */
function shown(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replaceAll(/[^\u0020-\u007e\u00a0-\ufffc]/g, '?');
}

function unreadable(message: string, cause: unknown): BotError {
  return new BotError({
    code: 'BARS_FILE_UNREADABLE',
    message,
    remedy: 'Name a whole CSV file, plain or packed by gzip.',
    cause,
  });
}
