/**
 * @module
 * A log as JSON lines, in two forms, and the fastest way that we know to read each back: the text as a whole, split by
 * hand, one `JSON.parse` a line, decimals to whole ticks and lots as frames are read.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseScaledNumber } from '../../../src/core/index.ts';
import { BATCH_ROWS_MAX, EVENT, type EventBatch, FLAG_END } from '../../../src/tape/format/index.ts';
import { rowsOf } from '../../../src/tape/tools/index.ts';
import { emptyBatch } from './event-log.ts';

/** A line of `ballast tape export --jsonl`: words and decimals, as the lines of the yardstick have them. */
interface ExportedLine {
  readonly exchangeUs: number;
  readonly receivedUs: number;
  readonly market: string;
  readonly kind: string;
  readonly isEnd: boolean;
  /** `null`: the row has none, as the end of a book. */
  readonly price: string | null;
  readonly size: string | null;
  readonly id: number;
}

/** How decimals of a market are read. */
export interface LineMarket {
  readonly symbol: string;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
}

const KINDS: ReadonlyMap<string, number> = new Map(Object.entries(EVENT));

/** Reads what `ballast tape export --jsonl` wrote of a tape with levels and trades. */
export function* readExportedLines(file: string, markets: readonly LineMarket[]): Generator<EventBatch> {
  const places = new Map(markets.map((market, place) => [market.symbol, { market, place }] as const));
  yield* batchesOf(file, (line: ExportedLine, batch, row) => {
    const { market, place } = places.get(line.market)!;
    batch.kind[row] = KINDS.get(line.kind)!;
    batch.flags[row] = line.isEnd ? FLAG_END : 0;
    batch.market[row] = place;
    batch.exchangeUs[row] = line.exchangeUs;
    batch.receivedUs[row] = line.receivedUs;
    batch.price[row] = scaled(line.price, market.priceDecimals);
    batch.size[row] = scaled(line.size, market.sizeDecimals);
    batch.id[row] = line.id;
  });
}

/** A tape has 0 where a row has no value. */
function scaled(text: string | null, decimals: number): number {
  return text === null ? 0 : parseScaledNumber(text, decimals);
}

/** Writes rows as they lie in memory: kinds, ticks and lots as numbers, as no feed and no exporter tells them. */
export function writeNumberLines(file: string, log: readonly EventBatch[]): void {
  const parts: string[] = [];
  for (const row of rowsOf(log)) parts.push(JSON.stringify(row));
  writeFileSync(file, `${parts.join('\n')}\n`);
}

/** Reads them back. */
export function* readNumberLines(file: string): Generator<EventBatch> {
  yield* batchesOf(file, (line: Readonly<Record<keyof EventBatch, number>>, batch, row) => {
    batch.kind[row] = line.kind;
    batch.flags[row] = line.flags;
    batch.market[row] = line.market;
    batch.exchangeUs[row] = line.exchangeUs;
    batch.receivedUs[row] = line.receivedUs;
    batch.price[row] = line.price;
    batch.size[row] = line.size;
    batch.id[row] = line.id;
  });
}

function* batchesOf<Line>(
  file: string,
  put: (line: Line, batch: EventBatch, row: number) => void,
): Generator<EventBatch> {
  const text = readFileSync(file, 'latin1');
  let batch = emptyBatch(BATCH_ROWS_MAX);
  let rows = 0;
  for (let from = 0, to = text.indexOf('\n'); to >= 0; from = to + 1, to = text.indexOf('\n', from)) {
    put(JSON.parse(text.slice(from, to)) as Line, batch, rows);
    if (++rows < BATCH_ROWS_MAX) continue;
    yield batch;
    batch = emptyBatch(BATCH_ROWS_MAX);
    rows = 0;
  }
  if (rows > 0) yield { ...batch, rows };
}
