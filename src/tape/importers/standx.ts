/**
 * @module
 * Reads recorded StandX books (20 levels per side) and trades from CSV, in the order of the files. Numbers stay text
 * here. Snapshots that repeat the one before are marked, not left out. What this does not do: saying who was the
 * aggressor of a trade, for the recorded side is always SELL.
 */
import { type UnixMs, unixMs } from '../../core/index.ts';
import type { RecordedLevel, Sides } from './book-repair.ts';
import { readRecordedLines } from './lines.ts';
import {
  integerAt,
  malformed,
  type Place,
  priceAt,
  quoted,
  type RecordedScale,
  receivedAt,
  sizeAt,
} from './location.ts';

/** The steps of the recorded market: trades have prices of 0.01, sizes 0.0001. */
export const STANDX_SCALE: RecordedScale = { priceDecimals: 2, sizeDecimals: 4 };

/** Levels per side of a recorded book. */
export const STANDX_LEVELS = 20;

interface StandxRow {
  readonly place: Place;
  /** Exchange time. */
  readonly atMs: UnixMs;
  /** When the recorder received it, nanoseconds since 1970 (recorded in microseconds). */
  readonly receivedAtNs: bigint;
}

/** A snapshot of the book. */
export interface StandxBookRow extends StandxRow {
  readonly kind: 'book';
  /** Same exchange time and same levels as the row before. */
  readonly isDuplicate: boolean;
  /** Price and size by turns: bids from best to worst, then asks; both texts of an absent level are empty. */
  readonly cells: readonly string[];
}

/** A trade. */
export interface StandxTradeRow extends StandxRow {
  readonly kind: 'trade';
  /** Price as decimal text. */
  readonly price: string;
  /** Size as decimal text. */
  readonly size: string;
  /** As recorded, which is SELL whatever happened. */
  readonly side: string;
}

const BOOK_HEADER = ['exch_ms', 'recv_us', ...sideHeader('b'), ...sideHeader('a')].join(',');
const TRADES_HEADER = 'exch_ms,recv_us,price,qty,side';

function sideHeader(side: string): readonly string[] {
  return Array.from({ length: STANDX_LEVELS }, (_, level) => `${side}${level}p,${side}${level}q`);
}

/** Reads book files one after the other. @throws ProtocolError naming file and line when one is malformed. */
export async function* readStandxBooks(paths: readonly string[]): AsyncGenerator<StandxBookRow> {
  let lastExchange = '';
  let lastLevels = '';
  let lastCells: readonly string[] = [];
  for await (const { place, text } of rows(paths, BOOK_HEADER)) {
    const first = text.indexOf(',');
    const second = text.indexOf(',', first + 1);
    const exchange = text.slice(0, first);
    const levels = text.slice(second + 1);
    const isDuplicate = exchange === lastExchange && levels === lastLevels;
    const cells = isDuplicate ? lastCells : levels.split(',');
    if (first < 0 || second < 0 || cells.length !== 4 * STANDX_LEVELS)
      throw malformed(place, `${4 * STANDX_LEVELS + 2} columns`, `${text.split(',').length}`);
    yield {
      kind: 'book',
      place,
      atMs: unixMs(integerAt(place, exchange, 'exch_ms')),
      receivedAtNs: receivedAt(place, text.slice(first + 1, second)),
      isDuplicate,
      cells,
    };
    lastExchange = exchange;
    lastLevels = levels;
    lastCells = cells;
  }
}

/** Reads trade files one after the other. @throws ProtocolError naming file and line when one is malformed. */
export async function* readStandxTrades(paths: readonly string[]): AsyncGenerator<StandxTradeRow> {
  for await (const { place, text } of rows(paths, TRADES_HEADER)) {
    const [exchange, received, price, size, side, ...more] = text.split(',');
    if (
      exchange === undefined ||
      received === undefined ||
      price === undefined ||
      size === undefined ||
      side === undefined ||
      more.length > 0
    )
      throw malformed(place, '5 columns', `${text.split(',').length}`);
    yield {
      kind: 'trade',
      place,
      atMs: unixMs(integerAt(place, exchange, 'exch_ms')),
      receivedAtNs: receivedAt(place, received),
      price,
      size,
      side,
    };
  }
}

/** The lines of CSV files without their headers. */
async function* rows(paths: readonly string[], header: string) {
  for (const path of paths) {
    for await (const line of readRecordedLines(path)) {
      if (line.place.line > 1) yield line;
      else if (line.text !== header)
        throw malformed(line.place, `the header ${header.slice(0, 40)}`, quoted(line.text));
    }
  }
}

/** The levels of a row with sizes above zero. @throws ProtocolError on a malformed number. */
export function sidesOf(row: StandxBookRow): Sides {
  return { bids: sideOf(row, 0), asks: sideOf(row, 2 * STANDX_LEVELS) };
}

function sideOf({ place, cells }: StandxBookRow, from: number): readonly RecordedLevel[] {
  const levels: RecordedLevel[] = [];
  for (let at = from; at < from + 2 * STANDX_LEVELS; at += 2) {
    const price = cells[at] ?? '';
    const size = cells[at + 1] ?? '';
    if (price === '' && size === '') continue;
    const level = {
      priceTicks: priceAt(place, price, STANDX_SCALE.priceDecimals),
      sizeLots: sizeAt(place, size, STANDX_SCALE.sizeDecimals),
    };
    const before = levels.at(-1);
    const direction = from > 0 ? 1 : -1;
    if (before !== undefined && (level.priceTicks - before.priceTicks) * direction <= 0)
      throw malformed(place, 'levels from best to worst', `${quoted(price)} in column ${at + 3}`);
    if (level.sizeLots > 0) levels.push(level);
  }
  return levels;
}
