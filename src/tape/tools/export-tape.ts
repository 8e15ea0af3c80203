/**
 * @module
 * Writes the rows of a tape as CSV, JSON lines or Parquet, for other tools. Prices and sizes leave as exact decimals of
 * their market. Parquet is written by DuckDB, which is not part of ballast.
 */
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { BotError, formatScaled, messageOf } from '../../core/index.ts';
import type { EventName, TimeRange } from '../format/index.ts';
import {
  EVENT,
  type EventBatch,
  type EventKind,
  FLAG_END,
  openTape,
  type Tape,
  type TapeMarket,
  tapeError,
  unwritable,
  writeAll,
  writingError,
} from '../format/index.ts';

/** What can be written. */
const EXPORT_FORMATS = ['csv', 'jsonl', 'parquet'] as const;
/** One of {@link EXPORT_FORMATS}. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What to write where. */
export interface ExportOptions {
  /** Path of the tape. */
  readonly tape: string;
  /** Format of the output. */
  readonly format: ExportFormat;
  /** File; must not exist. */
  readonly out: string;
  /** Exported span of time; absent: all. */
  readonly range?: TimeRange;
}

/** The columns of an export, in order, with their types in DuckDB. */
const EXPORT_COLUMNS = {
  exchangeUs: 'BIGINT',
  receivedUs: 'BIGINT',
  market: 'VARCHAR',
  kind: 'VARCHAR',
  isEnd: 'BOOLEAN',
  price: 'DOUBLE',
  size: 'DOUBLE',
  id: 'BIGINT',
} as const;

const NAMES = new Map<number, EventName>(
  (Object.entries(EVENT) as [EventName, EventKind][]).map(([name, kind]) => [kind, name]),
);

/** Kinds whose `price` is one, and whose `size` is one in lots; elsewhere the number is written as it is. */
const PRICED: ReadonlySet<number> = new Set([
  ...[EVENT.bidLevel, EVENT.askLevel, EVENT.buyTrade, EVENT.sellTrade, EVENT.mark, EVENT.index],
  ...[EVENT.bestBid, EVENT.bestAsk, EVENT.candleOpen, EVENT.candleHigh, EVENT.candleLow, EVENT.candleClose],
  ...[EVENT.bidOrder, EVENT.askOrder],
]);
const SIZED: ReadonlySet<number> = new Set([
  ...[EVENT.bidLevel, EVENT.askLevel, EVENT.buyTrade, EVENT.sellTrade, EVENT.bestBid, EVENT.bestAsk],
  ...[EVENT.candleClose, EVENT.bidOrder, EVENT.askOrder, EVENT.orderReduced, EVENT.orderExecuted],
]);

/** Exports a tape. @returns how many rows were written. @throws BotError `TAPE_DUCKDB_MISSING`. */
export async function exportTape({ tape: folder, format, out, range = {} }: ExportOptions): Promise<number> {
  const tape = openTape(folder);
  if (existsSync(out)) throw tapeError('TAPE_EXISTS', out, 'expected no file of this name, got one');
  if (format !== 'parquet') return writeText(tape, { out, range, format });
  const duckdb = await loadDuckdb();
  const text = `${out}.csv`;
  try {
    const rows = writeText(tape, { out: text, range, format: 'csv' });
    await writeParquet(duckdb, text, out);
    return rows;
  } finally {
    rmSync(text, { force: true });
  }
}

/** Characters that are gathered before they are written. */
const CHUNK_CHARS = 1_048_576;

function writeText(
  tape: Tape,
  {
    out,
    range,
    format,
  }: { readonly out: string; readonly range: TimeRange; readonly format: 'csv' | 'jsonl' },
): number {
  const descriptor = openNew(out);
  let rows = 0;
  let text = format === 'csv' ? `${Object.keys(EXPORT_COLUMNS).join(',')}\n` : '';
  try {
    for (const batch of tape.batches(range)) {
      for (let row = 0; row < batch.rows; row++) {
        text += format === 'csv' ? csvLine(tape, batch, row) : jsonLine(tape, batch, row);
        if (text.length < CHUNK_CHARS) continue;
        writeAll(descriptor, Buffer.from(text, 'utf8'));
        text = '';
      }
      rows += batch.rows;
    }
    writeAll(descriptor, Buffer.from(text, 'utf8'));
  } catch (thrown) {
    // Half a file would be taken for a whole one.
    rmSync(out, { force: true });
    throw writingError(out, thrown);
  } finally {
    closeSync(descriptor);
  }
  return rows;
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function csvLine(tape: Tape, batch: EventBatch, row: number): string {
  const { price, size } = numbersOf(tape, batch, row);
  const isEnd = ((batch.flags[row] ?? 0) & FLAG_END) !== 0;
  return `${batch.exchangeUs[row]},${batch.receivedUs[row]},${csvText(nameOf(tape, batch, row))},${NAMES.get(batch.kind[row] ?? 0)},${isEnd},${price},${size},${batch.id[row]}\n`;
}

function jsonLine(tape: Tape, batch: EventBatch, row: number): string {
  const { price, size } = numbersOf(tape, batch, row);
  const kind = batch.kind[row] ?? 0;
  const line = {
    exchangeUs: batch.exchangeUs[row],
    receivedUs: batch.receivedUs[row],
    market: nameOf(tape, batch, row),
    kind: NAMES.get(kind),
    isEnd: ((batch.flags[row] ?? 0) & FLAG_END) !== 0,
    price,
    size,
    id: batch.id[row],
    ...(kind === EVENT.feed ? { value: JSON.parse(tape.feedLine(batch.id[row] ?? 0)) as unknown } : {}),
  };
  return `${JSON.stringify(line)}\n`;
}

/** Decimals as text: a binary fraction would not be what was recorded. */
function numbersOf(
  tape: Tape,
  batch: EventBatch,
  row: number,
): { readonly price: string; readonly size: string } {
  const kind = batch.kind[row] ?? 0;
  const market: Partial<TapeMarket> = kind === EVENT.feed ? {} : (tape.markets[batch.market[row] ?? 0] ?? {});
  const price = batch.price[row] ?? 0;
  const size = batch.size[row] ?? 0;
  return {
    price: PRICED.has(kind) ? formatScaled(price, market.priceDecimals ?? 0) : String(price),
    size: SIZED.has(kind) ? formatScaled(size, market.sizeDecimals ?? 0) : String(size),
  };
}

function nameOf(tape: Tape, batch: EventBatch, row: number): string {
  const place = batch.market[row] ?? 0;
  return batch.kind[row] === EVENT.feed ? `feed:${tape.feeds[place]}` : (tape.markets[place]?.symbol ?? '');
}

function csvText(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** As much of DuckDB's package as is used. */
interface Duckdb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{
      connect(): Promise<{ run(sql: string): Promise<unknown>; closeSync(): void }>;
      closeSync(): void;
    }>;
  };
}

async function loadDuckdb(): Promise<Duckdb> {
  const name = '@duckdb/node-api';
  try {
    return (await import(name)) as Duckdb;
  } catch (cause) {
    throw new BotError({
      code: 'TAPE_DUCKDB_MISSING',
      message: `expected the package ${name}, which writes Parquet, but ${messageOf(cause)}`,
      remedy: `Install it beside ballast (npm install ${name}@1.5.5-r.5), or export CSV and convert it.`,
    });
  }
}

async function writeParquet({ DuckDBInstance }: Duckdb, csv: string, out: string): Promise<void> {
  const types = Object.entries(EXPORT_COLUMNS).map(([name, type]) => `'${name}': '${type}'`);
  const read = `read_csv(${sqlText(csv)}, header = true, columns = {${types.join(', ')}})`;
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT * FROM ${read}) TO ${sqlText(out)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`,
    );
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
