import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UnixMs } from '../../src/core/index.ts';
import type { MarketFact } from '../../src/domain/index.ts';
import { EVENT, type EventRow, FLAG_END } from '../../src/tape/format/index.ts';
import { createFactColumns } from '../../src/tape/recorder/index.ts';
import { tapeMarket } from '../unit/tape/format/tapes.ts';

/** Sides of a book: sizes by price, few prices so that levels come and go. */
const side = fc.dictionary(fc.constantFrom('1', '2', '3', '4', '5', '6'), fc.integer({ min: 1, max: 3 }));
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ bids: side, asks: side }) },
  { weight: 1, arbitrary: fc.constant('stale' as const) },
);
type Sizes = Readonly<Record<string, number>>;

/** `sizes` as columns, best first: bids at 10 to 60 falling, asks at 110 to 160 rising. */
function columns(
  sizes: Sizes,
  direction: 1 | -1,
): { ticks: Float64Array; lots: Float64Array; count: number } {
  const base = direction === 1 ? 100 : 0;
  const levels = Object.entries(sizes)
    .map(([price, lots]) => [base + Number(price) * 10, lots] as const)
    .sort(([a], [b]) => (a - b) * direction);
  const column = (at: 0 | 1): Float64Array => Float64Array.from([...levels.map((level) => level[at]), 999]);
  return { ticks: column(0), lots: column(1), count: levels.length };
}

function factOf(one: { bids: Sizes; asks: Sizes } | 'stale'): MarketFact {
  const symbol = 'BTC-USD';
  if (one === 'stale') return { type: 'MarketStale', symbol, reason: 'a doubt' } as unknown as MarketFact;
  const bids = columns(one.bids, -1);
  const asks = columns(one.asks, 1);
  const book = {
    ...{ symbol, bidCount: bids.count, bidTicks: bids.ticks, bidLots: bids.lots },
    ...{ askCount: asks.count, askTicks: asks.ticks, askLots: asks.lots, isFresh: true },
  };
  return { type: 'BookUpdated', book } as unknown as MarketFact;
}

/** Does what rows say: levels are set, a reset begins again. */
class Reader {
  readonly bids = new Map<number, number>();
  readonly asks = new Map<number, number>();
  isKnown = false;

  take({ kind, price, size }: EventRow): void {
    if (kind === EVENT.hole) this.isKnown = false;
    if (kind === EVENT.bookReset) {
      this.isKnown = true;
      this.bids.clear();
      this.asks.clear();
    }
    const levels = kind === EVENT.bidLevel ? this.bids : kind === EVENT.askLevel ? this.asks : undefined;
    if (size === 0) levels?.delete(price);
    else levels?.set(price, size);
  }
}

test('the rows of any books, read in order, are those books; each fact but an empty repetition is one frame', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const rows: EventRow[] = [];
      const written = createFactColumns({ write: (row) => void rows.push({ ...row }) }, [
        tapeMarket('BTC-USD'),
      ]);
      const reader = new Reader();
      for (const [index, one] of steps.entries()) {
        rows.length = 0;
        written.take(factOf(one), (1_000 + index) as UnixMs);
        for (const row of rows) reader.take(row);
        expect(rows.filter(({ flags }) => flags === FLAG_END)).toEqual(rows.slice(-1));
        expect(reader.isKnown).toBe(one !== 'stale');
        if (one === 'stale') continue;
        for (const [sizes, base, side] of [
          [one.bids, 0, reader.bids] as const,
          [one.asks, 100, reader.asks] as const,
        ]) {
          const expected = Object.entries(sizes).map(
            ([price, lots]) => [base + Number(price) * 10, lots] as const,
          );
          expect(new Map([...side].sort(([a], [b]) => a - b))).toEqual(
            new Map(expected.sort(([a], [b]) => a - b)),
          );
        }
      }
    }),
    { numRuns: 150 },
  );
});
