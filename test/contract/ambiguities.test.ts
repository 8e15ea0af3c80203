/** What the interface document leaves open (quirks.md): the real client under each answer of the exchange. */
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Fields, must, SystemClock, seededRandom, silentLog, unixMs } from '../../src/core/index.ts';
import { quantums, ticks } from '../../src/domain/index.ts';
import { Exchange, type Quirks, startServer } from '../../src/exchange/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { AMBIGUITIES } from '../simulation/ambiguities.ts';
import type { TestExchange } from '../support/test-exchange.ts';
import { type Disturbance, disturb, problemsOf, runWholeBot, startOf } from '../support/whole-bot.ts';
import { type Client, startClient } from './client.ts';
import { bodyOf } from './wire.ts';

/** Everything that makes a bot read again what it believes. */
const TROUBLE: readonly Disturbance[] = [
  { kind: 'streams cut', atMs: 6_000, forMs: 0, strength: 1 },
  { kind: 'frames dropped, then lagged', atMs: 9_000, forMs: 700, strength: 1 },
  { kind: 'answers lost after commit', atMs: 12_000, forMs: 4_000, strength: 0.4 },
  { kind: 'requests late after loss', atMs: 17_000, forMs: 3_000, strength: 0.3 },
  { kind: 'new epoch', atMs: 21_000, forMs: 0, strength: 0.2 },
  { kind: 'replica lag', atMs: 24_000, forMs: 3_000, strength: 0.2 },
  { kind: 'lagged', atMs: 28_000, forMs: 0, strength: 1 },
];
/** Questions that every bot meets; those that take more have a test of their own below. The defaults are everybody's. */
const ALWAYS_MET = ['A4', 'A5', 'A7', 'A9', 'A10', 'A12', 'A17', 'A18', 'A20'];

const cases = AMBIGUITIES.filter(({ id }) => ALWAYS_MET.includes(id)).flatMap(({ id, values, settingsOf }) =>
  values.slice(1).map((value) => [`${id}=${value}`, id, settingsOf(value)] as const),
);

describe('a whole bot in trouble', () => {
  test.each(cases)('is right under %s (obligations A1 to A20)', async (_name, id, settings) => {
    const met = new Set<string>();
    const run = await runWholeBot({
      seed: 4,
      forMs: 32_000,
      settings: { ...settings, replicaLagMs: 1 },
      prepare: (world) => {
        world.exchange.control.onQuirk((question) => met.add(question));
        disturb(world, TROUBLE);
      },
    });
    expect(problemsOf(run)).toEqual([]);
    expect(run.fills.length).toBeGreaterThan(0);
    // Nobody who learns its bounds from first pages is asked where they come from.
    if (id !== 'A9') expect(met).toContain(id);
  });
});

/** A client on an exchange with these answers. */
const clientUnder = (quirks: Partial<Quirks>): Promise<Client> => startClient({ settings: { quirks } });

/** The nonces that the client's trading wallet signed for, each once. */
function noncesOf({ wire, venue }: Client): readonly number[] {
  const own = wire
    .posts()
    .map(bodyOf)
    .filter(({ signer }) => signer === venue.agent);
  return [...new Set(own.map(({ nonce }) => nonce as number))];
}

describe('A1: how a request id is made', () => {
  test('one that cannot be foretold is a forgery: the lane halts by name, and nothing ever rests (O75)', async () => {
    const errors: string[] = [];
    let venue: TestExchange | undefined;
    const log = {
      ...silentLog,
      error: (message: string, fields?: Fields) => errors.push(`${message} ${JSON.stringify(fields)}`),
    };
    const starting = startClient({
      settings: { quirks: { A1: 'random' } },
      log,
      prepare: (_wire, made) => {
        venue = made;
      },
    });
    await expect(starting).rejects.toThrow();
    expect(errors.join()).toContain('EXECUTION_REQUEST_ID_MISMATCH');
    const { exchange, account } = must(venue, 'the exchange');
    expect(exchange.control.venue.openOrders(account.accountId)).toEqual([]);
  });
});

describe('A2: nonces that skip numbers', () => {
  test.each(['strict', 'gaps'] as const)('%s: the client always sends the next', async (A2) => {
    const client = await clientUnder({ A2 });
    for (let n = 0; n < 4; n++) {
      client.place({ priceTicks: ticks(900_000 + n) });
      await client.settled();
    }
    const nonces = noncesOf(client);
    expect(nonces).toEqual(nonces.map((_nonce, at) => (nonces[0] ?? 0) + at));
    const { status } = client.venue.write(
      '/v1/orders/schedule-cancel',
      { triggerMs: client.venue.nowMs + 9_000, nowMs: client.venue.nowMs },
      { nonce: BigInt((nonces.at(-1) ?? 0) + 6) },
    );
    expect(status).toBe(A2 === 'strict' ? 409 : 200);
  });
});

describe('A3: limits of schedule-cancel', () => {
  test.each(['plain', 'lead', 'cap', 'no-clear'] as const)(
    '%s: a write that is lost is fenced all the same',
    async (A3) => {
      const client = await clientUnder({ A3 });
      client.venue.exchange.control.disturb({ fault: { kind: 'dropRequest' } });
      // Far from the last arm: its trigger is what a fence repeats.
      await client.run(3_000);
      client.place();
      await client.settled(60_000);
      expect(client.of('OrderNotExecuted')).toHaveLength(1);
      client.place();
      await client.settled();
      expect(client.of('OrderAccepted')).toHaveLength(1);
      expect(client.of('LaneHalted')).toEqual([]);
    },
  );
});

describe('A3=cap: a switch that has fired as often as it may', () => {
  test('cannot be armed, and without it no order rests (obligations O78)', async () => {
    const unarmedMs: number[] = [];
    const run = await runWholeBot({
      seed: 6,
      forMs: 100_000,
      settings: { quirks: { A3: 'cap' } },
      prepare: ({ clock, exchange, accountId }) => {
        const { control } = exchange;
        clock.every(5_000, () => control.fireDeadMansSwitch({ account: accountId }).wasArmed);
        clock.every(500, () => {
          const isArmed = control.venue.account(accountId).scheduleCancelAtMs > 0;
          if (!isArmed && control.venue.openOrders(accountId).length > 0) unarmedMs.push(clock.monotonicMs());
        });
      },
    });
    const lastFireMs = 10 * 5_000 + 15_000;
    expect(run.observed.fired).toBe(10);
    expect(run.observed.placedAtMs.filter((atMs) => atMs > startOf(run.world) + lastFireMs)).toEqual([]);
    expect(unarmedMs.filter((atMs) => atMs > lastFireMs)).toEqual([]);
    expect(run.observed.atEnd().openOrders).toBe(0);
  });
});

describe('A6: the nonce of a write that is refused at the door', () => {
  const REFUSALS = [
    {
      code: 'RateLimited',
      message: 'spent',
      details: { bucket: 'account' },
      headers: { 'retry-after': '1' },
    },
    { code: 'WrongNode', message: 'elsewhere', details: { node: 'https://node-2.invalid' } },
    { code: 'ReplicaBehind', message: 'behind', details: { applied: 1, required: 9 } },
  ] as const;
  const both = (['kept', 'consumed'] as const).flatMap((A6) =>
    REFUSALS.map((refusal) => [A6, refusal.code, refusal] as const),
  );

  test.each(both)(
    '%s with %s: the order ends once, and the next one has the right nonce',
    async (A6, _code, refusal) => {
      const client = await clientUnder({ A6 });
      client.venue.exchange.control.disturb({
        fault: { kind: 'httpError', refusal },
        matches: ({ method, path }) => method === 'POST' && path === '/v1/orders',
      });
      client.place();
      await client.settled();
      expect([client.of('OrderAccepted').length, client.of('OrderRejected').length]).toEqual(
        A6 === 'kept' ? [1, 0] : [0, 1],
      );
      client.place({ priceTicks: ticks(900_001) });
      await client.settled();
      expect(client.of('OrderAccepted')).toHaveLength(A6 === 'kept' ? 2 : 1);
      expect(client.openOrders()).toHaveLength(A6 === 'kept' ? 2 : 1);
      expect([client.of('LaneHalted'), client.bugs]).toEqual([[], []]);
    },
  );
});

describe('A8: the nonce of an order that arrives past its expiry', () => {
  test.each(['consumed', 'kept'] as const)('%s: it is rejected, and the next one goes', async (A8) => {
    const client = await clientUnder({ A8 });
    client.venue.exchange.control.disturb({
      fault: { kind: 'delayRequest', delayMs: 900 },
      matches: ({ method, path }) => method === 'POST' && path === '/v1/orders',
    });
    client.place({ expiresAtMs: unixMs(client.venue.nowMs + 500) });
    await client.settled();
    expect(client.of('OrderRejected')).toMatchObject([{ reason: 'OrderExpired' }]);
    client.place({ priceTicks: ticks(900_001) });
    await client.settled();
    expect(client.of('OrderAccepted')).toHaveLength(1);
    expect(client.openOrders()).toHaveLength(1);
    expect(client.of('LaneHalted')).toEqual([]);
  });
});

describe('A11: a ping of the WebSocket protocol', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  test.each([
    ['no', 1001],
    ['yes', undefined],
  ] as const)('%s: a connection that sends nothing else is closed with %s', async (A11, code) => {
    const clock = new SystemClock();
    const exchange = new Exchange({
      clock,
      random: seededRandom(3),
      crypto: await loadCrypto(),
      settings: { quirks: { A11 }, idleCloseMs: 400, blockMs: 50 },
    });
    exchange.start();
    const server = await startServer(exchange);
    const socket = new WebSocket(server.wsUrl);
    closers.push(async () => {
      clearInterval(pings);
      socket.terminate();
      exchange.stop();
      await server.close();
    });
    let closedWith: number | undefined;
    socket.on('close', (closed) => {
      closedWith = closed;
    });
    const pings = setInterval(() => {
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    }, 60);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(closedWith).toBe(code);
  });
});

describe('A13: reach of cancel-all over trigger orders', () => {
  test.each([
    ['all', 0],
    ['plain', 1],
  ] as const)('%s: its own orders are gone, and the %s stop that is left is seen', async (A13, left) => {
    const client = await clientUnder({ A13 });
    const { control } = client.venue.exchange;
    const { accountId } = client.venue.account;
    const terms = {
      market: 0,
      side: 'sell',
      price: 800_000,
      lots: 10n,
      tif: 'gtc',
      reduceOnly: false,
    } as const;
    const trigger = { triggerPrice: 810_000, triggerAbove: false, goodTilMs: 0, nowMs: 0 };
    control.execute({ kind: 'PlaceConditional', account: accountId, ...terms, ...trigger });
    client.place();
    await client.settled();
    client.lanes.executor.submitSafety({ kind: 'cancelAll' });
    await client.run(3_000);
    const waiting = control.venue.triggerOrders(accountId);
    expect(waiting).toHaveLength(left);
    // A stop waits outside the book and can still trade: a client that calls the account empty must have seen it.
    expect(client.openOrders().map(({ orderId }) => orderId)).toEqual(
      waiting.map(({ orderSeq }) => String(orderSeq)),
    );
    expect(client.of('CancelExecuted')).toHaveLength(1);
    expect([client.of('LaneHalted'), client.bugs]).toEqual([[], []]);
  });
});

describe('A14: the switch over a restart of the exchange', () => {
  test.each(['kept', 'lost'] as const)(
    '%s: no order outlives the bot by more than its trigger',
    async (A14) => {
      const unarmedMs: number[] = [];
      const run = await runWholeBot({
        seed: 6,
        forMs: 90_000,
        settings: { quirks: { A14 } },
        prepare: ({ clock, exchange, accountId }) => {
          const { control } = exchange;
          clock.after(20_000, () => control.restart({ down: 8_000 }));
          clock.after(50_000, () => control.restart({ down: 30_000 }));
          clock.every(1_000, () => {
            const isArmed = control.venue.account(accountId).scheduleCancelAtMs > 0;
            if (!isArmed && control.venue.openOrders(accountId).length > 0)
              unarmedMs.push(clock.monotonicMs());
          });
        },
      });
      const atEnd = run.observed.atEnd();
      expect(atEnd.openOrders).toBe(0);
      // The exchange forgot it, the bot armed it again with its next heartbeat or took its orders away.
      expect(unarmedMs.length).toBeLessThanOrEqual(A14 === 'kept' ? 0 : 12);
      expect(problemsOf(run).filter((what) => A14 === 'kept' || !what.includes('(I11)'))).toEqual([]);
    },
  );
});

describe('A15: an API wallet that is approved again', () => {
  test.each(['continues', 'restarts'] as const)('%s: a revoked key never signs again', async (A15) => {
    const client = await clientUnder({ A15 });
    const { exchange, address, agent } = client.venue;
    client.place();
    await client.settled();
    exchange.control.revoke({ account: address, agent });
    client.place({ priceTicks: ticks(900_001) });
    await client.run(2_000);
    expect(client.of('LaneHalted')).toMatchObject([{ lane: 'trader', code: 'EXECUTION_GRANT_INVALID' }]);
    const sent = noncesOf(client).length;
    exchange.control.approve({ account: address, agent });
    const { json } = client.venue.get(`/v1/account/nonce?address=${address}&signer=${agent}`);
    expect(json.nonce === 0).toBe(A15 === 'restarts');
    await client.run(20_000);
    expect(noncesOf(client)).toHaveLength(sent);
  });
});

describe('A19: accounts that cancel-all reaches', () => {
  test.each([
    ['account', 1],
    ['wallet', 0],
  ] as const)(
    '%s: of its own orders each is told gone once, %s order of the other rests',
    async (A19, left) => {
      const client = await clientUnder({ A19 });
      const { control } = client.venue.exchange;
      const owner = client.venue.address;
      const subaccount = control.subaccount({ account: owner }).subaccount;
      const other = must(control.accountId(owner, subaccount), 'the subaccount');
      control.transfer({ from: client.venue.account.accountId, to: other, amount: quantums(1_000_000_000n) });
      const order = {
        market: 0,
        side: 'buy',
        price: 900_000,
        lots: 10n,
        tif: 'gtc',
        reduceOnly: false,
      } as const;
      control.submit({ owner, subaccount }, (account) => ({
        kind: 'BatchPlace',
        account,
        nowMs: 0,
        orders: [order],
      }));
      client.place();
      await client.settled();
      client.lanes.executor.submitSafety({ kind: 'cancelAll' });
      await client.run(3_000);
      expect(client.openOrders()).toEqual([]);
      expect(control.venue.openOrders(other)).toHaveLength(left);
      expect(client.of('CancelExecuted')).toHaveLength(1);
      expect([client.of('LaneHalted'), client.bugs]).toEqual([[], []]);
    },
  );
});
