/** @module What is held against a book that does not follow (I25, denials.md P16). */
import { describe, expect, test } from 'vitest';
import type { Seq } from '../../../../src/domain/index.ts';
import type { BookLevels } from '../../../../src/wire/protocol/index.ts';
import { BlockLength } from '../../../../src/wire/stream/block-length.ts';
import { QuoteWitness } from '../../../../src/wire/stream/market/quote-witness.ts';

const levels = (bidTicks: number, askTicks: number, bidLots = 10): BookLevels => ({
  bidCount: bidTicks === 0 ? 0 : 1,
  askCount: askTicks === 0 ? 0 : 1,
  bidTicks: Float64Array.of(bidTicks),
  bidLots: Float64Array.of(bidLots),
  askTicks: Float64Array.of(askTicks),
  askLots: Float64Array.of(10),
});
const seq = (value: number) => BigInt(value) as Seq;

/** Blocks of this length that were seen; 0: none were. */
function blocksOf(blockMs: number): BlockLength {
  const blocks = new BlockLength();
  for (const tsMs of [0, blockMs]) blocks.note(tsMs);
  return blocks;
}

function aBook(blockMs = 0): QuoteWitness {
  const witness = new QuoteWitness(blocksOf(blockMs));
  witness.book(levels(100, 105), seq(10), 0);
  return witness;
}
const trade = (witness: QuoteWitness, priceTicks: number, at: number, nowMs: number) =>
  witness.traded('a trade', priceTicks, { seq: seq(at), nowMs });

describe('a book', () => {
  test.each([99, 106])('is doubted a second after a later trade at %i, which is beyond it', (priceTicks) => {
    const witness = aBook();
    trade(witness, priceTicks, 11, 0);
    expect(witness.doubt(999)).toBeUndefined();
    expect(witness.doubt(1_000)).toBe('a trade is beyond its best price');
    witness.book(levels(100, 105, 9), seq(11), 1_100);
    expect(witness.doubt(9_000)).toBeUndefined();
  });

  test('says nothing of trades that it holds already, and of those within it', () => {
    const witness = aBook();
    trade(witness, 90, 10, 0);
    trade(witness, 100, 11, 0);
    trade(witness, 105, 12, 0);
    expect(witness.doubt(5_000)).toBeUndefined();
  });

  test('that stays exactly as it was through three trades is doubted, until it changes', () => {
    const witness = aBook();
    for (const [at, nowMs] of [
      [11, 0],
      [13, 600],
      [15, 1_200],
    ] as const) {
      trade(witness, 100, at, nowMs);
      witness.book(levels(100, 105), seq(at + 1), nowMs);
    }
    expect(witness.doubt(1_499)).toBeUndefined();
    expect(witness.doubt(1_500)).toBe('it is as it was 3 trades ago');
    // Filled up to the same size each time, and then nobody traded.
    expect(witness.doubt(11_200)).toBeUndefined();
    trade(witness, 100, 17, 12_000);
    witness.book(levels(100, 105, 9), seq(18), 12_000);
    expect(witness.doubt(14_000)).toBeUndefined();
  });

  test('is doubted for best quotes that are later and others, or two seconds newer', () => {
    const witness = aBook();
    const place = { seq: seq(11), atMs: 0, nowMs: 0 };
    witness.bbo(101, 105, place);
    expect(witness.doubt(1_000)).toBe('its best quotes are others');
    witness.book(levels(101, 105), seq(11), 0);
    expect(witness.doubt(1_000)).toBeUndefined();
    witness.bbo(101, 105, { seq: seq(12), atMs: 2_001, nowMs: 2_001 });
    expect(witness.doubt(2_001)).toBe('it is 2001 ms older than its best quotes');
  });

  test('with an empty side is held to the other one', () => {
    const witness = new QuoteWitness(new BlockLength());
    witness.book(levels(0, 105), seq(10), 0);
    trade(witness, 104, 11, 0);
    expect(witness.doubt(1_000)).toBeUndefined();
    trade(witness, 106, 12, 0);
    expect(witness.doubt(1_000)).toBeDefined();
  });
});

describe('a book on blocks of 2,200 ms', () => {
  test('has until the next block to follow a trade beyond it, and no longer', () => {
    const witness = aBook(2_200);
    trade(witness, 99, 11, 0);
    expect(witness.doubt(2_299)).toBeUndefined();
    expect(witness.doubt(2_300)).toBe('a trade is beyond its best price');
  });

  test('may be a block older than its best quotes', () => {
    const witness = aBook(2_200);
    witness.bbo(100, 105, { seq: seq(11), atMs: 2_300, nowMs: 2_300 });
    expect(witness.doubt(2_300)).toBeUndefined();
    witness.bbo(100, 105, { seq: seq(12), atMs: 2_301, nowMs: 2_301 });
    expect(witness.doubt(2_301)).toBe('it is 2301 ms older than its best quotes');
  });

  test('may stay as it was through all that is heard of one, and not through those of three', () => {
    const witness = aBook(2_200);
    for (const nowMs of [0, 0, 5, 500]) trade(witness, 100, 11, nowMs);
    expect(witness.doubt(5_000)).toBeUndefined();
    for (const nowMs of [2_200, 4_400]) trade(witness, 100, 12, nowMs);
    expect(witness.doubt(4_400)).toBe('it is as it was 3 trades ago');
  });
});

test('a book that stays as it was is doubted on blocks that are longer than events are remembered otherwise', () => {
  const witness = aBook(20_000);
  for (const nowMs of [0, 20_000]) trade(witness, 100, 11, nowMs);
  expect(witness.doubt(20_100)).toBeUndefined();
  trade(witness, 100, 12, 40_000);
  expect(witness.doubt(40_000)).toBe('it is as it was 3 trades ago');
});

test.each([100, 400])('a book on blocks of %i ms is doubted as soon as where none were seen', (blockMs) => {
  const [witness, beyond] = [aBook(blockMs), aBook(blockMs)];
  for (const nowMs of [0, blockMs, 2 * blockMs]) trade(witness, 100, 11, nowMs);
  expect(witness.doubt(1_499)).toBeUndefined();
  expect(witness.doubt(1_500)).toBe('it is as it was 3 trades ago');
  trade(beyond, 99, 11, 0);
  expect(beyond.doubt(1_000)).toBe('a trade is beyond its best price');
});
