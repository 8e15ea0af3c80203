import { describe, expect, test } from 'vitest';
import { lots, type OrderId, type TpslSpec, type TriggerSpec, ticks } from '../../../../src/domain/index.ts';
import { planTpsl, planTrigger, planTwap, readWrite } from '../../../../src/wire/protocol/index.ts';
import { anOrder, CONTEXT } from './support.ts';

const NOW_MS = 1_790_239_780_144;
const { symbol } = anOrder();
const overWire = (value: object) => JSON.parse(JSON.stringify(value));

describe('a time-weighted order', () => {
  test('means the same on both sides', () => {
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

describe('a trigger order', () => {
  const spec: TriggerSpec = {
    symbol,
    side: 'buy',
    priceTicks: ticks(1_010_000),
    sizeLots: lots(7),
    timeInForce: 'ioc',
    reduceOnly: false,
    triggerTicks: ticks(1_005_000),
    triggerAbove: true,
    expiresAtMs: 0,
  };

  test.each([0, NOW_MS + 1] as TriggerSpec['expiresAtMs'][])(
    'means the same on both sides, with its expiry %i',
    (expiresAtMs) => {
      const planned = planTrigger({ ...spec, expiresAtMs }, CONTEXT, NOW_MS);
      expect(planned.canonical).toMatchObject({ kind: 'PlaceConditional', goodTilMs: expiresAtMs });
      expect(readWrite(planned.path, overWire(planned.body), CONTEXT)).toMatchObject({
        canonical: planned.canonical,
      });
    },
  );

  test.each([
    ['conditional', 'CancelConditional'],
    ['twap', 'CancelTwap'],
  ] as const)('a cancel that names a %s order is read as %s', (kind, command) => {
    expect(readWrite('/v1/orders/cancel', { orders: [{ symbol, orderId: '42', kind }] }, CONTEXT)).toEqual({
      canonical: expect.objectContaining({
        kind: command,
        orderId: expect.objectContaining({ orderSeq: 42n }),
      }),
      clientOrderIds: [],
    });
  });

  test.each([[['42', '43']], [['42']]])(
    'a kind beside other orders, or an unknown one, is refused: %j',
    (ids) => {
      const kind = ids.length > 1 ? 'twap' : 'order';
      const orders = ids.map((orderId) => ({ symbol, orderId, kind }));
      expect(readWrite('/v1/orders/cancel', { orders }, CONTEXT)).toMatchObject({
        problem: { code: 'InvalidRequest', message: expect.stringContaining('kind') },
      });
    },
  );
});

describe('a take-profit and a stop-loss', () => {
  const leg = (trigger: number, price: number) => ({
    triggerTicks: ticks(trigger),
    priceTicks: ticks(price),
  });
  const specs: [string, TpslSpec, object][] = [
    [
      'that follow the position',
      { symbol, closeSide: 'sell', takeProfit: leg(1_020_000, 900_000), stopLoss: leg(980_000, 900_005) },
      { lots: 0n, tpPrice: 900_000, slTrigger: 980_000, positionTpsl: true, parentOrderId: undefined },
    ],
    [
      'of which one is built',
      { symbol, closeSide: 'buy', sizeLots: lots(9), stopLoss: leg(980_000, 900_000) },
      { lots: 9n, tpTrigger: 0, tpPrice: 0, slPrice: 900_000 },
    ],
    [
      'of a parent order',
      {
        symbol,
        closeSide: 'sell',
        sizeLots: lots(9),
        takeProfit: leg(5, 10),
        parentOrderId: '77' as OrderId,
      },
      { positionTpsl: false, parentOrderId: { orderSeq: 77n } },
    ],
  ];
  test.each(specs)('%s mean the same on both sides', (_what, spec, canonical) => {
    const planned = planTpsl(spec, CONTEXT, NOW_MS);
    expect(planned.canonical).toMatchObject({ kind: 'PlaceTpslPair', ...canonical });
    expect(readWrite(planned.path, overWire(planned.body), CONTEXT)).toEqual({
      canonical: planned.canonical,
      clientOrderIds: [],
    });
  });

  test('are refused without a leg, and with a parent but no size', () => {
    expect(() => planTpsl({ symbol, closeSide: 'sell' }, CONTEXT, NOW_MS)).toThrow(/a take-profit or/);
    const [, spec] = specs[2] ?? [];
    const { sizeLots: _size, ...rest } = spec as TpslSpec;
    expect(() => planTpsl(rest, CONTEXT, NOW_MS)).toThrow(/a size/);
  });
});
