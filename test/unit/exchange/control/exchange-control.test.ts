import { describe, expect, test } from 'vitest';
import { lots, quantums, ticks } from '../../../../src/domain/index.ts';
import type { ExchangeSettings } from '../../../../src/exchange/index.ts';
import { startTestExchange, type TestExchange } from '../../../support/test-exchange.ts';

const HOUR_MS = 3_600_000;
const BID = { market: 0, side: 'buy', price: 900_000, lots: 10n, tif: 'gtc', reduceOnly: false } as const;

async function opened(settings: Partial<ExchangeSettings> = {}): Promise<TestExchange> {
  const venue = await startTestExchange(settings);
  venue.blocks(2);
  return venue;
}

function placeAsOwner({ exchange, address }: TestExchange): void {
  exchange.control.submit({ owner: address }, (account) => ({
    kind: 'BatchPlace',
    account,
    nowMs: 0,
    orders: [BID],
  }));
}

const ordersOf = ({ exchange, account }: TestExchange) =>
  exchange.control.venue.openOrders(account.accountId);
const arm = (venue: TestExchange, forMs: number) =>
  venue.write('/v1/orders/schedule-cancel', { triggerMs: venue.nowMs + forMs, nowMs: venue.nowMs });
const armedAtMs = ({ exchange, account }: TestExchange) =>
  exchange.control.venue.account(account.accountId).scheduleCancelAtMs;

describe('a restart of the exchange', () => {
  test('answers nobody and runs no block while it is down, then goes on where it was', async () => {
    const venue = await opened();
    const { exchange } = venue;
    placeAsOwner(venue);
    const { seq, epoch } = exchange;
    exchange.control.restart({ down: 5_000 });
    expect(() => venue.get('/v1/time')).toThrow('expected an answer at once');
    venue.clock.advance(4_900);
    expect(exchange.seq).toBe(seq);
    venue.clock.advance(1_000);
    expect(venue.get('/v1/time').status).toBe(200);
    expect([exchange.epoch, exchange.seq > seq, ordersOf(venue).length]).toEqual([epoch, true, 1]);
  });

  test('rolled back it never saw what came after the cut, and begins a ledger of its own', async () => {
    const venue = await opened({ keepsLog: true, replicaLagMs: 50 });
    const { exchange } = venue;
    placeAsOwner(venue);
    const { seq, epoch } = exchange;
    venue.blocks(10);
    placeAsOwner(venue);
    exchange.control.restart({ down: 100, rollBackTo: seq });
    venue.blocks(3);
    expect(ordersOf(venue)).toHaveLength(1);
    expect(exchange.epoch).not.toBe(epoch);
    expect(exchange.seq).toBeLessThan(seq + 6);
    // Signatures and frames are those of the state that is there now.
    expect(arm(venue, 9_000).status).toBe(200);
    expect(venue.get(`/v1/account/orders?address=${venue.address}`).json.orders).toHaveLength(1);
  });

  test.each([
    ['kept', 0],
    ['lost', 1],
  ] as const)(
    'with a switch that is due meanwhile (ambiguity A14=%s): %s order rests afterwards',
    async (A14, left) => {
      const venue = await opened({ quirks: { A14 } });
      placeAsOwner(venue);
      arm(venue, 2_000);
      venue.exchange.control.restart({ down: 5_000 });
      venue.clock.advance(6_000);
      expect([ordersOf(venue).length, armedAtMs(venue)]).toEqual([left, 0]);
    },
  );
});

describe('control', () => {
  test('fires an armed switch at any instant, and rejects arms that are too near', async () => {
    const venue = await opened();
    const { control } = venue.exchange;
    expect(control.fireDeadMansSwitch({ account: venue.account.accountId }).wasArmed).toBe(false);
    placeAsOwner(venue);
    arm(venue, 20_000);
    expect(control.fireDeadMansSwitch({ account: venue.account.accountId }).wasArmed).toBe(true);
    expect([ordersOf(venue).length, armedAtMs(venue)]).toEqual([0, 0]);
    control.minSwitchLead({ lead: HOUR_MS });
    expect(arm(venue, 20_000)).toMatchObject({
      status: 422,
      json: { error: { code: 'InvalidScheduleCancel' } },
    });
  });

  test('another domain is told at once and is the one that signatures are over', async () => {
    const venue = await opened();
    const { control, settings } = venue.exchange;
    const domain = { ...settings.domain, version: '2' };
    control.domain(domain);
    expect(venue.get('/v1/exchange').json.domain).toEqual(domain);
    expect(arm(venue, 9_000).status).toBe(401);
  });

  test('the clock that is told may go back', async () => {
    const venue = await opened();
    venue.exchange.control.clockSkew({ ms: () => -5_000 });
    expect(venue.get('/v1/time').json.serverTime).toBe(venue.nowMs - 5_000);
    venue.exchange.control.clockSkew({ ms: () => 0 });
    expect(venue.get('/v1/time').json.serverTime).toBe(venue.nowMs);
  });

  test('other steps hold for new orders and leave what rests alone', async () => {
    const venue = await opened();
    placeAsOwner(venue);
    venue.exchange.control.marketRules({ symbol: 'BTC-USD', tickSize: ticks(7), lotSize: lots(2) });
    expect(ordersOf(venue)).toHaveLength(1);
    expect(venue.get('/v1/markets/BTC-USD').json).toMatchObject({ tickSize: '0.7', lotSize: '0.0002' });
    placeAsOwner(venue);
    expect(ordersOf(venue)).toHaveLength(1);
  });

  test('funding settles with the next block', async () => {
    const venue = await opened();
    const settled: string[] = [];
    venue.exchange.control.watch(({ events }) => {
      for (const event of events) if (event.kind === 'FundingSettled') settled.push(event.kind);
    });
    venue.blocks(3);
    expect(settled).toEqual([]);
    venue.exchange.control.settleFunding();
    venue.blocks(3);
    expect(settled).toEqual(['FundingSettled', 'FundingSettled']);
  });

  test('a share of the reads comes from the replica that is behind (obligations O18, O27)', async () => {
    const venue = await opened({ replicaLagMs: 10_000 });
    const { control } = venue.exchange;
    const read = () => venue.get('/v1/prices').json.seq as number;
    const seqs = (share: number) => {
      control.replicaShare({ share });
      return new Set(Array.from({ length: 40 }, read)).size;
    };
    expect([seqs(1), seqs(0), seqs(0.5)]).toEqual([1, 1, 2]);
  });

  test('rejects a write with its nonce or without, for no reason of its own', async () => {
    const venue = await opened();
    const { control } = venue.exchange;
    const nonce = () =>
      venue.get(`/v1/account/nonce?address=${venue.address}&signer=${venue.agent}`).json.nonce;
    const post = async (isNonceConsumed: boolean) => {
      const { text } = venue.signed(
        '/v1/orders/schedule-cancel',
        { triggerMs: venue.nowMs + 9_000, nowMs: venue.nowMs },
        { nonce: BigInt(nonce()) },
      );
      control.disturb({
        fault: { kind: 'reject', forced: { reason: 'InsufficientMargin', isNonceConsumed } },
      });
      return await venue.postLater('/v1/orders/schedule-cancel', text, 10);
    };
    const details = (nonceConsumed: boolean) => ({
      status: 422,
      json: { error: { code: 'InsufficientMargin', details: { nonceConsumed } } },
    });
    expect(await post(false)).toMatchObject(details(false));
    expect(nonce()).toBe(0);
    expect(await post(true)).toMatchObject(details(true));
    expect(nonce()).toBe(1);
  });

  test('participants trade without a signature, and a lagged frame may have an old bound', async () => {
    const venue = await opened();
    const { control } = venue.exchange;
    placeAsOwner(venue);
    const stranger = control.createParticipant(quantums(1_000_000_000_000n));
    const order = { ...BID, side: 'sell', lots: 4n, tif: 'ioc' } as const;
    const { items } = control.execute({ kind: 'BatchPlace', account: stranger, nowMs: 0, orders: [order] });
    expect(items).toMatchObject([{ state: 'accepted', filledLots: 4 }]);
    const stream = venue.stream();
    stream.subscribe({ channel: 'fills', address: venue.address });
    control.repeatLagged({ upperSeq: 3 });
    control.repeatLagged({ upperSeq: 1e9 });
    const uppers = stream.of('lagged').map(({ data }) => data.upper);
    expect(uppers).toEqual(['3-65535-4294967295', `${venue.exchange.seq}-65535-4294967295`]);
  });
});
