/**
 * @module
 * Recorded raw WebSocket streams of Binance spot as typed records, in the order of the file. Best quotes, whole books and
 * REST snapshots of spot name no time: they get the one of the newest frame before them that does, or before the first
 * the one of the first, or in a recording without any the time of receipt. Of streams that say the same (`trade` and
 * `aggTrade`; changes and whole books) the one that comes first is read.
 */

import { readRecordedLines } from '../lines.ts';
import { malformed, type Place } from '../location.ts';
import { plainDecimal } from '../plain-decimal.ts';
import { ScaleScan } from '../scale-scan.ts';
import type { BinanceRecord } from './binance-um.ts';
import { decodeBinanceLine } from './binance-um.ts';

/** The most records without a time that wait for one with a time. */
const WAITING_MAX = 20_000;

/** Reads the files at `paths` one after the other. @throws ProtocolError naming file and line. */
export async function* readBinanceSpot(paths: readonly string[]): AsyncGenerator<BinanceRecord> {
  const first = new Map<string, string>();
  let lastUs: number | undefined;
  let waiting: BinanceRecord[] = [];
  for (const path of paths)
    for await (const line of readRecordedLines(path)) {
      const { record, says } = decoded(line);
      const isFirst = says === undefined || (first.get(says.what) ?? says.by) === says.by;
      if (says !== undefined && !first.has(says.what)) first.set(says.what, says.by);
      if (!isFirst) {
        yield {
          kind: 'other',
          place: record.place,
          receivedAtNs: record.receivedAtNs,
          stream: says?.by ?? '',
        };
        continue;
      }
      if (isTimed(record)) lastUs = record.transactAtUs;
      waiting.push(record);
      if (lastUs === undefined && waiting.length < WAITING_MAX) continue;
      for (const one of waiting) yield timed(one, lastUs);
      waiting = [];
    }
  for (const one of waiting) yield timed(one, lastUs);
}

interface Decoded {
  readonly record: BinanceRecord;
  /** What the record says, and the stream that says it; absent: no other does. */
  readonly says: { readonly what: string; readonly by: string } | undefined;
}

function decoded(line: Parameters<typeof decodeBinanceLine>[0]): Decoded {
  const record = decodeBinanceLine(line, 'spot');
  if (record.kind === 'trade') {
    const by = line.text.includes('"aggTrade"') ? 'aggTrade' : 'trade';
    return { record, says: { what: 'trades', by } };
  }
  if (record.kind === 'depth') return { record, says: { what: 'book', by: 'depth' } };
  // A REST snapshot belongs to the changes; a whole book comes as a stream.
  const isStream = record.kind === 'snapshot' && line.text.includes('"stream"');
  return { record, says: isStream ? { what: 'book', by: 'whole books' } : undefined };
}

function isTimed(record: BinanceRecord): record is Extract<BinanceRecord, { readonly transactAtUs: number }> {
  return 'transactAtUs' in record && !('isUntimed' in record);
}

function timed(record: BinanceRecord, us: number | undefined): BinanceRecord {
  if (!('isUntimed' in record)) return record;
  const atUs = us ?? Number(record.receivedAtNs / 1_000n);
  if (record.kind === 'bookTicker') return { ...record, eventAtUs: atUs, transactAtUs: atUs };
  return { ...record, transactAtUs: atUs };
}

/** What one reading of a recording shows. */
export interface SpotScan {
  readonly scale: ScaleScan;
  readonly hasBook: boolean;
  readonly hasBest: boolean;
  /** True if a frame names the exchange's time. */
  readonly hasTime: boolean;
}

/**
 * Reads the files at `paths` for their decimals and for what is in them. @throws ProtocolError naming file and line, also
 * when changes of a book have no book to begin with.
 */
export async function scanBinanceSpot(paths: readonly string[]): Promise<SpotScan> {
  const scale = new ScaleScan();
  const found = { hasBook: false, hasBest: false, hasTime: false };
  let change: Place | undefined;
  let hasStart = false;
  const addLevel = ([price, size]: readonly [string, string]) =>
    scale.addRow([plainDecimal(price), plainDecimal(size)], { prices: [0], sizes: [1] });
  for await (const record of readBinanceSpot(paths)) {
    found.hasTime ||= isTimed(record);
    if (record.kind === 'trade') addLevel([record.price, record.size]);
    if (record.kind === 'bookTicker') {
      found.hasBest = true;
      for (const level of [record.bid, record.ask]) addLevel(level);
    }
    if (record.kind === 'depth' || record.kind === 'snapshot') {
      found.hasBook = true;
      if (record.kind === 'depth') change ??= record.place;
      else hasStart = true;
      for (const level of [...record.bids, ...record.asks]) addLevel(level);
    }
  }
  if (change !== undefined && !hasStart)
    throw malformed(
      change,
      'a REST depth snapshot beside changes of the book',
      'none in the recording',
      'Record the answer of GET /api/v3/depth with them: changes alone give no book.',
    );
  return { scale, ...found };
}
