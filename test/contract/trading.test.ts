/** A bot and its account (2.6): grants that end, cancel-all, the switch, what leaves over which door. */
import { describe, expect, test } from 'vitest';
import type { Log } from '../../src/core/index.ts';
import { lots, ticks } from '../../src/domain/index.ts';
import { strategyOf } from '../support/bot-rig.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';
import { startBot } from './bot.ts';
import { BTC, during } from './client.ts';
import { bodyOf, madeError } from './wire.ts';

/** An exchange with somebody who quotes on both sides of 100,000. */
async function aMarket(): Promise<{ venue: TestExchange; other: TestExchange }> {
  const venue = await startTestExchange();
  const other = venue.another();
  other.place([
    { side: 'buy', price: '99990.0', size: '5.0000' },
    { side: 'sell', price: '100010.0', size: '5.0000' },
  ]);
  return { venue, other };
}

/** Quotes one bid, `belowTicks` below the best of the others; tells what becomes of its orders. */
function bidder(belowTicks: number, told: (what: string) => void = () => undefined) {
  return strategyOf((context) => ({
    onBook: (view) => {
      const bid = view.bestBidTicks;
      if (bid === undefined) return;
      const priceTicks = ticks(999_900 - belowTicks);
      context.quote(BTC, { bids: [{ priceTicks, sizeLots: lots(100) }], asks: [] });
    },
    onOrder: ({ status, orderId }) => {
      told(`${status} ${orderId}`);
    },
  }));
}

const openOrders = (venue: TestExchange): { orderId: string; price: string }[] =>
  venue.get(`/v1/account/orders?address=${venue.address}`).json.orders;

describe('an environment that changes under a running bot', () => {
  /** Block times of the bot's accepted orders. */
  function placements(venue: TestExchange): number[] {
    const times: number[] = [];
    venue.exchange.control.watch(({ events }) => {
      for (const event of events)
        if (event.kind === 'OrderAccepted' && event.order.account === venue.account.accountId)
          times.push(venue.nowMs);
    });
    return times;
  }

  test.each(['Paused', 'Auction'])(
    'is not quoted in while its market is %s: orders are canceled, and come back afterwards (obligations O10)',
    async (status) => {
      const { venue } = await aMarket();
      const bot = await startBot(venue, { a: bidder(10) });
      await venue.clock.advanceAsync(3_000);
      expect(openOrders(venue)).toHaveLength(1);
      const times = placements(venue);
      venue.exchange.control.marketStatus({ symbol: 'BTC-USD', status });
      await venue.clock.advanceAsync(6_000);
      expect(openOrders(venue)).toEqual([]);
      const posts = bot.wire.posts('/v1/orders').filter((post) => bodyOf(post).orders !== undefined).length;
      await venue.clock.advanceAsync(30_000);
      const after = bot.wire.posts('/v1/orders').filter((post) => bodyOf(post).orders !== undefined).length;
      expect([after - posts, times]).toEqual([0, []]);
      venue.exchange.control.marketStatus({ symbol: 'BTC-USD', status: 'Active' });
      await venue.clock.advanceAsync(8_000);
      expect(openOrders(venue)).toHaveLength(1);
      expect(bot.halts).toEqual([]);
      await bot.close();
    },
  );

  test.each([
    ['codec', (exchange: Record<string, unknown>) => ({ ...exchange, version: { codecVersion: 2 } })],
    [
      'domain',
      ({ domain, ...rest }: Record<string, unknown>) => ({
        ...rest,
        domain: { ...(domain as object), version: '9' },
      }),
    ],
  ])(
    'ends the run when its %s is another: what is refused meanwhile is one write a lane (obligations O5)',
    async (_what, change) => {
      const { venue } = await aMarket();
      const bot = await startBot(venue, { a: bidder(10) });
      await venue.clock.advanceAsync(3_000);
      const before = bot.wire.posts().length;
      bot.wire.disturb = async (request, pass) => {
        if (request.method === 'POST') return madeError(401, 'GatewayBadSignature');
        const reply = await pass();
        if (!request.path.startsWith('/v1/exchange') || reply.kind !== 'answer') return reply;
        return { ...reply, body: JSON.stringify(change(JSON.parse(reply.body))) };
      };
      await venue.clock.advanceAsync(6_000);
      expect(bot.halts).toEqual([
        expect.stringMatching(/^ENVIRONMENT_(?:CODEC_UNSUPPORTED|DOMAIN_CHANGED):/),
      ]);
      await during(venue.clock, bot.stop(bot.halts[0] ?? ''));
      const signers = bot.wire
        .posts()
        .slice(before)
        .map((post) => bodyOf(post).signer);
      expect(new Set(signers).size).toBe(signers.length);
      await bot.close();
      await venue.clock.advanceAsync(30_000);
      expect(bot.wire.posts().slice(before)).toHaveLength(signers.length);
      expect(openOrders(venue)).toEqual([]);
    },
  );

  test.each([
    ['of two builds in turn', (body: string) => body.replace(/"buildId":"[^"]*"/, '"buildId":"next"'), 1],
    ['of another domain once', (body: string) => body.replaceAll('"chainId":', '"chainId":1'), 7],
  ])('goes on while a rolling deploy gives answers %s (obligation O5)', async (_what, change, every) => {
    const { venue } = await aMarket();
    const bot = await startBot(venue, { a: bidder(10) });
    let asked = 0;
    bot.wire.disturb = async (request, pass) => {
      const reply = await pass();
      if (!request.path.startsWith('/v1/exchange') || reply.kind !== 'answer') return reply;
      return asked++ % every === 0 ? { ...reply, body: change(reply.body) } : reply;
    };
    await venue.clock.advanceAsync(60_000);
    expect(asked).toBeGreaterThan(10);
    expect(bot.halts).toEqual([]);
    expect(openOrders(venue)).toHaveLength(1);
    await bot.close();
  });

  test('ends the run when the arithmetic of its market is another (obligations O4)', async () => {
    const { venue } = await aMarket();
    const bot = await startBot(venue, { a: bidder(10) });
    await venue.clock.advanceAsync(3_000);
    bot.wire.disturb = async (request, pass) => {
      const reply = await pass();
      if (request.path !== '/v1/markets' || reply.kind !== 'answer') return reply;
      return { ...reply, body: reply.body.replace('"signingMarketId":0', '"signingMarketId":5') };
    };
    await venue.clock.advanceAsync(6_000);
    expect(bot.halts).toEqual([
      'ENVIRONMENT_MARKET_CHANGED: decimals or signing id of market BTC-USD have changed',
    ]);
    await bot.close();
  });
});

describe('a grant that ends (obligations O52)', () => {
  test('finds an empty book: quoting stops and orders are canceled a minute and the switch before', async () => {
    const { venue } = await aMarket();
    const endsAtMs = venue.nowMs + 200_000;
    for (const { address: agent } of venue.account.apiWallets)
      venue.exchange.control.approve({ account: venue.address, agent, validUntilMs: endsAtMs });
    const bot = await startBot(venue, { a: bidder(10) });
    const lastOrderAtMs = { value: 0 };
    const switchAtMs = { value: 0 };
    venue.exchange.control.watch(({ events }) => {
      for (const event of events) {
        if (event.kind === 'OrderAccepted' && event.order.account === venue.account.accountId)
          lastOrderAtMs.value = venue.nowMs;
        if (event.kind === 'ScheduleCancelSet') switchAtMs.value = event.triggerMs;
      }
    });
    await venue.clock.advanceAsync(5_000);
    expect(openOrders(venue)).toHaveLength(1);
    while (venue.nowMs < endsAtMs + 5_000) {
      await venue.clock.advanceAsync(1_000);
      if (venue.nowMs >= endsAtMs - 70_000) expect(openOrders(venue)).toEqual([]);
    }
    expect(lastOrderAtMs.value).toBeLessThan(endsAtMs - 80_000 + 6_000);
    // What was armed while all was well has fired before the grant was over.
    expect(switchAtMs.value).toBeLessThan(endsAtMs);
    expect(bot.bot.status().state).toBe('degraded');
    expect(bot.bot.health().items.find(({ id }) => id === 'H9')).toMatchObject({ isHealthy: false });
    await bot.close();
  });
});

describe('cancel-all (obligations O77)', () => {
  test('empties the account, and every strategy is told of its orders before anything is quoted again', async () => {
    const { venue } = await aMarket();
    const log: string[] = [];
    const bot = await startBot(venue, {
      a: bidder(10, (what) => log.push(`a ${what}`)),
      b: bidder(20, (what) => log.push(`b ${what}`)),
    });
    await venue.clock.advanceAsync(3_000);
    const before = openOrders(venue).map(({ orderId }) => orderId);
    expect(before).toHaveLength(2);
    venue.exchange.control.watch(({ events }) => {
      for (const event of events) if (event.kind === 'OrderAccepted') log.push('placed');
    });
    log.length = 0;
    bot.bot.cancelAll({ actor: 'ann', reason: 'drill' });
    await venue.clock.advanceAsync(5_000);
    const placedAt = log.indexOf('placed');
    expect(placedAt).toBeGreaterThan(0);
    const told = log.slice(0, placedAt).filter((line) => line.includes(' canceled '));
    expect(told.map((line) => line.slice(0, 1)).sort()).toEqual(['a', 'b']);
    expect(told.map((line) => line.slice(11)).sort()).toEqual([...before].sort());
    await bot.close();
  });

  test('ends a run with a read that is no older than the cancel', async () => {
    const { venue } = await aMarket();
    const bot = await startBot(venue, { a: bidder(10) });
    await venue.clock.advanceAsync(3_000);
    const proof = await during(venue.clock, bot.stop('test'));
    expect(proof).toMatchObject({ isProven: true });
    const cancel = bot.wire.posts('/v1/orders/cancel-all').at(-1);
    const seq = cancel?.reply?.kind === 'answer' ? cancel.reply.headers['x-svc-seq'] : undefined;
    const read = bot.wire.reads('/v1/account/orders?').at(-1);
    expect(Number(read?.request.headers['x-svc-min-seq'])).toBeGreaterThanOrEqual(Number(seq));
    expect(openOrders(venue)).toEqual([]);
    await bot.close();
  });
});

test('an order that is gone from the open ones was filled for all that is known, and is never called rejected (obligations O21)', async () => {
  const { venue, other } = await aMarket();
  const told: string[] = [];
  const bot = await startBot(venue, { a: bidder(-10, (what) => told.push(what.split(' ')[0] ?? '')) });
  await venue.clock.advanceAsync(3_000);
  expect(openOrders(venue)).toHaveLength(1);
  venue.exchange.control.dropFrames();
  other.place([{ side: 'sell', price: '99990.0', size: '0.0100', timeInForce: 'ioc' }]);
  await venue.clock.advanceAsync(300);
  venue.exchange.control.lagStreams();
  await venue.clock.advanceAsync(1_000);
  expect(told.slice(0, 2)).toEqual(['working', 'filled']);
  expect(told).not.toContain('rejected');
  expect(bot.bot.account.positionLots(BTC)).toBe(100);
  await bot.close();
});

describe('a switch that fired (obligations O79, O84)', () => {
  test('with a position open is told at once, by name, and nothing is quoted until it is armed again', async () => {
    const lines: string[] = [];
    const log: Log = {
      ...{ debug: () => undefined, info: () => undefined, warn: () => undefined },
      error: (message, fields) => void lines.push(`${message} ${JSON.stringify(fields ?? {})}`),
      child: () => log,
    };
    const { venue, other } = await aMarket();
    const bot = await startBot(venue, { a: bidder(-10) }, { log });
    await venue.clock.advanceAsync(2_000);
    other.place([{ side: 'sell', price: '99990.0', size: '0.0050', timeInForce: 'ioc' }]);
    await venue.clock.advanceAsync(1_000);
    expect(bot.bot.account.positionLots(BTC)).toBe(50);
    lines.length = 0;
    const bare: string[] = [];
    const { control } = venue.exchange;
    control.watch(({ events }, _entry, at) => {
      const armedUntilMs = control.venue.account(venue.account.accountId).scheduleCancelAtMs;
      for (const event of events)
        if (event.kind === 'OrderAccepted' && event.order.account === venue.account.accountId)
          if (armedUntilMs <= at.blockAtMs) bare.push(`order at ${at.blockAtMs}`);
    });
    bot.wire.disturb = (request, pass) =>
      request.path.includes('schedule-cancel') ? Promise.resolve({ kind: 'lost', why: 'cut' }) : pass();
    await venue.clock.advanceAsync(25_000);
    expect(bot.counts.fired).toBe(1);
    const alarms = lines.filter((line) => line.includes('position'));
    expect(alarms).toHaveLength(1);
    expect(alarms[0]).toContain('BTC-USD');
    expect(alarms[0]).toContain('0.0050');
    expect(openOrders(venue)).toEqual([]);
    bot.wire.disturb = (_request, pass) => pass();
    await venue.clock.advanceAsync(20_000);
    expect(openOrders(venue)).toHaveLength(1);
    expect(bare).toEqual([]);
    await bot.close();
  });
});

test('orders leave over REST alone: over the stream go subscriptions and pings (obligations O76)', async () => {
  const { venue } = await aMarket();
  const bot = await startBot(venue, { a: bidder(10) });
  await venue.clock.advanceAsync(30_000);
  await during(venue.clock, bot.stop('test'));
  const methods = new Set(bot.wire.sent.map((text) => JSON.parse(text).method));
  expect([...methods].sort()).toEqual(['ping', 'subscribe', 'unsubscribe']);
  const placed = bot.wire.posts().filter((post) => bodyOf(post).orders !== undefined);
  expect(placed.length).toBeGreaterThan(0);
  await bot.close();
});
