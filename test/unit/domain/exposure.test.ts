/** @module Sums of what could still be executed: exact beyond the numbers that hold whole values. */
import { describe, expect, test } from 'vitest';
import { ExposureSum } from '../../../src/domain/exposure.ts';
import { lots } from '../../../src/domain/index.ts';

describe('the sum of open orders (I10)', () => {
  test('is exact where prices times sizes pass 2^53', () => {
    const sizes = [1, 2 ** 40 + 1, 2 ** 21 + 7, 2 ** 52 - 1];
    const price = 0xffff_fffd;
    const sum = new ExposureSum();
    for (const size of sizes) sum.add('sell', price, size);
    sum.add('buy', 7, 11);
    sum.positionLots = lots(-5);
    expect({ ...sum }).toEqual({
      ...{ positionLots: -5, buyLots: 11, buyOrders: 1, buyTickLots: 7 * 11 },
      ...{ sellLots: sizes.reduce((total, size) => total + size, 0), sellOrders: 4 },
      sellTickLots: sizes.reduce((total, size) => total + BigInt(price) * BigInt(size), 0n),
    });
  });

  test('is exact where the sum passes 2^53 and no part does', () => {
    const sum = new ExposureSum();
    for (let at = 0; at < 5; at++) sum.add('buy', 3, 2 ** 50 + 1);
    expect(sum.buyTickLots).toBe(5n * 3n * (2n ** 50n + 1n));
  });

  test('begins again with nothing of what it was, or with what another has counted', () => {
    const [one, other] = [new ExposureSum(), new ExposureSum()];
    one.add('buy', 7, 11);
    one.positionLots = lots(3);
    expect({ ...other.begin(one) }).toEqual({ ...one });
    other.add('sell', 7, 11);
    expect({ ...other.begin() }).toEqual({ ...new ExposureSum() });
    expect(one.sellOrders).toBe(0);
  });
});
