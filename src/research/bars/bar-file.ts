/**
 * @module
 * Bars and funding out of CSV files, plain or gzipped, with a line of column names. Numbers are read exactly: ticks and lots
 * have as many decimals as the file shows. Every error names file, line, column, what was expected and what was found.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BotError, isoOfUs, messageOf, parseScaled, parseScaledNumber, sha256 } from '../../core/index.ts';
import { plainDecimal } from '../../tape/importers/index.ts';
import { checkBars } from './check.ts';
import type { BarColumns, SettlementColumns } from './columns.ts';
import { Settlements } from './from-tape.ts';

const US_PER_MS = 1_000;
const TIME_NAMES = ['ts_ms', 'time', 'timestamp', 'open_time', 'date', 'datetime'];
const RATE_NAMES = ['funding_rate', 'rate'];
const PRICES = ['open', 'high', 'low', 'close'] as const;
/** Digits after the decimal point of a funding rate that count. */
const RATE_DECIMALS = 18;
const RATE_UNIT = 10n ** BigInt(RATE_DECIMALS - 9);

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

/**
 * Reads bars; their length is the shortest time between two of them.
 * @throws BotError `BARS_FILE_UNREADABLE`, `BARS_COLUMN_MISSING`, `BARS_VALUE_INVALID`, or what {@link checkBars} throws.
 */
export function readBarFile(path: string, options: BarFileOptions): BarFile {
  return barFileOf(basename(path), bytesOf(path), options);
}

/** As {@link readBarFile} for the bytes of a file. */
export function barFileOf(name: string, bytes: Uint8Array, options: BarFileOptions): BarFile {
  const table = new Table(name, bytes);
  const time = table.column(TIME_NAMES);
  const prices = PRICES.map((name) => table.column([name]));
  const volume = table.column(['volume', 'vol']);
  const priceDecimals = options.priceDecimals ?? table.decimalsOf(prices);
  const sizeDecimals = options.sizeDecimals ?? table.decimalsOf([volume]);
  const [open, high, low, close] = prices.map((place) => table.numbers(place, priceDecimals));
  const openUs = table.times(time);
  const none = new Float64Array();
  const bars: BarColumns = {
    rows: openUs.length,
    barUs: shortestStep(openUs),
    openUs,
    ...{ open: open ?? none, high: high ?? none, low: low ?? none, close: close ?? none },
    volume: table.numbers(volume, sizeDecimals),
  };
  checkBars(bars, { placeOf: (at) => table.placeOf(at), isGapAllowed: options.isGapAllowed });
  return { bars, priceDecimals, sizeDecimals, name: table.name, hash: table.hash };
}

/** Reads settlements of funding: a time and a rate a line, in order. @throws BotError as {@link readBarFile}. */
export function readFundingFile(path: string): NamedData & { readonly settlements: SettlementColumns } {
  const table = new Table(basename(path), bytesOf(path));
  const times = table.times(table.column(TIME_NAMES));
  const rates = table.rates(table.column(RATE_NAMES));
  const settlements = new Settlements();
  for (const [at, us] of times.entries()) {
    if (at > 0 && us <= (times[at - 1] ?? 0))
      throw invalid(table.placeOf(at), 'a time after that of the line before', isoOfUs(us));
    settlements.add(us, rates[at] ?? 0, 0);
  }
  return { settlements: settlements.done(), name: table.name, hash: table.hash };
}

/** The lines of a file, split into cells. */
class Table {
  readonly name: string;
  readonly hash: string;
  readonly #head: readonly string[];
  readonly #rows: readonly (readonly string[])[];

  constructor(name: string, bytes: Uint8Array) {
    this.name = name;
    this.hash = sha256(bytes);
    const lines = textOf(name, bytes).split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    const [head = '', ...rows] = lines;
    this.#head = head.split(',').map((name) => name.trim().toLowerCase());
    this.#rows = rows.map((row) => row.split(','));
  }

  /** Where row `at` is, for people. */
  placeOf(at: number): string {
    return `${this.name}, line ${at + 2}`;
  }

  /** The index of the column with one of these names. */
  column(names: readonly string[]): number {
    const place = this.#head.findIndex((name) => names.includes(name));
    if (place >= 0) return place;
    const [expected, found] = [names.join(' or '), shown(this.#head.join(', '), 200) || 'nothing'];
    throw new BotError({
      code: 'BARS_COLUMN_MISSING',
      message: `${this.name}, line 1: expected a column ${expected}, got ${found}`,
      remedy: 'Give the file a first line with the names of its columns; docs/guides/bars.md lists them.',
    });
  }

  /** The most digits after the decimal point in some columns, without trailing zeros. */
  decimalsOf(places: readonly number[]): number {
    let most = 0;
    for (const row of this.#rows)
      for (const place of places) {
        const [, fraction = ''] = plainDecimal((row[place] ?? '').trim()).split('.');
        most = Math.max(most, fraction.replace(/0+$/, '').length);
      }
    return most;
  }

  numbers(place: number, decimals: number): Float64Array {
    return this.#values(
      place,
      `a decimal of 0 or more with at most ${decimals} digits after the point`,
      (text) => parseScaledNumber(plainDecimal(text), decimals),
    );
  }

  /** Parts per billion, to the nearest, halves away from zero. */
  rates(place: number): Float64Array {
    return this.#values(place, 'a rate such as 0.0001', (text) => {
      const exact = parseScaled(plainDecimal(text), RATE_DECIMALS);
      if (exact === undefined) return Number.NaN;
      const half = exact < 0n ? -RATE_UNIT : RATE_UNIT;
      return Number((2n * exact + half) / (2n * RATE_UNIT));
    });
  }

  /** Unix us. */
  times(place: number): Float64Array {
    return this.#values(place, 'Unix seconds or milliseconds, or a time like 2026-01-06T08:00:00Z', usOf);
  }

  #values(place: number, expected: string, read: (text: string) => number): Float64Array {
    return Float64Array.from(this.#rows, (row, at) => {
      const text = (row[place] ?? '').trim();
      const value = read(text);
      if (Number.isNaN(value))
        throw invalid(`${this.placeOf(at)}, column ${this.#head[place] ?? ''}`, expected, text);
      return value;
    });
  }
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function textOf(path: string, bytes: Uint8Array): string {
  if (!path.endsWith('.gz')) return Buffer.from(bytes).toString('utf8');
  try {
    return gunzipSync(bytes).toString('utf8');
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Ten digits are seconds, thirteen milliseconds. NaN for any other text than these or ISO 8601 in UTC, and out of range. */
function usOf(text: string): number {
  const us = anyUsOf(text);
  return us >= 0 && us <= Number.MAX_SAFE_INTEGER ? us : Number.NaN;
}

function anyUsOf(text: string): number {
  if (/^[0-9]{10}$/.test(text)) return Number(text) * 1_000 * US_PER_MS;
  if (/^[0-9]{13}$/.test(text)) return Number(text) * US_PER_MS;
  const isIso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|\+00:00))?$/.test(text);
  return isIso ? Date.parse(text.replace(' ', 'T')) * US_PER_MS : Number.NaN;
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

function invalid(place: string, expected: string, found: string): BotError {
  return new BotError({
    code: 'BARS_VALUE_INVALID',
    message: `${place}: expected ${expected}, got "${shown(found, 40)}"`,
    remedy: 'Fix the line, or leave it out; --price-decimals and --size-decimals name decimals.',
  });
}

/** The beginning of what was found; what cannot be printed, as in a file of another kind, is a question mark. */
function shown(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replaceAll(/[^\u0020-\u007e\u00a0-\ufffc]/g, '?');
}

function unreadable(path: string, cause: unknown): BotError {
  return new BotError({
    code: 'BARS_FILE_UNREADABLE',
    message: `expected a readable file at ${path}, but ${messageOf(cause)}`,
    remedy: 'Name a CSV file, plain or gzipped with the ending .gz.',
    cause,
  });
}
