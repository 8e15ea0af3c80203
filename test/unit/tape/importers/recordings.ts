/**
 * @module
 * Builders of small recordings in a folder of their own.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { lots, ticks } from '../../../../src/domain/index.ts';
import type { RecordedLevels } from '../../../../src/tape/importers/book-repair.ts';

/** A folder with these gzip files until the test ends; lines of text are packed, bytes are written as they are. */
export function aFolder(files: Readonly<Record<string, readonly string[] | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), content instanceof Uint8Array ? content : packed(content));
  return folder;
}

/** Times of these recordings count from here, Unix ms. */
export const BASE_MS = 1_600_000_000_000;

/** `event` with times that count from {@link BASE_MS}. */
export function sinceBase<T extends { readonly atMs: number }>(event: T): T {
  const until =
    'untilMs' in event && typeof event.untilMs === 'number' ? { untilMs: event.untilMs - BASE_MS } : {};
  return { ...event, atMs: event.atMs - BASE_MS, ...until };
}

/** Times of a message as they are recorded; `E` and `T` count from {@link BASE_MS}. */
function dated(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      (name === 'E' || name === 'T') && typeof value === 'number' ? BASE_MS + value : value,
    ]),
  );
}

/** Lines as a gzip file. */
export function packed(lines: readonly string[]): Uint8Array {
  return gzipSync(lines.map((line) => `${line}\n`).join(''));
}

/** A Binance line as recorded in microseconds. */
export function aFrame(data: Readonly<Record<string, unknown>>, receivedAt = '1700000000000000'): string {
  return `${receivedAt} ${JSON.stringify({ stream: 'btcusdt@x', data: dated({ s: 'BTCUSDT', ...data }) })}`;
}

export function aSnapshotLine(fields: Readonly<Record<string, unknown>> = {}): string {
  const bids = [['100.10', '1.000']];
  const asks = [['100.20', '2.000']];
  return `1700000000000000 ${JSON.stringify(dated({ lastUpdateId: 50, E: 1000, T: 1000, bids, asks, ...fields }))}`;
}

export function aDiffLine(fields: Readonly<Record<string, unknown>> = {}): string {
  return aFrame({ e: 'depthUpdate', E: 1100, T: 1100, U: 51, u: 60, pu: 50, b: [], a: [], ...fields });
}

export function aTradeLine(fields: Readonly<Record<string, unknown>> = {}): string {
  return aFrame({
    e: 'trade',
    E: 1100,
    T: 1100,
    t: 1,
    p: '100.20',
    q: '0.500',
    X: 'MARKET',
    m: false,
    ...fields,
  });
}

export function aMarkLine(fields: Readonly<Record<string, unknown>> = {}): string {
  const prices = { p: '100.15000000', i: '100.14999999' };
  return aFrame({ e: 'markPriceUpdate', E: 1500, ...prices, P: '1', r: '-0.00002754', T: 9000, ...fields });
}

const sides = (['b', 'a'] as const).flatMap((side) =>
  Array.from({ length: 20 }, (_, level) => `${side}${level}p,${side}${level}q`),
);
export const bookHeader = ['exch_ms,recv_us', ...sides].join(',');
export const tradesHeader = 'exch_ms,recv_us,price,qty,side';

/** A StandX book row `atMs` after {@link BASE_MS}; levels that are not given are empty. */
export function aBookRow(
  atMs: number,
  bids: readonly (readonly [string, string])[],
  asks: readonly (readonly [string, string])[],
): string {
  const cells = [bids, asks].flatMap((side) =>
    Array.from({ length: 20 }, (_, at) => (side[at] ?? ['', '']).join(',')),
  );
  return [BASE_MS + atMs, '1700000000000000', ...cells].join(',');
}

export function aTradeRow(atMs: number, price: string, size = '0.01'): string {
  return `${BASE_MS + atMs},1700000000000000,${price},${size},SELL`;
}

/** A StandX folder of one hour. */
export function aStandxFolder(books: readonly string[], trades: readonly string[] = []): string {
  return aFolder({
    'book_2026-01-06_08.csv.gz': [bookHeader, ...books],
    'trades_2026-01-06_08.csv.gz': [tradesHeader, ...trades],
  });
}

/** Levels from pairs of ticks and lots. */
export function levels(...pairs: readonly (readonly [number, number])[]): RecordedLevels {
  return pairs.map(([price, size]) => ({ priceTicks: ticks(price), sizeLots: lots(size) }));
}

/** All that a stream hands out. */
export async function all<T>(source: AsyncIterable<T>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

/** A stream of these items. */
export async function* streamOf<T>(...items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
