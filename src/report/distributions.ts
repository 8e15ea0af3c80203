/** @module Distributions of a run: time to fill, fill size, quoted spread, queue ahead, latency, inventory, returns. */
import type { RecordedFill, RecordedQuote, RunRecord } from '../domain/index.ts';
import { type Histogram, histogramOf } from './histogram.ts';
import { returnsOf } from './series.ts';

/** What is distributed. */
export type DistributionName =
  | 'timeToFill'
  | 'fillSize'
  | 'quotedSpread'
  | 'queueAheadAtEntry'
  | 'inventory'
  | 'returns'
  | 'writeLatency';

/** One distribution. */
export interface DistributionDocument extends Histogram {
  readonly name: DistributionName;
  /** Symbol of the market; `null`: of the run. */
  readonly symbol: string | null;
  readonly unit: 'ms' | 'size' | 'bps' | 'lots' | 'fraction';
  /** What the weight of a value is. */
  readonly weight: 'count' | 'ms';
}

/** All distributions of which there is anything. */
export function distributionsOf(record: RunRecord): readonly DistributionDocument[] {
  const { samples, fills, markets } = record;
  const all: DistributionDocument[] = [];
  const add = (
    of: Pick<DistributionDocument, 'name' | 'symbol' | 'unit' | 'weight'>,
    values: ArrayLike<number>,
    weights?: ArrayLike<number>,
  ) => {
    const histogram = histogramOf(weights === undefined ? { values } : { values, weights }, of.unit === 'ms');
    if (histogram.count > 0) all.push({ ...of, ...histogram });
  };
  const count = { weight: 'count' } as const;
  add({ name: 'returns', symbol: null, unit: 'fraction', ...count }, returnsOf(samples).values);
  add(
    { name: 'writeLatency', symbol: null, unit: 'ms', ...count },
    (record.latency?.rows ?? []).map(([, ms]) => ms),
  );
  const rested = restsOf(record);
  for (const [place, { symbol, sizeDecimals }] of markets.entries()) {
    const own = fills.filter((fill) => fill.symbol === symbol);
    const quotes = record.quotes.filter((quote) => quote.symbol === symbol);
    if (own.length === 0 && quotes.length === 0) continue;
    const lot = 10 ** -sizeDecimals;
    add({ name: 'timeToFill', symbol, unit: 'ms', ...count }, timesToFill(own, rested));
    add(
      { name: 'fillSize', symbol, unit: 'size', ...count },
      own.map(({ sizeLots }) => sizeLots * lot),
    );
    // Of one order of many no spread can be said.
    if (record.quoteSampling === 1) {
      const { values, weights } = quotedSpreads(quotes, record.toMs);
      add({ name: 'quotedSpread', symbol, unit: 'bps', weight: 'ms' }, values, weights);
    }
    const queues = own.filter(({ role }) => role === 'maker').map(({ queueAtRestLots }) => queueAtRestLots);
    add({ name: 'queueAheadAtEntry', symbol, unit: 'lots', ...count }, queues);
    const held = (samples.inventoryLots[place] ?? new Float64Array()).map((lots) => lots * lot);
    add({ name: 'inventory', symbol, unit: 'size', ...count }, held);
  }
  return all;
}

/** From the answer that an order rests to its first fill, in ms, of orders with a fill. */
function timesToFill(fills: readonly RecordedFill[], rested: ReadonlyMap<string, number>): readonly number[] {
  const first = new Map<string, number>();
  for (const { role, orderId, atMs } of fills)
    if (role === 'maker' && !first.has(orderId)) first.set(orderId, atMs);
  return [...first].flatMap(([orderId, atMs]) => {
    const since = rested.get(orderId);
    // The exchange may fill an order before its answer has arrived.
    return since === undefined ? [] : [Math.max(0, atMs - since)];
  });
}

/** When each order of the record came to rest. */
export function restsOf({ quotes }: RunRecord): ReadonlyMap<string, number> {
  const rested = new Map<string, number>();
  for (const { orderId, event, atMs } of quotes)
    if (event === 'rested' && !rested.has(orderId)) rested.set(orderId, atMs);
  return rested;
}

/** Best own ask - best own bid in bps of the middle between them, each with the ms that it was quoted. */
function quotedSpreads(
  quotes: readonly RecordedQuote[],
  toMs: number,
): { readonly values: readonly number[]; readonly weights: readonly number[] } {
  const open = new Map<string, RecordedQuote>();
  const values: number[] = [];
  const weights: number[] = [];
  let sinceMs = 0;
  const close = (atMs: number) => {
    let bid = Number.NEGATIVE_INFINITY;
    let ask = Number.POSITIVE_INFINITY;
    if (atMs > sinceMs)
      for (const { side, priceTicks } of open.values()) {
        if (side === 'buy') bid = Math.max(bid, priceTicks);
        else ask = Math.min(ask, priceTicks);
      }
    if (Number.isFinite(ask - bid)) {
      values.push(((ask - bid) / ((ask + bid) / 2)) * 10_000);
      weights.push(atMs - sinceMs);
    }
    sinceMs = atMs;
  };
  for (const quote of quotes.toSorted((a, b) => a.atMs - b.atMs)) {
    close(quote.atMs);
    if (quote.event === 'rested') open.set(quote.orderId, quote);
    else open.delete(quote.orderId);
  }
  close(toMs);
  return { values, weights };
}
