/** @module A tape that lies in memory, with the face of one on disk: for tests and small runs. */
import { createHash } from 'node:crypto';
import { must } from '../../src/core/index.ts';
import { Columns, checkRow, clipBatch } from '../../src/tape/format/columns.ts';
import {
  BATCH_ROWS_MAX,
  type EventBatch,
  type EventRow,
  type TapeMarket,
} from '../../src/tape/format/events.ts';
import { type Manifest, makeManifest, RowCounter, type TapeHead } from '../../src/tape/format/manifest.ts';
import type { Tape } from '../../src/tape/format/tape-reader.ts';

/** Custom feeds of a memory tape: their names, and the values by the `id` of their rows, as JSON. */
export interface MemoryFeeds {
  readonly names: readonly string[];
  readonly lines: readonly string[];
}

/** A tape of `rows`. @throws AssertionError when a time falls or a number does not fit its column. */
export function memoryTape(
  markets: readonly TapeMarket[],
  rows: Iterable<EventRow>,
  feeds: MemoryFeeds = { names: [], lines: [] },
): Tape {
  const source = { kind: 'memory', description: 'rows in memory' };
  const head: TapeHead = { source, markets, feeds: feeds.names };
  const batches = gather(rows, { markets: markets.length, feeds: feeds.names.length });
  const manifest = manifestOf(head, batches, feeds.lines);
  return {
    name: 'memory',
    manifest,
    hash: manifest.hash,
    rows: manifest.rows,
    fromUs: manifest.fromUs,
    toUs: manifest.toUs,
    markets,
    feeds: feeds.names,
    truncated: [],
    *batches(range = {}) {
      for (const batch of batches) {
        const within = clipBatch(batch, range);
        if (within !== undefined) yield within;
      }
    },
    *raw() {
      // Rows in memory have no frames behind them.
    },
    feedLine: (id) => must(feeds.lines[id], `line ${id} of the feeds`),
  };
}

function gather(rows: Iterable<EventRow>, places: { markets: number; feeds: number }): readonly EventBatch[] {
  const batches: EventBatch[] = [];
  let columns = new Columns();
  let lastUs = 0;
  for (const row of rows) {
    checkRow(row, lastUs, places);
    lastUs = row.exchangeUs;
    columns.push(row);
    if (columns.rows < BATCH_ROWS_MAX) continue;
    batches.push(columns.view());
    columns = new Columns();
  }
  if (columns.rows > 0) batches.push(copyBatch(columns.view()));
  return batches;
}

/** A short batch must not hold the memory of a full one. */
function copyBatch(batch: EventBatch): EventBatch {
  const { rows, kind, flags, market, exchangeUs, receivedUs, price, size, id } = batch;
  return {
    rows,
    kind: kind.slice(),
    flags: flags.slice(),
    market: market.slice(),
    exchangeUs: exchangeUs.slice(),
    receivedUs: receivedUs.slice(),
    price: price.slice(),
    size: size.slice(),
    id: id.slice(),
  };
}

function manifestOf(head: TapeHead, batches: readonly EventBatch[], lines: readonly string[]): Manifest {
  const counter = new RowCounter(head);
  const hash = createHash('sha256');
  let bytes = 0;
  for (const batch of batches) {
    counter.add(batch);
    for (const column of Object.values(batch)) {
      if (typeof column === 'number') continue;
      const view = column as Uint8Array | Uint16Array | Uint32Array | Float64Array;
      hash.update(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
      bytes += view.byteLength;
    }
  }
  for (const line of lines) hash.update(`${line}\n`);
  const events = counter.summary();
  const file = { name: 'memory', kind: 'events', bytes, sha256: hash.digest('hex'), events };
  return makeManifest(head, [file], { sealed: true, notes: [] });
}
