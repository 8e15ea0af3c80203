/** The writes of the client for people, by main wallet and by API wallet, on the embedded exchange. */
import { describe, expect, test } from 'vitest';
import { ApiError, UnresolvedWriteError } from '../../src/client/index.ts';
import { quantums } from '../../src/domain/index.ts';
import { startPeopleClient } from '../support/people-client.ts';
import { bodyOf, madeError, replyOf } from './wire.ts';

const FAR = { symbol: 'BTC-USD', side: 'buy', price: '90000', size: '0.0100' } as const;

describe.each(['wallet', 0] as const)('signed by %s', (by) => {
  test('an order is placed, seen, replaced and canceled', async () => {
    const { client, now, wire, venue } = await startPeopleClient({ by });
    const placed = await now(client.orders.place({ ...FAR, clientOrderId: 'mine' }));
    expect(placed).toMatchObject({ proof: 'answer', items: [{ state: 'accepted', resting: true }] });
    const orderId = placed.items[0]?.orderId ?? '';
    const [open] = await now(client.account.orders());
    expect(open).toMatchObject({ orderId, clientOrderId: 'mine', status: 'open', side: 'buy' });
    expect(open?.price.equals('90000')).toBe(true);
    const replaced = await now(
      client.orders.replace({
        cancels: [{ symbol: 'BTC-USD', orderId }],
        orders: [{ ...FAR, price: '90001' }],
      }),
    );
    expect(replaced.items.map(({ kind, state }) => [kind, state])).toEqual([
      ['cancel', 'canceled'],
      ['place', 'accepted'],
    ]);
    const number = replaced.items[1]?.orderId ?? '';
    const canceled = await now(client.orders.cancel({ symbol: 'BTC-USD', orderId: number }));
    expect(canceled.items[0]?.canceledSize?.equals('0.01')).toBe(true);
    expect(await now(client.account.orders())).toEqual([]);
    const [first] = wire.posts('/v1/orders');
    expect(bodyOf(first!)['signer']).toBe(by === 'wallet' ? undefined : venue.agent);
    await client.close();
  });

  test('leverage, the switch and cancel-all are written', async () => {
    const { client, now, venue } = await startPeopleClient({ by });
    await now(client.account.setLeverage({ symbol: 'BTC-USD', leverage: 5 }));
    await now(client.orders.place({ orders: [FAR, { ...FAR, price: '90002' }] }));
    await now(client.orders.scheduleCancel({ triggerAt: venue.nowMs + 60_000 }));
    await now(client.orders.scheduleCancel({ triggerAt: 0 }));
    const { items } = await now(client.orders.cancelAll());
    expect(items).toHaveLength(2);
    await client.close();
  });
});

describe('outcomes', () => {
  test('a lost answer is resolved by its receipt and sent once (obligations O57, O67)', async () => {
    const { client, now, wire } = await startPeopleClient({ by: 0 });
    wire.disturb = async (request, pass) => {
      const reply = await pass();
      return request.method === 'POST' ? { kind: 'lost', why: 'cut' } : reply;
    };
    const result = await now(client.orders.place(FAR));
    expect(result).toMatchObject({ proof: 'receipt', items: [{ state: 'accepted' }] });
    expect(wire.posts('/v1/orders')).toHaveLength(1);
    await client.close();
  });

  test('error: what stays unknown says so and can be awaited', async () => {
    const { client, now, error, wire } = await startPeopleClient({
      by: 0,
      client: { resolveWithinMs: 3_000 },
    });
    await now(client.orders.cancelAll());
    let isDown = true;
    wire.disturb = async (request, pass) => {
      const isHeld = request.method === 'POST' || request.path.startsWith('/v1/requests/');
      if (!isHeld || !isDown) return pass();
      if (request.method === 'POST') await pass();
      return { kind: 'lost', why: 'cut' };
    };
    const thrown = await error(client.orders.place(FAR));
    expect(thrown).toBeInstanceOf(UnresolvedWriteError);
    expect(thrown).toMatchObject({ code: 'CLIENT_OUTCOME_UNKNOWN', effect: 'unknown', status: 0 });
    const behind = await error(client.orders.cancelAll());
    expect(behind).toMatchObject({ code: 'CLIENT_LANE_BUSY', effect: 'none' });
    isDown = false;
    const result = await now((thrown as unknown as UnresolvedWriteError).resolution);
    expect(result).toMatchObject({ requestId: thrown['requestId'], items: [{ state: 'accepted' }] });
    await client.close();
  });

  test('a write that never arrived is closed by a fence that touches no order', async () => {
    const { client, now, error, wire } = await startPeopleClient({
      by: 0,
      client: { resolveWithinMs: 20_000 },
    });
    await now(client.orders.place(FAR));
    let isFirst = true;
    wire.disturb = async (request, pass) => {
      if (request.method !== 'POST' || !isFirst) return pass();
      isFirst = false;
      return { kind: 'lost', why: 'cut' };
    };
    const thrown = await error(client.orders.place({ ...FAR, price: '90005' }));
    expect(thrown).toMatchObject({ code: 'conflict', effect: 'none' });
    const [open, ...others] = await now(client.account.orders());
    expect([open?.price.toFixed(), others]).toEqual(['90000', []]);
    expect(bodyOf(wire.posts('/v1/orders/replace')[0]!)).toMatchObject({ cancels: [], orders: [] });
    expect((await now(client.orders.cancelAll())).items).toHaveLength(1);
    await client.close();
  });

  test('error: a rejection carries code, num, status, requestId, body and a remedy', async () => {
    const { client, error, wire } = await startPeopleClient({ by: 0 });
    const crossing = { ...FAR, side: 'sell', timeInForce: 'fok' } as const;
    const thrown = await error(client.orders.place({ ...crossing, price: '200000' }));
    expect(thrown).toBeInstanceOf(ApiError);
    const reply = replyOf(wire.posts('/v1/orders')[0]!);
    expect(thrown).toMatchObject({
      code: 'FokInsufficientLiquidity',
      num: 2011,
      effect: 'none',
      remedy: 'Order a smaller size, or use ioc.',
    });
    expect(JSON.parse(String(thrown['body']))).toEqual(reply);
    expect(thrown['requestId']).toMatch(/^0x[0-9a-f]{64}$/);
    await client.close();
  });

  test('error: a refusal keeps the gateway open for the next write (obligations O30)', async () => {
    const { client, error, now, wire } = await startPeopleClient({ by: 0 });
    let isFirst = true;
    wire.disturb = async (request, pass) => {
      if (request.method !== 'POST' || !isFirst) return pass();
      isFirst = false;
      return madeError(400, 'InvalidRequest');
    };
    expect(await error(client.orders.place(FAR))).toMatchObject({
      code: 'InvalidRequest',
      status: 400,
      effect: 'none',
    });
    expect((await now(client.orders.place(FAR))).items).toHaveLength(1);
    await client.close();
  });

  test('202 is proven by the receipt', async () => {
    const { client, now, wire } = await startPeopleClient({ by: 0, client: { ack: 'sequenced' } });
    const result = await now(client.orders.place(FAR));
    expect(wire.posts('ack=sequenced')[0]?.reply).toMatchObject({ status: 202 });
    expect(result).toMatchObject({ proof: 'receipt', items: [{ state: 'accepted' }] });
    await client.close();
  });
});

describe('identities', () => {
  test('a main wallet approves an API wallet, which writes then, and takes the grant back', async () => {
    const main = await startPeopleClient();
    const { client, now, venue } = main;
    const other = venue.another();
    const wallet = `0x${Buffer.from(other.account.key.exposeBytes()).toString('hex')}`;
    const { seq } = await now(client.apiWallets.approve({ address: other.address, validUntil: 0 }));
    const agent = main.another({ wallet, account: { address: venue.address } });
    expect((await now(agent.client.orders.place({ ...FAR, minSeq: seq }))).items[0]?.state).toBe('accepted');
    expect(agent.wire.posts('/v1/orders')[0]?.request.headers['x-svc-min-seq']).toBe(String(seq));
    await now(client.apiWallets.revoke({ address: other.address }));
    expect(await agent.error(agent.client.orders.place(FAR))).toMatchObject({
      code: 'UnknownAgent',
      num: 1110,
      status: 403,
      effect: 'none',
    });
    await agent.client.close();
    await client.close();
  });

  test('subaccounts are accounts of their own, with a nonce scope of their own', async () => {
    const { client, now, wire, venue } = await startPeopleClient();
    await now(client.account.createSubaccount());
    expect((await now(client.account.subaccounts())).map(({ subaccount }) => subaccount)).toEqual([0, 1]);
    venue.exchange.control.fund({ account: venue.address, amount: quantums(1_000_000_000n), subaccount: 1 });
    await now(client.orders.place({ ...FAR, size: '0.0010', subaccount: 1 }));
    expect(await now(client.account.orders())).toEqual([]);
    expect(await now(client.account.orders({ subaccount: 1 }))).toHaveLength(1);
    expect(bodyOf(wire.posts('/v1/orders')[0]!)['subaccount']).toBe(1);
    await client.close();
  });

  test('error: what only a main wallet may do is refused before anything is sent', async () => {
    const { client, error, wire } = await startPeopleClient({ by: 0 });
    const thrown = await error(client.account.createSubaccount());
    expect(thrown).toMatchObject({ code: 'CLIENT_MAIN_WALLET_NEEDED', effect: 'none' });
    expect(wire.posts()).toEqual([]);
    await client.close();
  });
});

describe('what is refused before it is sent', () => {
  test.each([
    ['a price off the tick', { price: '90000.05' }, 'CLIENT_DECIMAL_INVALID'],
    ['a number in place of text', { price: 90000 as never }, 'CLIENT_DECIMAL_INVALID'],
    ['a size of zero', { size: '0' }, 'CLIENT_DECIMAL_INVALID'],
    ['an unknown market', { symbol: 'XXX' }, 'CLIENT_MARKET_UNKNOWN'],
    ['an unknown word', { timeInForce: 'GTC' as never }, 'CLIENT_FIELD_INVALID'],
    ['a time that is none', { expiresAt: 1.5 }, 'CLIENT_TIME_INVALID'],
  ])('error: %s', async (_what, change, code) => {
    const { client, error, wire } = await startPeopleClient({ by: 0 });
    expect(await error(client.orders.place({ ...FAR, ...change }))).toMatchObject({ code, effect: 'none' });
    expect(wire.posts()).toEqual([]);
    await client.close();
  });
});

describe('endings', () => {
  test('a new ledger voids the positions of own writes: reads and writes go on in it (obligations O20)', async () => {
    const { client, now, venue } = await startPeopleClient({ by: 0 });
    for (const price of ['90000', '90001', '90002']) await now(client.orders.place({ ...FAR, price }));
    venue.exchange.control.epoch();
    await venue.clock.advanceAsync(500);
    expect(await now(client.account.orders(), 300_000)).toBeDefined();
    const placed = await now(client.orders.place(FAR), 300_000);
    expect(placed.items[0]?.state).toBe('accepted');
    await client.close();
  });

  test('error: a client that is closed says what became of its writes', async () => {
    const { client, now, error, wire } = await startPeopleClient({ by: 0 });
    await now(client.orders.cancelAll());
    wire.disturb = async (request, pass) => {
      const isHeld = request.method === 'POST' || request.path.startsWith('/v1/requests/');
      return isHeld ? { kind: 'lost', why: 'cut' } : pass();
    };
    const underWay = error(client.orders.place(FAR));
    const waiting = error(client.orders.cancelAll());
    await client.account.nonce().catch(() => undefined);
    await client.close();
    expect(await underWay).toMatchObject({ effect: 'unknown', code: 'CLIENT_LANE_CLOSED' });
    expect(await waiting).toMatchObject({ effect: 'none', code: 'CLIENT_LANE_HALTED' });
    expect(await error(client.orders.cancelAll())).toMatchObject({ code: 'CLIENT_CLOSED', effect: 'none' });
  });
});
