/** @module Sums of what could still be executed: exact beyond the numbers that hold whole values. */
import { describe, expect, test } from 'vitest';
import { ExposureSum } from '../../../src/domain/exposure.ts';
import { lots, notionalOf, ticks } from '../../../src/domain/index.ts';
import { aMarket } from '../../support/trading-builders.ts';

const MARKET = aMarket({ quantumsPerTickLot: 3n });

describe('the sum of open orders (I10)', () => {
  test('is exact where prices times sizes pass 2^53', () => {
    const sizes = [1, 2 ** 40 + 1, 2 ** 21 + 7, 2 ** 52 - 1];
    const price = 0xffff_fffd;
    const sum = new ExposureSum();
    for (const size of sizes) sum.add('sell', price, size);
    sum.add('buy', 7, 11);
    const exposure = sum.beside(lots(-5), MARKET);
    const expected = sizes.reduce((total, size) => total + notionalOf(MARKET, ticks(price), lots(size)), 0n);
    expect(exposure).toEqual({
      ...{ positionLots: -5, buyLots: 11, buyOrders: 1, buyNotional: 7n * 11n * 3n },
      ...{ sellLots: sizes.reduce((total, size) => total + size, 0), sellOrders: 4, sellNotional: expected },
    });
  });

  test('is exact where the sum passes 2^53 and no part does', () => {
    const sum = new ExposureSum();
    for (let at = 0; at < 5; at++) sum.add('buy', 3, 2 ** 50 + 1);
    expect(sum.beside(lots(0), MARKET).buyNotional).toBe(5n * 3n * (2n ** 50n + 1n) * 3n);
  });
});
