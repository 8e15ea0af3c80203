/** The streams of the client for people on the embedded exchange: snapshots, repair, backfill, sharding. */
import { describe, expect, test } from 'vitest';
import type { AccountFill, ExchangeLogEvent, OrdersUpdate } from '../../src/client/index.ts';
import { CHANNELS } from '../../src/wire/protocol/index.ts';
import { type PeopleClient, startPeopleClient } from '../support/people-client.ts';
import { anOrder, type TestExchange } from '../support/test-exchange.ts';

const BTC = { symbol: 'BTC-USD' } as const;

/** A trade of the account with another one: a fill for each. */
function trade(venue: TestExchange, other: TestExchange, price = '100000.0'): void {
  venue.place([anOrder({ price })]);
  other.place([anOrder({ price, side: 'sell', timeInForce: 'ioc' })]);
  venue.blocks();
}

async function pass({ venue }: PeopleClient, ms = 3_000): Promise<void> {
  await venue.clock.advanceAsync(ms);
}

/** Cuts every socket of the client. */
function cut({ wire }: PeopleClient): void {
  for (const socket of wire.sockets.splice(0)) socket.close('cut by the test');
}

describe('channels', () => {
  test('all twelve are subscribed to with what they need', async () => {
    const people = await startPeopleClient();
    const { client, now, wire } = people;
    const { streams } = client;
    const hear = () => undefined;
    const subscriptions = await now(
      Promise.all([
        streams.prices(hear),
        streams.book({ ...BTC, depth: 5 }, hear),
        streams.bbo(BTC, hear),
        streams.trades(BTC, hear),
        streams.candles({ ...BTC, interval: '1m' }, hear),
        streams.funding(BTC, hear),
        streams.orders({}, hear),
        streams.fills({}, hear),
        streams.positions({}, hear),
        streams.account({}, hear),
        streams.ledger({}, hear),
        streams.events({}, hear),
      ]),
    );
    await now(Promise.all(subscriptions.map(({ ready }) => ready)));
    const asked = wire.sent.map((text) => JSON.parse(text)).filter(({ method }) => method === 'subscribe');
    expect(new Set(asked.map(({ params }) => params.channel))).toEqual(new Set(CHANNELS));
    await client.close();
  });

  test('an orders snapshot replaces the set, events change it', async () => {
    const people = await startPeopleClient();
    const { client, now, venue } = people;
    const updates: OrdersUpdate[] = [];
    venue.place([anOrder({ price: '90000.0' })]);
    const { ready } = await now(client.streams.orders({}, (update) => updates.push(update)));
    await now(ready);
    venue.place([anOrder({ price: '90001.0' })]);
    await pass(people);
    venue.write('/v1/orders/cancel-all', {});
    await pass(people);
    expect(updates.map(({ isSnapshot, open }) => [isSnapshot, open.length])).toEqual([
      [true, 1],
      [false, 2],
      [false, 1],
      [false, 0],
    ]);
    await client.close();
  });

  test('error: depth and interval are refused before anything is sent', async () => {
    const { client, error, wire } = await startPeopleClient();
    for (const depth of [0, 101, 1.5])
      expect(await error(client.streams.book({ ...BTC, depth }, () => undefined))).toMatchObject({
        code: 'CLIENT_FIELD_INVALID',
      });
    const interval = '2m' as never;
    expect(await error(client.streams.candles({ ...BTC, interval }, () => undefined))).toMatchObject({
      code: 'CLIENT_FIELD_INVALID',
    });
    expect(wire.sent).toEqual([]);
    await client.close();
  });

  test('error: what the gateway refuses is told with its code', async () => {
    const people = await startPeopleClient();
    const { client, now, error } = people;
    const errors: string[] = [];
    const { ready } = await now(
      client.streams.bbo(
        { symbol: 'NOPE' },
        { onUpdate: () => undefined, onError: ({ code }) => errors.push(code) },
      ),
    );
    expect(await error(ready)).toMatchObject({ name: 'ApiError', effect: 'none' });
    expect(errors).toHaveLength(1);
    await client.close();
  });
});

describe('repair', () => {
  test('after a disconnect a snapshot replaces what was shown', async () => {
    const people = await startPeopleClient();
    const { client, now, venue } = people;
    const states: string[] = [];
    let open: readonly unknown[] = [];
    const { ready } = await now(
      client.streams.orders(
        {},
        { onUpdate: (update) => (open = update.open), onState: (state) => states.push(state) },
      ),
    );
    await now(ready);
    cut(people);
    venue.place([anOrder({ price: '90001.0' })]);
    await pass(people, 10_000);
    expect(states).toEqual(['live', 'stale', 'live']);
    expect(open).toHaveLength(1);
    await client.close();
  });

  test.each(['now', 'start'] as const)(
    'fills of a time without connection are told once and in order, from %s',
    async (from) => {
      const people = await startPeopleClient();
      const { client, now, venue } = people;
      const other = venue.another();
      trade(venue, other, '100000.0');
      const fills: AccountFill[] = [];
      const { ready } = await now(client.streams.fills({ from }, (fill) => fills.push(fill)));
      await now(ready);
      trade(venue, other, '100001.0');
      await pass(people);
      cut(people);
      trade(venue, other, '100002.0');
      trade(venue, other, '100003.0');
      await pass(people, 10_000);
      trade(venue, other, '100004.0');
      await pass(people);
      const prices = fills.map(({ price }) => price.toNumber());
      const all = [100_000, 100_001, 100_002, 100_003, 100_004];
      expect(prices).toEqual(from === 'start' ? all : all.slice(1));
      expect(new Set(fills.map(({ id }) => id)).size).toBe(prices.length);
      await client.close();
    },
  );

  test('a lagged stream is filled up from history without a gap', async () => {
    const people = await startPeopleClient();
    const { client, now, venue, wire } = people;
    const other = venue.another();
    const fills: number[] = [];
    const kinds: string[] = [];
    const one = await now(client.streams.fills({}, ({ price }) => fills.push(price.toNumber())));
    const two = await now(client.streams.ledger({}, ({ kind }) => kinds.push(kind)));
    await now(Promise.all([one.ready, two.ready]));
    trade(venue, other, '100001.0');
    await pass(people);
    wire.isDeaf = true;
    trade(venue, other, '100002.0');
    await pass(people, 500);
    wire.isDeaf = false;
    const page = venue.get(`/v1/account/fills?address=${venue.address}`).json;
    wire.inject(
      JSON.stringify({ channel: 'lagged', data: { dropped: 2, epoch: page.epoch, upper: page.upper } }),
    );
    trade(venue, other, '100003.0');
    await pass(people, 5_000);
    expect(fills).toEqual([100_001, 100_002, 100_003]);
    expect(kinds.filter((kind) => kind === 'trade')).toHaveLength(3);
    await client.close();
  });

  test('a new ledger resets the cursors and is told whole', async () => {
    const people = await startPeopleClient();
    const { client, now, venue } = people;
    const other = venue.another();
    const fills: number[] = [];
    const resets: string[] = [];
    const { ready } = await now(
      client.streams.fills(
        {},
        { onUpdate: ({ price }) => fills.push(price.toNumber()), onReset: (epoch) => resets.push(epoch) },
      ),
    );
    await now(ready);
    trade(venue, other, '100001.0');
    await pass(people);
    venue.exchange.control.epoch();
    await pass(people, 10_000);
    expect(resets).toHaveLength(1);
    expect(fills[0]).toBe(100_001);
    await client.close();
  });

  test('events of one wallet are joined like its fills', async () => {
    const people = await startPeopleClient();
    const { client, now, venue } = people;
    const other = venue.another();
    const events: ExchangeLogEvent[] = [];
    const { ready } = await now(
      client.streams.events({ address: other.address }, (event) => events.push(event)),
    );
    await now(ready);
    other.place([anOrder({ price: '90000.0' })]);
    await pass(people);
    cut(people);
    other.place([anOrder({ price: '90001.0' })]);
    venue.place([anOrder({ price: '90002.0' })]);
    await pass(people, 10_000);
    const prices = events.flatMap(({ kind, data }) => (kind === 'OrderAccepted' ? [data['price']] : []));
    expect(prices).toEqual(['90000.0', '90001.0']);
    await client.close();
  });
});

describe('many subscriptions', () => {
  test('more than 200 go over several connections, and books of two depths are told apart', async () => {
    const people = await startPeopleClient();
    const { client, now, venue, wire } = people;
    const depths = new Map<number, number>();
    venue.place(Array.from({ length: 5 }, (_none, at) => anOrder({ price: `9000${at}.0`, size: '0.0010' })));
    const subscriptions = await now(
      Promise.all([
        ...[1, 3].map((depth) =>
          client.streams.book({ ...BTC, depth }, ({ bids }) => depths.set(depth, bids.length)),
        ),
        ...Array.from({ length: 250 }, (_none, at) =>
          client.streams.orders({ address: `0x${at.toString(16).padStart(40, '0')}` }, () => undefined),
        ),
      ]),
    );
    await pass(people, 5_000);
    expect(subscriptions).toHaveLength(252);
    expect(wire.sockets.length).toBe(2);
    expect(depths).toEqual(
      new Map([
        [1, 1],
        [3, 3],
      ]),
    );
    await client.close();
  });

  test('equal subscriptions share one, and the last listener ends it', async () => {
    const people = await startPeopleClient();
    const { client, now, wire } = people;
    const heard = [0, 0];
    const one = await now(client.streams.bbo(BTC, () => heard[0]!++));
    const two = await now(client.streams.bbo(BTC, () => heard[1]!++));
    await now(Promise.all([one.ready, two.ready]));
    await pass(people);
    expect(Math.min(...heard)).toBeGreaterThan(0);
    const methods = () =>
      wire.sent.map((text) => JSON.parse(text).method).filter((method) => method !== 'ping');
    one.close();
    await pass(people, 100);
    expect(wire.sockets.length).toBe(1);
    two.close();
    await pass(people, 100);
    expect(methods()).toContain('unsubscribe');
    expect(client.streams).toBeDefined();
    await client.close();
  });
});
