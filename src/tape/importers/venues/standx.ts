/**
 * @module
 * Reads recorded StandX books (20 levels per side) and trades from CSV, in the order of the files. Numbers stay text
 * here. Snapshots that repeat the one before are marked, not left out. What this does not do: saying who was the
 * aggressor of a trade, for the recorded side is always SELL.
 */
import type { RecordedLevel, Sides } from '../book-repair.ts';
import { type CsvShape, csvShapeOf, readCsv } from '../csv-table.ts';
import { malformed, type Place, priceAt, quoted, type RecordedScale, sizeAt } from '../location.ts';
import { receivedNs, recordedUs } from '../recorded-time.ts';

/** The steps of the recorded market: trades have prices of 0.01, sizes 0.0001. */
export const STANDX_SCALE: RecordedScale = { priceDecimals: 2, sizeDecimals: 4 };

/** Levels per side of a recorded book. */
export const STANDX_LEVELS = 20;

interface StandxRow {
  readonly place: Place;
  /** Exchange time, Unix us. */
  readonly exchangeUs: number;
  /** When the recorder received it, Unix us. */
  readonly receivedUs: number;
}

const EXCHANGE_TIME = { name: 'exch_ms', unit: 'ms' } as const;

function timesAt(place: Place, exchange: string, received: string) {
  const receivedUs = Number(receivedNs(place, received, 'recv_us') / 1_000n);
  return { exchangeUs: recordedUs(place, exchange, EXCHANGE_TIME), receivedUs };
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

const BOOK_SHAPE = csvShapeOf(['exch_ms,recv_us', ...sideHeader('b'), ...sideHeader('a')].join(','));
const TRADES_SHAPE = csvShapeOf('exch_ms,recv_us,price,qty,side');

function sideHeader(side: string): readonly string[] {
  return Array.from({ length: STANDX_LEVELS }, (_, level) => `${side}${level}p,${side}${level}q`);
}

/** Reads book files one after the other. @throws ProtocolError naming file and line when one is malformed. */
export async function* readStandxBooks(paths: readonly string[]): AsyncGenerator<StandxBookRow> {
  let last: readonly string[] = [];
  for await (const { place, cells } of rows(paths, BOOK_SHAPE)) {
    const isDuplicate = cells.every((cell, at) => at === 1 || cell === last[at]);
    yield {
      kind: 'book',
      place,
      ...timesAt(place, cells[0] ?? '', cells[1] ?? ''),
      isDuplicate,
      cells: cells.slice(2),
    };
    last = cells;
  }
}

/** Reads trade files one after the other. @throws ProtocolError naming file and line when one is malformed. */
export async function* readStandxTrades(paths: readonly string[]): AsyncGenerator<StandxTradeRow> {
  for await (const { place, cells } of rows(paths, TRADES_SHAPE)) {
    const [exchange = '', received = '', price = '', size = '', side = ''] = cells;
    yield { kind: 'trade', place, ...timesAt(place, exchange, received), price, size, side };
  }
}

async function* rows(paths: readonly string[], shape: CsvShape) {
  for (const path of paths) yield* readCsv(path, shape);
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
