import { describe, expect, test } from 'vitest';
import { quantums, ticks } from '../../src/domain/index.ts';
import { anOrder, startTestExchange, type TestExchange } from '../support/test-exchange.ts';

/** Makes `count` fills for two wallets and gives both. */
async function afterFills(count: number): Promise<{ maker: TestExchange; taker: TestExchange }> {
  const maker = await startTestExchange();
  const taker = maker.another();
  maker.place([{ size: '1.0000' }]);
  for (let i = 0; i < count; i++)
    taker.place([{ side: 'sell', size: '0.0010', timeInForce: 'ioc', price: `${90_000 - i}.0` }]);
  return { maker, taker };
}

describe('positions of reads (GW-MIN-SEQ)', () => {
  test('a read waits a bounded time for the asked position, then ends in 412', async () => {
    const venue = await startTestExchange();
    const path = `/v1/account?address=${venue.address}`;
    const soon = await venue.getLater(path, { 'x-svc-min-seq': String(venue.exchange.seq + 3) }, 400);
    expect(soon.status).toBe(200);
    const asked = venue.exchange.seq + 1_000;
    const never = await venue.getLater(path, { 'x-svc-min-seq': String(asked) }, 600);
    expect([never.status, never.json.error.code]).toEqual([412, 'ReplicaBehind']);
    expect(never.json.error.details.required).toBe(asked);
    expect(never.headers['x-svc-seq']).toBe(String(never.json.error.details.applied));
  });

  test('a lagging replica shows the past, and the present to who asks for it (O18)', async () => {
    const venue = await startTestExchange({ replicaLagMs: 300 });
    venue.blocks(10);
    const placed = venue.place([{}]);
    const path = `/v1/account/orders?address=${venue.address}`;
    expect(venue.get(path).json.orders).toEqual([]);
    const fresh = await venue.getLater(path, { 'x-svc-min-seq': placed.headers['x-svc-seq'] ?? '' }, 400);
    expect(fresh.json.orders).toHaveLength(1);
    expect(fresh.json.seq).toBeGreaterThanOrEqual(placed.json.seq);
  });

  test('a fresh grant is unknown behind a lagging replica unless its position is asked for (O50)', async () => {
    const venue = await startTestExchange({ replicaLagMs: 300 });
    venue.blocks(10);
    const { agent } = venue;
    venue.exchange.control.revoke({ account: venue.address, agent });
    venue.blocks(10);
    venue.exchange.control.approve({ account: venue.address, agent });
    const refused = venue.place([{}], { nonce: 0n });
    expect([refused.status, refused.json.error.code]).toEqual([403, 'UnknownAgent']);
  });

  test('a position that is no integer is refused', async () => {
    const venue = await startTestExchange();
    expect(venue.get('/v1/time', { 'x-svc-min-seq': 'soon' }).status).toBe(400);
  });
});

describe('history pages (GW-PAGES)', () => {
  test('pages of any size join to the whole, in order, under one bound', async () => {
    const { maker } = await afterFills(23);
    const whole = maker.get(`/v1/account/fills?address=${maker.address}`).json;
    expect(whole.data).toHaveLength(23);
    expect(whole.upper).toBe(`${maker.exchange.seq}-65535-4294967295`);
    for (const limit of [1, 7, 22, 23, 24]) {
      const ids: string[] = [];
      let page = maker.get(`/v1/account/fills?address=${maker.address}&limit=${limit}`).json;
      ids.push(...page.data.map((fill: { id: string }) => fill.id));
      while (page.hasMore) {
        const bounds = `&epoch=${page.epoch}&upper=${page.upper}&after=${page.next}`;
        page = maker.get(`/v1/account/fills?address=${maker.address}&limit=${limit}${bounds}`).json;
        ids.push(...page.data.map((fill: { id: string }) => fill.id));
      }
      expect(ids).toEqual(whole.data.map((fill: { id: string }) => fill.id));
    }
  });

  test('what happens after the first page is not in the later ones', async () => {
    const { maker, taker } = await afterFills(5);
    const first = maker.get(`/v1/account/fills?address=${maker.address}&limit=3`).json;
    taker.place([{ side: 'sell', size: '0.0010', timeInForce: 'ioc' }]);
    const bounds = `&epoch=${first.epoch}&upper=${first.upper}&after=${first.next}`;
    const second = maker.get(`/v1/account/fills?address=${maker.address}${bounds}`).json;
    expect(second).toMatchObject({ hasMore: false, upper: first.upper });
    expect(second.data).toHaveLength(2);
  });

  test('later pages without both bounds, bad cursors and bad limits are 400', async () => {
    const { maker } = await afterFills(2);
    const { epoch, upper, next } = maker.get(`/v1/account/fills?address=${maker.address}&limit=1`).json;
    const ask = (query: string) => maker.get(`/v1/account/fills?address=${maker.address}${query}`);
    const words = 'resume requires epoch and upper from the first page';
    for (const query of [`&after=${next}`, `&after=${next}&epoch=${epoch}`, `&upper=${upper}`]) {
      const answer = ask(query);
      expect([answer.status, answer.json.error.message]).toEqual([400, words]);
    }
    expect(ask(`&epoch=${epoch}&upper=x`).json.error.message).toBe('bad upper cursor');
    expect(ask(`&epoch=${epoch}&upper=${upper}&after=1`).json.error.message).toBe('bad after cursor');
    expect([ask('&limit=0').status, ask('&limit=1001').status]).toEqual([400, 400]);
    expect(ask(`&epoch=${epoch}`).status).toBe(200);
  });

  test('another epoch is 409 (O107)', async () => {
    const { maker } = await afterFills(2);
    const answer = maker.get(`/v1/account/ledger?address=${maker.address}&epoch=k1`);
    expect([answer.status, answer.json.error.code]).toEqual([409, 'history_epoch_mismatch']);
  });

  test('history that is not written yet is 400 with not yet complete (GW-NOT-COMPLETE, O101)', async () => {
    const { maker, taker } = await afterFills(1);
    maker.exchange.control.durabilityLag({ lag: 1_000 });
    void taker.signed('/v1/orders/cancel-all', {});
    const { epoch } = maker.exchange;
    maker.blocks(2);
    const upper = `${maker.exchange.seq}-65535-4294967295`;
    const path = `/v1/account/fills?address=${maker.address}&epoch=${epoch}&upper=${upper}`;
    const early = maker.get(path);
    expect(early.status).toBe(400);
    expect(early.json.error.message).toContain('not yet complete');
    maker.clock.advance(1_100);
    expect(maker.get(path).status).toBe(200);
  });

  test('a gap is 503 with its bounds, never an empty page', async () => {
    const { maker } = await afterFills(3);
    maker.exchange.control.historyGaps({ gaps: [{ first: 2, last: 4 }] });
    const answer = maker.get(`/v1/account/fills?address=${maker.address}`);
    expect([answer.status, answer.json.error.code]).toEqual([503, 'history_unavailable']);
    expect(answer.json.error.details.gaps).toEqual([{ first: 2, last: 4 }]);
  });

  test('fills that have fallen off the front are a gap, not a shorter history', async () => {
    const maker = await startTestExchange({ historyMax: 4 });
    const taker = maker.another();
    maker.place([{ size: '1.0000' }]);
    for (let i = 0; i < 8; i++)
      taker.place([{ side: 'sell', size: '0.0010', timeInForce: 'ioc', price: `${90_000 - i}.0` }]);
    expect(maker.get(`/v1/account/fills?address=${maker.address}`).status).toBe(503);
  });

  test('the ledger sums to the balance, also after a new epoch begins', async () => {
    const { maker, taker } = await afterFills(6);
    const sumOf = (venue: TestExchange) =>
      venue
        .get(`/v1/account/ledger?address=${venue.address}`)
        .json.data.reduce(
          (sum: bigint, entry: { amount: string }) => sum + BigInt(entry.amount.replace('.', '')),
          0n,
        );
    const balanceOf = (venue: TestExchange) =>
      BigInt(venue.get(`/v1/account?address=${venue.address}`).json.collateral.replace('.', ''));
    for (const venue of [maker, taker]) expect(sumOf(venue)).toBe(balanceOf(venue));
    maker.exchange.control.epoch({ epoch: 'k2' });
    for (const venue of [maker, taker]) expect(sumOf(venue)).toBe(balanceOf(venue));
  });

  test('raw events page too, and carry the identities of the fills', async () => {
    const { maker } = await afterFills(2);
    const fills = maker.get(`/v1/account/fills?address=${maker.address}`).json.data;
    const events = maker.get('/v1/events').json.data;
    const matched = events.filter((event: { kind: string }) => event.kind === 'Fill');
    expect(matched.map((event: { id: string }) => event.id)).toEqual(
      fills.map((fill: { id: string }) => fill.id),
    );
  });

  test('funding payments come out of the ledger, newest first', async () => {
    const { maker, taker } = await afterFills(1);
    maker.exchange.control.price({ symbol: 'BTC-USD', price: ticks(1_010_000) });
    maker.place([{ price: '101500.0', size: '0.5000' }]);
    maker.exchange.control.price({ symbol: 'BTC-USD', price: ticks(1_000_000) });
    maker.clock.advance(3_700_000);
    taker.place([{ side: 'sell', size: '0.0010', timeInForce: 'ioc', price: '90000.0' }]);
    const { payments } = maker.get(`/v1/account/funding?address=${maker.address}`).json;
    const entries = maker.get(`/v1/account/ledger?address=${maker.address}`).json.data;
    const funding = entries.filter((entry: { kind: string }) => entry.kind === 'funding');
    expect(payments.map((payment: { id: string }) => payment.id)).toEqual(
      funding.map((entry: { id: string }) => entry.id).reverse(),
    );
    expect(payments.length).toBeGreaterThan(0);
    expect(maker.get('/v1/markets/BTC-USD/funding').json.funding).toHaveLength(1);
  });
});

describe('budgets (GW-RATE)', () => {
  test('every request costs its weight, the headers tell, a 429 names its bucket and when to come back (O112)', async () => {
    const venue = await startTestExchange({ ipWeightLimit: 10 });
    const first = venue.get('/v1/markets');
    expect(first.headers['ratelimit']).toBe('"ip";r=8;t=60');
    expect(first.headers['ratelimit-policy']).toBe('"ip";q=10;w=60');
    for (let i = 0; i < 8; i++) expect(venue.get('/v1/time').status).toBe(200);
    venue.clock.advance(20_000);
    const refused = venue.get('/v1/time');
    expect([refused.status, refused.json.error.code]).toEqual([429, 'RateLimited']);
    expect(refused.json.error.details).toEqual({ bucket: 'ip' });
    expect(refused.headers['retry-after']).toBe('40');
    venue.clock.advance(40_000);
    expect(venue.get('/v1/time').status).toBe(200);
  });

  test('signed writes also cost the main wallet; bad signatures do not (O113)', async () => {
    const venue = await startTestExchange({ accountWeightLimit: 2 });
    venue.place([{}], { forgedBy: venue.account.key, nonce: 0n });
    const ok = venue.place([{}], { by: 0 });
    expect(ok.headers['x-ratelimit-account']).toBe('"account";r=1;t=60');
    venue.place([{}], { by: 1 });
    const refused = venue.place([{}], { by: 'wallet' });
    expect([refused.status, refused.json.error.details]).toEqual([429, { bucket: 'account' }]);
    expect(refused.headers['x-ratelimit-account']).toBe('"account";r=0;t=60');
    expect(venue.another().place([{}]).status).toBe(200);
  });

  test('an upgrade is charged like a request', async () => {
    const venue = await startTestExchange({ ipWeightLimit: 6 });
    venue.stream();
    expect(venue.get('/v1/time').headers['ratelimit']).toContain('r=0');
    expect(() => venue.stream()).toThrow('refused with 429');
  });
});

describe('errors (GW-ERROR, GW-404)', () => {
  test('what does not exist is 404 with code, num and message', async () => {
    const venue = await startTestExchange();
    const stranger = `0x${'12'.repeat(20)}`;
    for (const path of [
      '/v1/nothing',
      '/v2/time',
      `/v1/account?address=${stranger}`,
      `/v1/account?address=${venue.address}&subaccount=1`,
      `/v1/account/agents?address=${stranger}`,
      `/v1/agents/${stranger}`,
      '/v1/markets/DOGE-USD',
      '/v1/markets/DOGE-USD/book',
      '/v1/orders/1',
      `/v1/orders/client/none?address=${venue.address}`,
      '/v1/account?vault=7',
    ]) {
      const answer = venue.get(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(Object.keys(answer.json.error)).toEqual(['code', 'num', 'message']);
    }
  });

  test('malformed parameters are 400', async () => {
    const venue = await startTestExchange();
    const statuses = [
      '/v1/account',
      '/v1/account?address=0x12',
      `/v1/account?address=${venue.address}&vault=1`,
      `/v1/account?address=${venue.address}&subaccount=-1`,
      '/v1/markets/BTC-USD/book?depth=0',
      '/v1/markets/BTC-USD/book?depth=101',
      '/v1/markets/BTC-USD/candles?interval=2m',
      '/v1/markets/BTC-USD/trades?limit=201',
      '/v1/orders/abc',
      `/v1/account/nonce?address=${venue.address}&signer=x`,
      '/v1/ws',
    ].map((path) => venue.get(path).status);
    expect(new Set(statuses)).toEqual(new Set([400]));
  });

  test('a dex that is not there is 404 (GW-DEXES)', async () => {
    const venue = await startTestExchange();
    expect(venue.get('/v1/dexes/nowhere')).toMatchObject({
      status: 404,
      json: { error: { code: 'NotFound' } },
    });
  });
});

describe('market and account data', () => {
  test('trades, candles, prices and positions tell the same execution', async () => {
    const { maker, taker } = await afterFills(3);
    const { trades } = maker.get('/v1/markets/BTC-USD/trades').json;
    expect(trades.map((trade: { price: string }) => trade.price)).toEqual(['90000.0', '90000.0', '90000.0']);
    expect(trades[0].id > trades[2].id || trades[0].id.length > trades[2].id.length).toBe(true);
    const [bar] = maker.get('/v1/markets/BTC-USD/candles?interval=1h').json.candles;
    expect(bar).toMatchObject({ open: '90000.0', close: '90000.0', volume: '0.0030', trades: 3 });
    const prices = maker.get('/v1/prices').json.prices;
    expect(prices[0]).toMatchObject({ symbol: 'BTC-USD', lastPrice: '90000.0', openInterest: '0.0030' });
    const [long] = maker.get(`/v1/account/positions?address=${maker.address}`).json.positions;
    expect(long).toMatchObject({ size: '0.0030', entryPrice: '90000.0', costBasis: '270.000000' });
    const [short] = taker.get(`/v1/account/positions?address=${taker.address}`).json.positions;
    expect(short).toMatchObject({ size: '-0.0030', entryPrice: '90000.0', costBasis: '-270.000000' });
  });

  test('an order is found by its number while open and by its label ever after (O21)', async () => {
    const venue = await startTestExchange();
    const [item] = venue.place([{ clientOrderId: 'a b/%+ü' }]).json.items;
    const byLabel = `/v1/orders/client/${encodeURIComponent('a b/%+ü')}?address=${venue.address}`;
    const open = venue.get(`/v1/orders/${item.orderId}`).json;
    expect(open).toMatchObject({ clientOrderId: 'a b/%+ü', status: 'open', remaining: '0.0100' });
    expect(venue.get(byLabel).json).toEqual(open);
    venue.write('/v1/orders/cancel-all', {});
    expect(venue.get(`/v1/orders/${item.orderId}`).status).toBe(404);
    expect(venue.get(byLabel).json).toMatchObject({ orderId: item.orderId, status: 'canceled' });
  });

  test('an order past its validity expires at a block', async () => {
    const venue = await startTestExchange();
    const business = {
      orders: [anOrder()],
      nowMs: venue.nowMs,
      expiresAt: venue.nowMs + 250,
    };
    venue.write('/v1/orders', business);
    venue.blocks(2);
    expect(venue.get(`/v1/account/orders?address=${venue.address}`).json.orders).toHaveLength(1);
    venue.blocks(1);
    const [order] = venue.get(`/v1/account/orders/history?address=${venue.address}`).json.orders;
    expect(order).toMatchObject({ status: 'expired', expiresAt: business.expiresAt });
  });

  test('exchange, fees, withdrawals and time answer', async () => {
    const venue = await startTestExchange();
    expect(venue.get('/v1/time').json).toEqual({ serverTime: venue.nowMs });
    expect(venue.get('/v1/exchange').json).toMatchObject({ chainId: 31337, domain: { name: 'dex-os' } });
    expect(venue.get('/v1/fees').json.base).toEqual({ takerFeePpm: 500, makerFeePpm: 0 });
    expect(venue.get(`/v1/account/withdrawals?address=${venue.address}`).json).toEqual({ withdrawals: [] });
    expect(venue.get('/v1/markets/ETH-USD').json).toMatchObject({ tickSize: '0.01', lotSize: '0.001' });
  });

  test('cash moves between accounts only as far as it reaches', async () => {
    const venue = await startTestExchange();
    const other = venue.another();
    const move = { from: venue.account.accountId, to: other.account.accountId };
    const { control } = venue.exchange;
    control.transfer({ ...move, amount: '250' });
    expect(() => control.transfer({ ...move, amount: quantums(10n ** 15n) })).toThrow('has less than');
    expect(other.get(`/v1/account?address=${other.address}`).json.collateral).toBe('1000250.000000');
  });
});
