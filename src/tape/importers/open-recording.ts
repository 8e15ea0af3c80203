/**
 * @module
 * Opens a folder of recorded files: tells the format by the names in it and puts the files into order of time.
 * What this does not do: reading ballast's own tapes.
 */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ConfigError, messageOf, unixMs } from '../../core/index.ts';
import { openBinanceUm } from './binance-um-market.ts';
import { type BinanceUmSummary, summarizeBinanceUm } from './binance-um-summary.ts';
import { startingAt } from './event-order.ts';
import type { RecordedMarket, RecordingFormat } from './recorded-market.ts';
import { openStandx } from './standx-market.ts';
import { hourOf, type StandxHourSummary, summarizeStandx } from './standx-summary.ts';

/** What to take from a recording. */
export interface OpenRecordingOptions {
  /**
   * The symbol to read: one that the file names hold (Binance; the first by alphabet if left out), or the name to give
   * to the only one (StandX, whose files name none; `BTC-USD` if left out).
   */
  readonly symbol?: string;
  /** Exchange time to start at; what stands then comes first. */
  readonly startAtMs?: number;
}

/** A folder of recorded files by symbol, each list in order of time. */
export type RecordingFolder =
  | { readonly format: 'binance-um'; readonly symbols: ReadonlyMap<string, readonly string[]> }
  | { readonly format: 'standx'; readonly books: readonly string[]; readonly trades: readonly string[] };

/** The figures of a whole recording: by symbol (Binance) or by hour (StandX). */
export type RecordingSummary =
  | { readonly format: 'binance-um'; readonly figures: Readonly<Record<string, BinanceUmSummary>> }
  | { readonly format: 'standx'; readonly figures: Readonly<Record<string, StandxHourSummary>> };

const BINANCE_NAME = /^([a-z0-9]+)_(\d{8})(?:\.dat)?\.gz$/;
const STANDX_NAME = /^(book|trades)_\d{4}-\d{2}-\d{2}_\d{2}\.csv\.gz$/;
const STANDX_SYMBOL = 'BTC-USD';
const EXPECTED: Readonly<Record<RecordingFormat, string>> = {
  'binance-um': '<symbol>_<yyyymmdd>.gz (Binance USD-M)',
  standx: 'book_<yyyy-mm-dd>_<hh>.csv.gz with trades_<yyyy-mm-dd>_<hh>.csv.gz (StandX)',
};
const NAMES_SHOWN_MAX = 8;
const HOUR_MS = 3_600_000;

/**
 * Opens the recording in `folder` for reading; the files are read lazily, one after the other.
 * @throws ConfigError when the folder holds no known recording, not that symbol or not that time.
 * @throws ProtocolError naming file and line when a file is damaged.
 */
export async function openRecordedMarket(
  folder: string,
  options: OpenRecordingOptions = {},
): Promise<RecordedMarket> {
  const found = await inspectRecording(folder);
  const market =
    found.format === 'standx'
      ? await openStandx({ ...found, symbol: options.symbol ?? STANDX_SYMBOL })
      : await openBinanceUm(filesOfSymbol(folder, found.symbols, options.symbol));
  const { startAtMs } = options;
  if (startAtMs === undefined) return market;
  const { firstAtMs, lastAtMs } = market;
  if (!(Number.isSafeInteger(startAtMs) && startAtMs >= firstAtMs && startAtMs <= lastAtMs)) {
    throw new ConfigError({
      code: 'TAPE_START_OUT_OF_RANGE',
      message: `expected a start from ${firstAtMs} to ${lastAtMs} (Unix ms), was ${startAtMs}`,
      remedy: 'Choose a time inside the recording or leave the start out.',
      details: { folder },
    });
  }
  const later = await openFromHour(market, found, startAtMs);
  return { ...later, firstAtMs: unixMs(startAtMs), events: startingAt(later.events, startAtMs) };
}

/** Which recording is in `folder`. @throws ConfigError naming what was expected and what is there. */
export async function inspectRecording(folder: string): Promise<RecordingFolder> {
  const names = await namesIn(folder);
  const books = names.filter((name) => STANDX_NAME.test(name) && name.startsWith('book_'));
  const trades = names.filter((name) => STANDX_NAME.test(name) && name.startsWith('trades_'));
  const binance = names.filter((name) => BINANCE_NAME.test(name));
  const inFolder = (name: string) => join(folder, name);
  if (books.length > 0 && binance.length === 0)
    return { format: 'standx', books: books.map(inFolder), trades: trades.map(inFolder) };
  if (binance.length > 0 && books.length + trades.length === 0)
    return { format: 'binance-um', symbols: bySymbol(binance.map(inFolder)) };
  const shown = names.length > NAMES_SHOWN_MAX ? [...names.slice(0, NAMES_SHOWN_MAX), '…'] : names;
  // The two kinds of folders are easily taken for each other: both are called a tape on the command line.
  const isTape = names.includes('manifest.json');
  throw new ConfigError({
    code: 'TAPE_FOLDER_UNKNOWN',
    message: `expected the files of one recording in ${folder}, was ${names.length === 0 ? 'an empty folder' : shown.join(', ')}`,
    remedy: isTape
      ? 'This is a tape, which `ballast paper` and `ballast backtest` trade over: give the folder that it was imported from.'
      : `Give a folder with ${Object.values(EXPECTED).join(' or with ')}.`,
  });
}

/** Reads the whole recording in `folder` and gives the figures that prove the reader right. */
export async function summarizeRecording(folder: string): Promise<RecordingSummary> {
  const found = await inspectRecording(folder);
  if (found.format === 'standx') return { format: 'standx', figures: await summarizeStandx(found) };
  const figures: Record<string, BinanceUmSummary> = {};
  for (const [symbol, paths] of found.symbols) figures[symbol] = await summarizeBinanceUm({ symbol, paths });
  return { format: 'binance-um', figures };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (cause) {
    throw new ConfigError({
      code: 'TAPE_FOLDER_UNREADABLE',
      message: `expected a folder with a recording at ${folder}, was not readable (${messageOf(cause)})`,
      remedy: 'Give the path of the folder that holds the recorded files.',
      cause,
    });
  }
}

function bySymbol(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const symbols = new Map<string, string[]>();
  for (const path of paths) {
    const symbol = (BINANCE_NAME.exec(basename(path))?.[1] ?? '').toUpperCase();
    symbols.set(symbol, [...(symbols.get(symbol) ?? []), path]);
  }
  return symbols;
}

function filesOfSymbol(
  folder: string,
  symbols: ReadonlyMap<string, readonly string[]>,
  wanted: string | undefined,
) {
  const symbol = wanted?.toUpperCase() ?? [...symbols.keys()][0] ?? '';
  const paths = symbols.get(symbol);
  if (paths !== undefined) return { symbol, paths };
  throw new ConfigError({
    code: 'TAPE_SYMBOL_UNKNOWN',
    message: `expected one of ${[...symbols.keys()].join(', ')} in ${folder}, was ${symbol}`,
    remedy: 'Name a symbol that the files of the folder carry, or leave it out.',
  });
}

/** A StandX snapshot is a full book: hours that end well before the start need not be read. */
async function openFromHour(
  market: RecordedMarket,
  found: RecordingFolder,
  startAtMs: number,
): Promise<RecordedMarket> {
  if (found.format !== 'standx') return market;
  // One hour more than needed, so that a book stands at the start even when the hour begins with a hole.
  const isNeeded = (path: string) =>
    Date.parse(`${hourOf(path).replace('_', 'T')}:00:00Z`) + 2 * HOUR_MS > startAtMs;
  const books = found.books.filter(isNeeded);
  if (books.length === 0 || books.length === found.books.length) return market;
  const later = await openStandx({ symbol: market.symbol, books, trades: found.trades.filter(isNeeded) });
  return later.firstAtMs <= startAtMs ? later : market;
}
