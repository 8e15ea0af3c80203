/**
 * @module
 * The recorded sets beside the project, read with the figures that others computed from the same files.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openRecordedMarket } from '../../src/tape/importers/index.ts';
import { summarizeRecording } from '../../src/tape/importers/open-recording.ts';
import type { RecordedEvent, RecordedLevels } from '../../src/tape/importers/recorded-market.ts';

const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const isAbsent = !existsSync(data);
if (isAbsent) console.log(`skipped: no recorded sets at ${data}`);

const folders = ['binance-um-20240808', 'standx-btcusd-20260106'];

describe('summarizeRecording', () => {
  test.skipIf(isAbsent).each(folders)('reproduces every figure of %s', async (folder) => {
    const expected: unknown = JSON.parse(readFileSync(`${data}${folder}/expected.json`, 'utf8'));
    expect((await summarizeRecording(data + folder)).figures).toEqual(expected);
  });
});

describe('openRecordedMarket', () => {
  test.skipIf(isAbsent)('drives from Binance frames: every applied diff and every book trade', async () => {
    const market = await openRecordedMarket(`${data}binance-um-btcusdt-20230404`);
    expect(market).toMatchObject({ symbol: 'BTCUSDT', priceDecimals: 1, sizeDecimals: 3 });
    const walk = new Walk();
    for await (const event of market.events) walk.add(event);
    expect(walk.faults).toEqual([]);
    expect([walk.firstAtMs, walk.lastAtMs]).toEqual([market.firstAtMs, market.lastAtMs]);
    // 16110 diffs and the snapshot; 12935 trades less the INSURANCE_FUND one and 6 before the snapshot.
    expect(market.stats()).toMatchObject({ levels: 16111, trades: 12928, tradesDropped: 7, marks: 514 });
    expect(market.stats()).toMatchObject({ holes: 0, sequenceGaps: 0, lockedRepaired: 0, lateMoved: 0 });
    expect(walk.fundingTimes).toEqual([1680652800000, 1680681600000]);
  });

  test.skipIf(isAbsent)('reads the symbol that is asked for', async () => {
    const market = await openRecordedMarket(`${data}binance-um-20240808`, { symbol: 'ETHUSDT' });
    expect(market).toMatchObject({ symbol: 'ETHUSDT', priceDecimals: 2, sizeDecimals: 3 });
    const walk = new Walk();
    for await (const event of market.events) walk.add(event);
    expect(walk.faults).toEqual([]);
    expect(market.stats()).toMatchObject({ levels: 6582, diffsDropped: 5 });
  });

  test.skipIf(isAbsent)(
    'drives from StandX books: none locked, each repair and each hole counted',
    async () => {
      const market = await openRecordedMarket(`${data}standx-btcusd-20260106`);
      const walk = new Walk();
      for await (const event of market.events) walk.add(event);
      expect(walk.faults).toEqual([]);
      expect([walk.firstAtMs, walk.lastAtMs]).toEqual([market.firstAtMs, market.lastAtMs]);
      const stats = market.stats();
      expect(stats).toMatchObject({ levels: 108_710, duplicatesDropped: 108_710, lockedRepaired: 45_922 });
      expect(stats).toMatchObject({ trades: 84_242, tradesDropped: 1, crossedRepaired: 0, lateMoved: 0 });
      expect(stats.aggressorsByQuote + stats.aggressorsByTick).toBe(84_243);
      expect(stats.holes).toBe(988);
      expect(walk.holes).toBe(988);
      expect(walk.holeMsMax).toBe(26_455);
    },
  );

  test.skipIf(isAbsent)('starts in the middle with the book that stood there', async () => {
    const folder = `${data}standx-btcusd-20260106`;
    const startAtMs = 1767715200000;
    const later = await openRecordedMarket(folder, { startAtMs });
    const [first] = await take(later.events, 1);
    let standing: RecordedEvent | undefined;
    for await (const event of (await openRecordedMarket(folder)).events) {
      if (event.atMs >= startAtMs) break;
      if (event.kind === 'levels') standing = event;
    }
    expect(first).toEqual({ ...standing, atMs: startAtMs });
    expect(later.firstAtMs).toBe(startAtMs);
  });
});

async function take(events: AsyncIterable<RecordedEvent>, count: number): Promise<readonly RecordedEvent[]> {
  const taken: RecordedEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

/** Walks a stream and notes what must never be seen in one. */
class Walk {
  readonly faults: string[] = [];
  readonly fundingTimes: number[] = [];
  firstAtMs: number | undefined;
  lastAtMs = 0;
  holes = 0;
  holeMsMax = 0;
  #hasLevels = false;

  add(event: RecordedEvent): void {
    this.firstAtMs ??= event.atMs;
    if (event.atMs < this.lastAtMs) this.faults.push(`time runs back at ${event.atMs}`);
    this.lastAtMs = event.atMs;
    if (event.kind === 'levels') {
      this.#hasLevels = true;
      this.#checkSides(event.bids, event.asks);
    } else if (!this.#hasLevels) this.faults.push(`${event.kind} before the first levels`);
    if (event.kind === 'trade' && event.sizeLots <= 0) this.faults.push(`empty trade at ${event.atMs}`);
    if (event.kind === 'mark' && this.fundingTimes.at(-1) !== event.nextFundingAtMs)
      this.fundingTimes.push(event.nextFundingAtMs);
    if (event.kind === 'hole') {
      this.holes++;
      this.holeMsMax = Math.max(this.holeMsMax, event.untilMs - event.atMs);
    }
  }

  #checkSides(bids: RecordedLevels, asks: RecordedLevels): void {
    const bid = bids[0]?.priceTicks ?? 0;
    const ask = asks[0]?.priceTicks ?? 0;
    if (bids.length !== 20 || asks.length !== 20) this.faults.push(`${bids.length}, ${asks.length} levels`);
    if (bid >= ask) this.faults.push(`locked at ${this.lastAtMs}`);
    if (!falls(bids) || !falls(asks.toReversed())) this.faults.push(`unsorted at ${this.lastAtMs}`);
  }
}

function falls(levels: RecordedLevels): boolean {
  return levels.every((level, at) => {
    const before = levels[at - 1];
    return level.sizeLots > 0 && (before === undefined || before.priceTicks > level.priceTicks);
  });
}
