import { describe, expect, test } from 'vitest';
import { decodeBookInto } from '../../../../src/wire/protocol/decode/book.ts';
import { allocateBookLevels } from '../../../../src/wire/protocol/index.ts';
import { ANSWERS } from '../../../support/wire-samples.ts';
import { BTC } from './support.ts';

describe('decodeBookInto', () => {
  test('levels go into the arrays as ticks and lots, best first', () => {
    const levels = allocateBookLevels();
    expect(decodeBookInto(ANSWERS.book, BTC, levels)).toBeUndefined();
    expect([levels.bidCount, levels.askCount]).toEqual([2, 1]);
    expect([...levels.bidTicks.subarray(0, 2)]).toEqual([1_179_770, 1_179_535]);
    expect([...levels.bidLots.subarray(0, 2)]).toEqual([20, 20]);
    expect([...levels.askTicks.subarray(0, 1)]).toEqual([1_180_230]);
  });

  test('a smaller book leaves no levels of the one before', () => {
    const levels = allocateBookLevels();
    decodeBookInto(ANSWERS.book, BTC, levels);
    expect(decodeBookInto({ bids: [], asks: [['1.0', '1']] }, BTC, levels)).toBeUndefined();
    expect([levels.bidCount, levels.askCount]).toEqual([0, 1]);
  });

  const pairs = (count: number) => Array.from({ length: count }, (_, i) => [String(i + 1), '1']);
  test.each<[string, unknown, RegExp]>([
    ['no object', null, /no levels/],
    ['bids that are no list', { bids: null, asks: [] }, /bids: not a list/],
    ['a level that is no pair', { bids: [{ price: '1' }], asks: [] }, /bids: level 0 is no pair/],
    ['numbers in place of text', { bids: [], asks: [[1, 1]] }, /asks: level 0 is no pair/],
    ['a size of zero', { bids: [['2.0', '0']], asks: [] }, /level 0 is no price and size/],
    ['an exponent', { bids: [['1e3', '1']], asks: [] }, /level 0 is no price and size/],
    ['a negative price', { bids: [['-1', '1']], asks: [] }, /level 0 is no price and size/],
    ['too many decimals', { bids: [['1.05', '1']], asks: [] }, /level 0 is no price and size/],
    [
      'rising bids',
      {
        bids: [
          ['1', '1'],
          ['2', '1'],
        ],
        asks: [],
      },
      /bids: level 1 is out of order/,
    ],
    [
      'equal asks',
      {
        bids: [],
        asks: [
          ['2', '1'],
          ['2', '1'],
        ],
      },
      /asks: level 1 is out of order/,
    ],
    ['a crossed book', { bids: [['2', '1']], asks: [['2', '1']] }, /best bid reaches/],
    ['more levels than there can be', { bids: [], asks: pairs(101) }, /more than 100 levels/],
  ])('error: %s is named', (_name, data, flaw) => {
    expect(decodeBookInto(data, BTC, allocateBookLevels())).toMatch(flaw);
  });
});
