import { describe, expect, test } from 'vitest';
import type { Command, MainWalletOperation, OrderId, OrderRef } from '../../../../src/domain/index.ts';
import { lots, ticks } from '../../../../src/domain/index.ts';
import {
  BATCH_ITEMS_MAX,
  planMainWalletWrite,
  planWrite,
  readWrite,
} from '../../../../src/wire/protocol/index.ts';
import { AGENT } from '../../../support/wire-samples.ts';
import { anOrder, CONTEXT, ETH } from './support.ts';

const NOW_MS = 1_790_239_780_144;
const ref = (orderId: string, symbol = 'BTC-USD'): OrderRef => ({
  symbol: symbol as OrderRef['symbol'],
  orderId: orderId as OrderId,
});
const expiresAtMs = 1_790_239_790_000 as ReturnType<typeof anOrder>['expiresAtMs'];
const sell = anOrder({ symbol: ETH.symbol, side: 'sell', priceTicks: ticks(400_001), sizeLots: lots(15) });

const COMMANDS: readonly [string, Command, string, string][] = [
  ['one order', { kind: 'place', orders: [anOrder()] }, '/v1/orders', 'PlaceOrder'],
  [
    'one order with expiry',
    { kind: 'place', orders: [anOrder({ expiresAtMs })] },
    '/v1/orders',
    'PlaceOrder',
  ],
  [
    'one order with a builder',
    { kind: 'place', orders: [anOrder()], builder: { accountId: 9, feePpm: 25 } },
    '/v1/orders',
    'PlaceOrder',
  ],
  ['several orders', { kind: 'place', orders: [anOrder(), sell] }, '/v1/orders', 'BatchPlace'],
  ['no orders', { kind: 'place', orders: [] }, '/v1/orders', 'BatchPlace'],
  ['one cancel', { kind: 'cancel', orders: [ref('42')] }, '/v1/orders/cancel', 'CancelOrder'],
  [
    'several cancels',
    { kind: 'cancel', orders: [ref('42'), ref('43', 'ETH-USD')] },
    '/v1/orders/cancel',
    'BatchCancel',
  ],
  ['no cancels', { kind: 'cancel', orders: [] }, '/v1/orders/cancel', 'BatchCancel'],
  [
    'a quoting round',
    { kind: 'replace', symbol: anOrder().symbol, cancels: [ref('42')], orders: [anOrder(), sell] },
    '/v1/orders/replace',
    'BatchReplace',
  ],
  ['a cancel of everything', { kind: 'cancelAll' }, '/v1/orders/cancel-all', 'CancelAll'],
  [
    'arming the switch',
    { kind: 'scheduleCancel', triggerAtMs: expiresAtMs },
    '/v1/orders/schedule-cancel',
    'ScheduleCancel',
  ],
  [
    'clearing the switch',
    { kind: 'scheduleCancel', triggerAtMs: 0 },
    '/v1/orders/schedule-cancel',
    'ScheduleCancel',
  ],
  [
    'leverage',
    { kind: 'setLeverage', symbol: anOrder().symbol, leverage: 3 },
    '/v1/account/leverage',
    'SetLeverage',
  ],
];

describe('planWrite and readWrite', () => {
  test.each(COMMANDS)(
    '%s is read back as the very operation that is signed (obligation O42)',
    (_name, command, path, kind) => {
      const planned = planWrite(command, CONTEXT, NOW_MS);
      expect(planned.path).toBe(path);
      expect(planned.canonical.kind).toBe(kind);
      const read = readWrite(planned.path, JSON.parse(JSON.stringify(planned.body)), CONTEXT);
      expect(read).toMatchObject({ canonical: planned.canonical });
    },
  );

  test('a single placement carries its expiry, prices and sizes are exact text', () => {
    const { canonical, body } = planWrite(
      { kind: 'place', orders: [anOrder({ expiresAtMs })] },
      CONTEXT,
      NOW_MS,
    );
    expect(canonical).toEqual({
      kind: 'PlaceOrder',
      account: 7,
      market: 0,
      side: 'buy',
      price: 1_000_000,
      lots: 5n,
      tif: 'postOnly',
      reduceOnly: false,
      goodTilMs: expiresAtMs,
      nowMs: NOW_MS,
      router: 0,
      routerFeePpm: 0,
    });
    expect(body).toEqual({
      orders: [
        {
          symbol: 'BTC-USD',
          side: 'buy',
          price: '100000.0',
          size: '0.005',
          timeInForce: 'postOnly',
          reduceOnly: false,
          clientOrderId: 'maker-1',
        },
      ],
      nowMs: NOW_MS,
      expiresAt: expiresAtMs,
    });
  });

  test('labels are handed over index by index; they are in no codec', () => {
    const orders = [anOrder(), { ...sell, clientOrderId: '' as typeof sell.clientOrderId }];
    const { path, body } = planWrite({ kind: 'place', orders }, CONTEXT, NOW_MS);
    expect(readWrite(path, body, CONTEXT)).toMatchObject({ clientOrderIds: ['maker-1', undefined] });
  });

  test('leverage of 3 is signed as 333,333 ppm', () => {
    const { canonical } = planWrite(
      { kind: 'setLeverage', symbol: anOrder().symbol, leverage: 3 },
      CONTEXT,
      NOW_MS,
    );
    expect(canonical).toEqual({ kind: 'SetLeverage', account: 7, market: 0, customImfPpm: 333_333 });
  });

  test.each<MainWalletOperation>([
    { kind: 'ApproveAgent', account: 7, agent: AGENT, validUntilMs: 1_803_887_990_472 },
    { kind: 'RevokeAgent', account: 7, agent: AGENT },
    { kind: 'CreateSubaccount', account: 7 },
  ])('$kind of a main wallet is read back as signed', (operation) => {
    const { path, body } = planMainWalletWrite(operation);
    expect(readWrite(path, body, CONTEXT)).toMatchObject({ canonical: operation });
  });

  test('error: a batch and a replacement cannot carry an expiry (obligation O46)', () => {
    const orders = [anOrder({ expiresAtMs }), anOrder()];
    const code = 'PROTOCOL_EXPIRY_UNSUPPORTED';
    expect(() => planWrite({ kind: 'place', orders }, CONTEXT, NOW_MS)).toThrow(
      expect.objectContaining({ code }),
    );
    expect(() =>
      planWrite({ kind: 'replace', symbol: anOrder().symbol, cancels: [], orders }, CONTEXT, NOW_MS),
    ).toThrow(expect.objectContaining({ code }));
  });

  test('error: an unknown market and a foreign order number are not signed', () => {
    const unknown = anOrder({ symbol: 'XRP-USD' as ReturnType<typeof anOrder>['symbol'] });
    expect(() => planWrite({ kind: 'place', orders: [unknown] }, CONTEXT, NOW_MS)).toThrow(
      expect.objectContaining({ code: 'PROTOCOL_MARKET_UNKNOWN' }),
    );
    const foreign = ref((41n << 48n).toString());
    expect(() => planWrite({ kind: 'cancel', orders: [foreign] }, CONTEXT, NOW_MS)).toThrow(
      expect.objectContaining({ code: 'PROTOCOL_ORDER_ID_INVALID' }),
    );
  });
});

describe('readWrite refuses', () => {
  const order = planWrite({ kind: 'place', orders: [anOrder()] }, CONTEXT, NOW_MS).body['orders'];
  const [good] = order as readonly Record<string, unknown>[];
  const place = (changes: object) => ({ orders: [{ ...good, ...changes }], nowMs: NOW_MS });
  const cancel = (item: unknown) => ({ orders: [item] });
  test.each<[string, string, unknown, string, RegExp]>([
    ['a body that is no object', '/v1/orders', null, 'InvalidRequest', /body as an object, got null/],
    [
      'null in place of a list',
      '/v1/orders',
      { orders: null, nowMs: 1 },
      'InvalidRequest',
      /orders as a list, got null/,
    ],
    [
      'a missing nowMs',
      '/v1/orders',
      { orders: [] },
      'InvalidRequest',
      /nowMs as an integer of at least 0, got nothing/,
    ],
    [
      'an unknown field',
      '/v1/orders',
      { ...place({}), foo: 1 },
      'InvalidRequest',
      /body as an object without the field "foo"/,
    ],
    [
      'an unknown field of an order',
      '/v1/orders',
      place({ type: 'limit' }),
      'InvalidRequest',
      /orders\[0\] as an object without the field "type"/,
    ],
    [
      'an expiry of a batch',
      '/v1/orders',
      { orders: [good, good], nowMs: 1, expiresAt: 5 },
      'InvalidRequest',
      /expiresAt as absent/,
    ],
    [
      'too many orders',
      '/v1/orders',
      { orders: Array(BATCH_ITEMS_MAX + 1).fill(good), nowMs: 1 },
      'InvalidRequest',
      /at most 200/,
    ],
    ['an unknown symbol', '/v1/orders', place({ symbol: 'XRP-USD' }), 'UnknownMarket', /got "XRP-USD"/],
    [
      'a price as a number',
      '/v1/orders',
      place({ price: 100000 }),
      'InvalidRequest',
      /price as decimal text, got 100000/,
    ],
    [
      'a price of zero',
      '/v1/orders',
      place({ price: '0' }),
      'InvalidRequest',
      /price as decimal text above 0/,
    ],
    [
      'a negative price',
      '/v1/orders',
      place({ price: '-1' }),
      'InvalidRequest',
      /price as decimal text above 0/,
    ],
    ['an exponent', '/v1/orders', place({ price: '1e5' }), 'InvalidRequest', /price as decimal text above 0/],
    [
      'too many decimals',
      '/v1/orders',
      place({ price: '100000.05' }),
      'InvalidPrecision',
      /at most 1 decimals/,
    ],
    [
      'a price off the tick',
      '/v1/orders',
      place({ price: '100000.3' }),
      'InvalidPrecision',
      /multiple of the market's step/,
    ],
    ['a price beyond 32 bits', '/v1/orders', place({ price: '429496729.6' }), 'InvalidRequest', /ticks/],
    [
      'a size off the lot',
      '/v1/orders',
      place({ symbol: 'ETH-USD', size: '0.03' }),
      'InvalidPrecision',
      /size as a multiple/,
    ],
    [
      'an unknown side',
      '/v1/orders',
      place({ side: 'long' }),
      'InvalidRequest',
      /one of buy, sell, got "long"/,
    ],
    [
      'an unknown time in force',
      '/v1/orders',
      place({ timeInForce: 'gtd' }),
      'InvalidRequest',
      /one of gtc, ioc, fok, postOnly/,
    ],
    ['a flag as text', '/v1/orders', place({ reduceOnly: 'false' }), 'InvalidRequest', /true or false/],
    ['an empty label', '/v1/orders', place({ clientOrderId: '' }), 'InvalidRequest', /clientOrderId as text/],
    [
      'a label too long',
      '/v1/orders',
      place({ clientOrderId: 'x'.repeat(65) }),
      'InvalidRequest',
      /at most 64/,
    ],
    [
      'a nowMs with a fraction',
      '/v1/orders',
      { orders: [], nowMs: 1.5 },
      'InvalidRequest',
      /nowMs as an integer/,
    ],
    [
      'a cancel without a number',
      '/v1/orders/cancel',
      cancel({ symbol: 'BTC-USD' }),
      'InvalidRequest',
      /orderId as text/,
    ],
    [
      'a number of another market',
      '/v1/orders/cancel',
      cancel({ symbol: 'BTC-USD', orderId: (41n << 48n).toString() }),
      'InvalidRequest',
      /a number of BTC-USD/,
    ],
    [
      'a field in an empty body',
      '/v1/orders/cancel-all',
      { symbol: 'BTC-USD' },
      'InvalidRequest',
      /without the field "symbol"/,
    ],
    [
      'leverage below 1',
      '/v1/account/leverage',
      { symbol: 'BTC-USD', leverage: 0 },
      'InvalidRequest',
      /leverage as a number/,
    ],
    [
      'an agent that is no address',
      '/v1/account/agents/approve',
      { agent: '0x12', validUntilMs: 0 },
      'InvalidRequest',
      /agent as an address/,
    ],
    ['an operation that is not offered', '/v1/orders/none', {}, 'OperationUnsupported', /\/v1\/orders\/none/],
  ])('%s', (_name, path, body, code, message) => {
    const read = readWrite(path, body, CONTEXT);
    expect(read).toMatchObject({ problem: { code, message: expect.stringMatching(message) } });
  });
});
