import { describe, expect, test } from 'vitest';
import { lots } from '../../../src/domain/index.ts';
import { planTwap, readWrite } from '../../../src/protocol/index.ts';
import { anOrder, CONTEXT } from './support.ts';

const NOW_MS = 1_790_239_780_144;
const { symbol } = anOrder();
const overWire = (value: object) => JSON.parse(JSON.stringify(value));

describe('a time-weighted order', () => {
  test('means the same on both sides (wire-facts 2.2)', () => {
    const planned = planTwap(
      {
        symbol,
        side: 'sell',
        sizeLots: lots(1_000),
        slices: 20,
        intervalMs: 30_000,
        priceTolerancePpm: 5_000,
        reduceOnly: true,
      },
      CONTEXT,
      NOW_MS,
    );
    expect(planned).toMatchObject({
      path: '/v1/orders/twap',
      canonical: { kind: 'PlaceTwap', totalLots: 1_000n, slices: 20, nowMs: NOW_MS },
      body: { size: '1.000' },
    });
    expect(readWrite(planned.path, overWire(planned.body), CONTEXT)).toEqual({
      canonical: planned.canonical,
      clientOrderIds: [],
    });
  });
});
