import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatScaled } from '../../src/core/index.ts';
import { allocateBookLevels, type DecodeContext, decodeFrame } from '../../src/wire/protocol/index.ts';
import { BTC } from '../unit/wire/protocol/support.ts';

const context: DecodeContext = {
  market: (symbol) => (symbol === BTC.symbol ? BTC : undefined),
  collateralDecimals: 6,
};

/** One side: strictly ordered prices with sizes, as text of the usual form. */
const side = (direction: 1 | -1) =>
  fc
    .uniqueArray(
      fc.integer(direction === -1 ? { min: 1, max: 1_000_000 } : { min: 999_990, max: 2_000_000 }),
      { minLength: 1, maxLength: 12 },
    )
    .map((ticks) => ticks.toSorted((a, b) => direction * (a - b)))
    .chain((ticks) =>
      fc.tuple(
        ...ticks.map((price) =>
          fc
            .integer({ min: 1, max: 900_000_000 })
            .map((size) => [formatScaled(price, BTC.priceDecimals), formatScaled(size, BTC.sizeDecimals)]),
        ),
      ),
    );

const frameText = fc.tuple(side(-1), side(1), fc.boolean()).map(([bids, asks, isSnapshot]) =>
  JSON.stringify({
    channel: 'book',
    isSnapshot,
    seq: 7,
    data: { symbol: BTC.symbol, seq: 7, ts: 1_790_000_000_000, bids, asks },
  }),
);

/** The book, or the word for why there is none: of a text that is no JSON only that there is none. */
function fromFrame(text: string): unknown {
  const levels = allocateBookLevels();
  const decoded = decodeFrame(text, context, { book: () => levels });
  if (!decoded.ok) return 'no frame';
  if (decoded.value.channel !== 'book') return decoded.value;
  if (decoded.value.flaw !== undefined) return decoded.value.flaw;
  const { bidCount, askCount } = levels;
  return {
    bids: [...levels.bidTicks.subarray(0, bidCount), ...levels.bidLots.subarray(0, bidCount)],
    asks: [...levels.askTicks.subarray(0, askCount), ...levels.askLots.subarray(0, askCount)],
  };
}

/** The same by `JSON.parse` alone: a blank before the first brace keeps the frame out of the fast lane. */
function theOrdinaryWay(text: string): unknown {
  return fromFrame(` ${text}`);
}

test('a book frame gives the same book on the fast lane as the ordinary way', () => {
  fc.assert(
    fc.property(frameText, (text) => {
      expect(fromFrame(text)).toEqual(theOrdinaryWay(text));
    }),
  );
});

const edit = fc.record({
  place: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.integer({ min: 0, max: 3 }),
  inserted: fc.constantFrom(
    '',
    '0',
    '5',
    '.',
    '"',
    '[',
    ']',
    ']]',
    ',',
    ' ',
    '-',
    'e',
    '\\',
    '{',
    '}',
    '"bids":[["1","1"]],',
  ),
});

test('a damaged book frame is judged on the fast lane as the ordinary way judges it', () => {
  fc.assert(
    fc.property(frameText, fc.array(edit, { minLength: 1, maxLength: 2 }), (whole, edits) => {
      let text = whole;
      for (const { place, removed, inserted } of edits) {
        const at = Math.floor(place * text.length);
        text = text.slice(0, at) + inserted + text.slice(at + removed);
      }
      const expected = theOrdinaryWay(text);
      const actual = fromFrame(text);
      // Levels that are no JSON make the frame unreadable one way and the book unusable the other.
      if (expected === 'no frame') expect(typeof actual).toBe('string');
      else expect(actual).toEqual(expected);
    }),
    { numRuns: 3000 },
  );
});
