import { describe, expect, test } from 'vitest';
import type { ServerFrame } from '../../../../src/wire/protocol/decode/frame-types.ts';
import { allocateBookLevels, type BookTargets, decodeFrame } from '../../../../src/wire/protocol/index.ts';
import { OWNER, SERVER_FRAMES } from '../../../support/wire-samples.ts';
import { CONTEXT, NO_BOOKS } from './support.ts';

function frameOf(value: unknown): ServerFrame {
  const decoded = decodeFrame(JSON.stringify(value), CONTEXT, NO_BOOKS);
  if (!decoded.ok) throw decoded.error;
  return decoded.value;
}

function sample(channel: string, isSnapshot?: boolean): Record<string, unknown> & { data: object } {
  const found = SERVER_FRAMES.find(
    (frame) =>
      frame.channel === channel &&
      (isSnapshot === undefined || Reflect.get(frame, 'isSnapshot') === isSnapshot),
  );
  if (found === undefined) throw new Error(`no sample of ${channel}`);
  return found as never;
}

/** The event of an order that is open. */
function anOpen() {
  const frame = sample('orders', false);
  return { ...frame, data: { ...frame.data, status: 'open' } };
}

describe('decodeFrame', () => {
  test.each(SERVER_FRAMES.map((frame) => [frame.channel, frame] as const))(
    'a frame of %s is read',
    (channel, frame) => {
      expect(frameOf(frame).channel).toBe(channel);
    },
  );

  test.each(SERVER_FRAMES.map((frame) => [frame.channel, frame] as const))(
    'unknown fields change nothing on %s (obligation O14)',
    (_channel, frame) => {
      const data = { ...frame.data, extra: { deep: [1] } };
      const extended = { later: true, ...frame, data };
      const { data: _data, ...rest } = frameOf(extended) as { data?: unknown };
      const { data: _plain, ...expected } = frameOf(frame) as { data?: unknown };
      expect(rest).toEqual(expected);
    },
  );

  test('an order event is one order in ticks and lots', () => {
    expect(frameOf(anOpen())).toEqual({
      channel: 'orders',
      address: OWNER,
      subaccount: 0,
      epoch: 'k1790239771298524311-1696007',
      seq: 88n,
      isSnapshot: false,
      orders: [
        {
          symbol: 'BTC-USD',
          orderId: '4521985',
          side: 'sell',
          priceTicks: 1_000_500,
          sizeLots: 5,
          remainingLots: 3,
          timeInForce: 'postOnly',
          reduceOnly: false,
          clientOrderId: 'maker-1',
          status: 'open',
          seq: 77n,
          expiresAtMs: 0,
        },
      ],
    });
  });

  test('the end of an order needs no more than its number and its status', () => {
    const frame = sample('orders', false);
    expect(frameOf(frame)).toMatchObject({
      orders: [{ orderId: '4521985', symbol: 'BTC-USD', status: 'filled', remainingLots: 3, seq: 77n }],
    });
    const data = { orderId: '4521985', status: 'canceled' };
    expect(frameOf({ ...frame, data })).toMatchObject({
      orders: [{ ...data, symbol: undefined, remainingLots: undefined, seq: undefined }],
    });
  });

  test('money is quantums, signed sizes keep their sign', () => {
    expect(frameOf(sample('positions'))).toMatchObject({
      positions: [{ sizeLots: -1, costBasis: -100_050_000n, unrealizedPnl: 50_000n, accruedFunding: 0n }],
    });
    expect(frameOf(sample('account'))).toMatchObject({
      account: { equity: 5_000_350_000n, makerFeePpm: -20 },
    });
    expect(frameOf(sample('fills'))).toMatchObject({ fill: { fee: -2001n, role: 'maker' } });
    expect(frameOf(sample('ledger'))).toMatchObject({ entry: { amount: 100_050_000n, kind: 'trade' } });
  });

  test('positions in the log are exact beyond 2^53, as number or as text (obligation O7, ambiguity A17)', () => {
    const text = JSON.stringify(sample('trades')).replace('"seq":73', '"seq":18446744073709551615');
    expect(decodeFrame(text, CONTEXT, NO_BOOKS)).toMatchObject({ ok: true, value: { seq: 2n ** 64n - 1n } });
    expect(frameOf({ ...sample('trades'), seq: '18446744073709551615' })).toMatchObject({
      seq: 2n ** 64n - 1n,
    });
  });

  test('the position of a book is exact beyond 2^53 too, though its levels go the fast lane', () => {
    const text = JSON.stringify(sample('book')).replace('"seq":8812', '"seq":9007199254740993');
    expect(decodeFrame(text, CONTEXT, NO_BOOKS)).toMatchObject({ ok: true, value: { seq: 2n ** 53n + 1n } });
  });

  test('the levels of a book are in the arrays of its market, and nowhere in the frame', () => {
    const levels = allocateBookLevels();
    const asked: unknown[] = [];
    const books: BookTargets = {
      book: (...of) => {
        asked.push(of);
        return levels;
      },
    };
    const decoded = decodeFrame(JSON.stringify(sample('book')), CONTEXT, books);
    expect(asked).toEqual([['BTC-USD', false]]);
    expect(decoded).toMatchObject({ ok: true, value: { channel: 'book', flaw: undefined } });
    expect(decoded).not.toHaveProperty('value.data');
    expect(levels.bidCount).toBeGreaterThan(0);
  });

  test.each([
    ['that crosses itself', { bids: [['2', '1']], asks: [['2', '1']] }, /best bid reaches/],
    ['of an unknown market', { symbol: 'XRP-USD' }, /market is unknown/],
  ])('error: a book %s is a frame that names its flaw', (_what, changes, flaw) => {
    const frame = sample('book');
    const text = JSON.stringify({ ...frame, data: { ...frame.data, ...changes } });
    const decoded = decodeFrame(text, CONTEXT, { book: () => allocateBookLevels() });
    expect(decoded).toMatchObject({ ok: true, value: { flaw: expect.stringMatching(flaw) } });
  });

  test('an epoch beyond 2^53 is exact, as number or as text', () => {
    const text = JSON.stringify(sample('account')).replace(/"epoch":"[^"]*"/, '"epoch":1790000000000000001');
    expect(decodeFrame(text, CONTEXT, NO_BOOKS)).toMatchObject({
      ok: true,
      value: { epoch: '1790000000000000001' },
    });
  });

  test('ids may be numbers', () => {
    const frame = sample('orders', false);
    expect(frameOf({ ...frame, epoch: 7, data: { ...frame.data, orderId: 4521985 } })).toMatchObject({
      epoch: '7',
      orders: [{ orderId: '4521985' }],
    });
  });

  test('what is absent and optional is absent, an unknown fee is not zero', () => {
    const frame = sample('fills');
    const data: Record<string, unknown> = { ...frame.data };
    for (const name of ['fee', 'ts', 'role', 'seq', 'sub', 'idx', 'counterOrderId']) delete data[name];
    expect(frameOf({ channel: 'fills', data })).toMatchObject({
      address: undefined,
      subaccount: 0,
      epoch: undefined,
      fill: { fee: null, atMs: null, role: 'taker' },
    });
  });

  test('an order with an unknown time in force is kept, as one that rests', () => {
    const frame = anOpen();
    const data = { ...frame.data, timeInForce: 'goodForAuction', clientOrderId: null };
    const decoded = frameOf({ ...frame, data });
    expect(decoded).toMatchObject({ orders: [{ timeInForce: 'gtc' }] });
    expect(decoded).not.toHaveProperty('orders.0.clientOrderId');
  });

  test('a channel of a later version is passed on by name', () => {
    expect(frameOf({ channel: 'auctions', data: {} })).toEqual({ channel: 'unknown', name: 'auctions' });
  });

  const order = anOpen();
  test.each<[string, string]>([
    ['no JSON', '{"channel":"book"'],
    ['HTML', '<html></html>'],
    ['a list', '[]'],
    ['no channel', '{}'],
    ['a channel that is no text', '{"channel":7}'],
    ['no data', '{"channel":"trades","seq":1}'],
    ['an unknown market', JSON.stringify({ ...order, data: { ...order.data, symbol: 'XRP-USD' } })],
    ['an unknown order status', JSON.stringify({ ...order, data: { ...order.data, status: 'melted' } })],
    ['an unknown side', JSON.stringify({ ...order, data: { ...order.data, side: 'long' } })],
    ['a price as a number', JSON.stringify({ ...order, data: { ...order.data, price: 100050 } })],
    ['a price with too many decimals', JSON.stringify({ ...order, data: { ...order.data, price: '1.05' } })],
    ['a price beyond 32 bits', JSON.stringify({ ...order, data: { ...order.data, price: '429496729.6' } })],
    ['a negative size', JSON.stringify({ ...order, data: { ...order.data, size: '-0.001' } })],
    ['a snapshot without orders', JSON.stringify({ ...order, isSnapshot: true, data: {} })],
    ['a null order', JSON.stringify({ ...order, isSnapshot: true, data: { orders: [null] } })],
    ['a lagged frame without bound', JSON.stringify({ channel: 'lagged', data: { dropped: 1, epoch: 'e' } })],
  ])('error: %s is a value of unknown effect, nothing is thrown', (_name, text) => {
    const decoded = decodeFrame(text, CONTEXT, NO_BOOKS);
    expect(decoded).toMatchObject({ ok: false, error: { name: 'ProtocolError', effect: 'unknown' } });
  });
});
