import { describe, expect, test } from 'vitest';
import { createInMemoryJournal } from '../../../../src/bot/journal/index.ts';
import {
  type Approved,
  approve,
  type OrderSpec,
  type RoutedCommand,
  type TradingCommand,
} from '../../../../src/domain/index.ts';
import { aSpec, BTC } from '../../../support/trading-builders.ts';
import { aBench, answer, type Bench, type FakeGateway, refusal, TRADER } from './support.ts';

function routed(command: TradingCommand): Approved<RoutedCommand<TradingCommand>> {
  return approve({ lane: TRADER, command });
}

async function opened(changes: Parameters<typeof aBench>[0] = {}): Promise<Bench> {
  const bench = aBench(changes);
  await bench.start();
  bench.facts.length = 0;
  bench.gateway.posts.length = 0;
  return bench;
}

function place(bench: Bench, changes: Parameters<typeof aSpec>[0] = {}): OrderSpec {
  const spec = aSpec(changes);
  bench.executor.submit(routed({ kind: 'place', orders: [spec] }));
  return spec;
}

const traderPosts = (bench: Bench) =>
  bench.gateway.posts.filter((post) => post.signer === bench.trader.address);
const typesOf = (bench: Bench) => bench.facts.map((fact) => fact.type);

describe('a write that is answered', () => {
  test('is durable before its first byte leaves (invariant I8)', async () => {
    const bench = await opened();
    place(bench);
    expect(bench.gateway.posts).toEqual([]);
    await bench.run(50);
    expect(traderPosts(bench)).toHaveLength(1);
    expect(bench.gateway.posts.every((post) => post.isRecorded)).toBe(true);
  });

  test('tells what was sent, then each item, then the write, then that the lane is free', async () => {
    const bench = await opened();
    const spec = place(bench);
    expect(typesOf(bench)).toEqual(['WriteSent']);
    await bench.run(50);
    expect(typesOf(bench)).toEqual(['WriteSent', 'OrderAccepted', 'WriteResolved', 'LaneReady']);
    expect(bench.of('OrderAccepted')[0]).toMatchObject({
      spec,
      acceptedLots: spec.sizeLots,
      isResting: true,
    });
    expect(bench.of('WriteResolved')[0]).toMatchObject({ outcome: 'executed', seq: expect.any(BigInt) });
  });

  test('nonces are contiguous, one write at a time (invariant I7)', async () => {
    const bench = await opened();
    for (let n = 0; n < 3; n++) {
      expect(bench.executor.isReady(TRADER)).toBe(true);
      place(bench);
      expect(bench.executor.isReady(TRADER)).toBe(false);
      await bench.run(50);
    }
    expect(traderPosts(bench).map((post) => post.nonce)).toEqual([0n, 1n, 2n]);
  });

  test('error: a busy lane takes no command', async () => {
    const bench = await opened();
    place(bench);
    expect(() => place(bench)).toThrow(/to be ready/);
  });

  test('a replace resolves cancels and placements on their own', async () => {
    const bench = await opened();
    bench.gateway.orders.add('11');
    bench.gateway.rejectedPriceText = '100000.0';
    const cancels = ['11', '12'].map((orderId) => ({ symbol: BTC, orderId: orderId as never }));
    const orders = [aSpec({ priceTicks: 1_000_000 }), aSpec({ priceTicks: 999_000 })];
    bench.executor.submit(routed({ kind: 'replace', symbol: BTC, cancels, orders }));
    await bench.run(50);
    expect(typesOf(bench).slice(1, 6)).toEqual([
      'CancelExecuted',
      'CancelRejected',
      'OrderRejected',
      'OrderAccepted',
      'WriteResolved',
    ]);
  });

  test('a business rejection spends the nonce and is proven by the answer', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'business', reason: 'InsufficientMargin' });
    const spec = place(bench);
    await bench.run(50);
    expect(bench.of('OrderRejected')[0]).toMatchObject({
      spec,
      reason: 'InsufficientMargin',
      proof: { by: 'answer' },
    });
    place(bench);
    await bench.run(50);
    expect(traderPosts(bench).map((post) => post.nonce)).toEqual([0n, 1n]);
  });
});

describe('a write whose answer is lost', () => {
  test('is resolved by its receipt, without another post (obligation O59)', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'answerLost' });
    const spec = place(bench);
    await bench.run(200);
    expect(typesOf(bench)).toEqual([
      'WriteSent',
      'WriteUnresolved',
      'OrderAccepted',
      'WriteResolved',
      'LaneReady',
    ]);
    expect(bench.of('OrderAccepted')[0]).toMatchObject({ spec, proof: { by: 'receipt' } });
    expect(traderPosts(bench)).toHaveLength(1);
  });

  test('stays unresolved while the receipt is pending or without information', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'answerLost' });
    const gap = refusal(503, 'history_unavailable', { status: 'history_unavailable', epoch: 'epoch-1' });
    bench.gateway.receiptAnswers.push(...Array.from({ length: 4 }, () => gap));
    place(bench);
    await bench.run(300);
    expect(bench.executor.unresolved()).toBe(1);
    expect(bench.executor.isReady(TRADER)).toBe(false);
    await bench.run(3000);
    expect(bench.executor.unresolved()).toBe(0);
    expect(traderPosts(bench)).toHaveLength(1);
  });

  test('is fenced when nothing has executed, and then proven never to execute (obligation O64)', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'requestLost' });
    const spec = place(bench);
    await bench.run(1900);
    expect(traderPosts(bench)).toHaveLength(1);
    await bench.run(2000);
    const [first, fence] = traderPosts(bench);
    expect(fence).toMatchObject({ kind: 'ScheduleCancel', nonce: first?.nonce, isRecorded: true });
    expect(bench.of('OrderNotExecuted')[0]).toMatchObject({
      spec,
      proof: { by: 'conflict', id: fence?.requestId },
    });
    expect(bench.journal.openWrites()).toEqual([]);
    place(bench);
    await bench.run(50);
    expect(traderPosts(bench).map((post) => post.nonce)).toEqual([0n, 0n, 1n]);
  });

  test('is fenced as soon as the log has moved on without it', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'requestLost' });
    place(bench);
    await bench.run(60);
    bench.gateway.seq += 1n;
    await bench.run(400);
    expect(traderPosts(bench).map((post) => post.kind)).toEqual(['PlaceOrder', 'ScheduleCancel']);
  });

  test('the fence repeats the last confirmed trigger and never renews the switch', async () => {
    const bench = await opened();
    const armed = bench.journal.lastTriggerAtMs();
    bench.gateway.fates.push({ kind: 'requestLost' });
    place(bench);
    await bench.run(3000);
    const fence = traderPosts(bench).find((post) => post.kind === 'ScheduleCancel');
    expect(JSON.parse(fence?.body ?? '{}')).toMatchObject({ triggerMs: armed });
  });

  test('wins against its fence when it arrives first', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'held' });
    const spec = place(bench);
    for (let ms = 0; ms < 4000 && traderPosts(bench).length < 2; ms++) await bench.run(1);
    bench.gateway.deliverHeld();
    await bench.run(2000);
    expect(traderPosts(bench).map((post) => post.kind)).toEqual(['PlaceOrder', 'ScheduleCancel']);
    expect(bench.of('OrderAccepted')[0]).toMatchObject({ spec, proof: { by: 'receipt' } });
    expect(bench.of('OrderNotExecuted')).toEqual([]);
    expect(bench.gateway.nextNonce(bench.trader)).toBe(1n);
    expect(bench.executor.lanes()[0]).toMatchObject({ state: 'idle', nonce: 1n });
  });

  test('loses against its fence when it arrives later', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'late', afterMs: 5000 });
    place(bench);
    await bench.run(8000);
    expect(bench.of('OrderNotExecuted')).toHaveLength(1);
    expect(bench.gateway.executed.filter((post) => post.kind === 'PlaceOrder')).toEqual([]);
  });

  test('a fence whose answer is lost is resolved by receipts as well', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'requestLost' }, { kind: 'answerLost' });
    place(bench);
    await bench.run(4500);
    expect(bench.of('OrderNotExecuted')).toHaveLength(1);
    expect(traderPosts(bench)).toHaveLength(2);
  });

  test('a fence that is lost itself is followed by another one, each of its own record', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'requestLost' }, { kind: 'requestLost' });
    place(bench);
    await bench.run(7000);
    const posts = traderPosts(bench);
    expect(posts.map((post) => post.nonce)).toEqual([0n, 0n, 0n]);
    expect(new Set(posts.map((post) => post.requestId)).size).toBe(3);
    expect(posts.every((post) => post.isRecorded)).toBe(true);
    expect(bench.of('OrderNotExecuted')).toHaveLength(1);
  });

  test('an answer with contradictory items is resolved by the receipt (obligation O58)', async () => {
    const bench = await opened();
    const body = { status: 'executed', items: [], nonceConsumed: true };
    bench.gateway.fates.push({ kind: 'answer', answer: answer(200, body) });
    place(bench);
    await bench.run(3000);
    expect(bench.of('WriteUnresolved')[0]?.why).toContain('expected 1 place items');
    expect(bench.of('OrderNotExecuted')).toHaveLength(1);
  });

  test('202 is polled and never sent again (obligations O57, O59)', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'sequenced', pendingMs: 4000 });
    place(bench);
    await bench.run(3900);
    expect(bench.of('OrderAccepted')).toEqual([]);
    await bench.run(1500);
    expect(bench.of('OrderAccepted')).toHaveLength(1);
    expect(bench.of('WriteUnresolved')).toEqual([]);
    expect(traderPosts(bench)).toHaveLength(1);
  });

  test('receipts are asked ever more slowly, at most once a second', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'sequenced', pendingMs: 60_000 });
    place(bench);
    await bench.run(1000);
    const inFirst = bench.gateway.receiptsAsked;
    expect(inFirst).toBeGreaterThanOrEqual(4);
    await bench.run(3000);
    expect(bench.gateway.receiptsAsked - inFirst).toBeLessThanOrEqual(7);
  });
});

describe('a write that is refused', () => {
  test.each([
    [412, 'ReplicaBehind', 0],
    [421, 'WrongNode', 0],
    [429, 'RateLimited', 800],
  ])('%i sends the very same bytes again after the wait', async (status, code, retryAfterMs) => {
    const bench = await opened();
    bench.gateway.fates.push({
      kind: 'answer',
      answer: refusal(status, code, {}, retryAfterMs === 0 ? {} : { retryAfterMs }),
    });
    place(bench);
    await bench.run(2000);
    const [first, second] = traderPosts(bench);
    expect(traderPosts(bench)).toHaveLength(2);
    expect(second).toMatchObject({ body: first?.body, path: first?.path });
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(retryAfterMs);
    expect(bench.of('OrderAccepted')).toHaveLength(1);
  });

  test('bytes that were refused with 429 and executed all the same are not sent again (ambiguity A6)', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'answerLost' });
    place(bench);
    const post = bench.gateway.post.bind(bench.gateway);
    let isFirst = true;
    bench.gateway.post = async (write) => {
      const given = await post(write);
      if (!isFirst) return given;
      isFirst = false;
      return refusal(429, 'RateLimited', {}, { retryAfterMs: 100 });
    };
    await bench.run(1000);
    expect(traderPosts(bench)).toHaveLength(1);
    expect(bench.of('OrderAccepted')).toHaveLength(1);
  });

  test('a quote that waited too long for its budget is fenced, not sent', async () => {
    const bench = await opened();
    bench.gateway.fates.push({
      kind: 'answer',
      answer: refusal(429, 'RateLimited', {}, { retryAfterMs: 4000 }),
    });
    place(bench);
    await bench.run(6000);
    expect(traderPosts(bench).map((post) => post.kind)).toEqual(['PlaceOrder', 'ScheduleCancel']);
    expect(bench.of('OrderNotExecuted')).toHaveLength(1);
  });

  test('400 is told as refused, and the next write takes the same nonce and closes it', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'answer', answer: refusal(400, 'InvalidPrecision') });
    const spec = place(bench);
    await bench.run(20);
    expect(bench.of('OrderRejected')[0]).toMatchObject({
      spec,
      proof: { by: 'refusal', id: 'InvalidPrecision' },
    });
    expect(bench.journal.openWrites()).toHaveLength(1);
    place(bench);
    await bench.run(50);
    expect(traderPosts(bench).map((post) => post.nonce)).toEqual([0n, 0n]);
    expect(bench.journal.openWrites()).toEqual([]);
    expect(bench.of('WriteResolved').map((fact) => fact.outcome)).toEqual(['refused', 'executed']);
  });

  test('without a next write its nonce is closed by a fence', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'answer', answer: refusal(400, 'InvalidPrecision') });
    place(bench);
    await bench.run(1500);
    expect(traderPosts(bench).map((post) => post.kind)).toEqual(['PlaceOrder', 'ScheduleCancel']);
    expect(bench.journal.openWrites()).toEqual([]);
    expect(bench.executor.isReady(TRADER)).toBe(true);
  });

  test('refused bytes that are sequenced later win over the next write of the lane (obligation O61)', async () => {
    const bench = await opened();
    const refused = refusal(422, 'AuthUnavailable', { nonceConsumed: false });
    bench.gateway.fates.push({ kind: 'late', afterMs: 30 });
    const post = bench.gateway.post.bind(bench.gateway);
    let isFirst = true;
    bench.gateway.post = async (write) => {
      const given = await post(write);
      if (!isFirst) return given;
      isFirst = false;
      return refused;
    };
    const first = place(bench);
    await bench.run(20);
    await bench.run(30);
    const second = place(bench);
    await bench.run(1000);
    expect(bench.of('OrderRejected').map((fact) => fact.spec)).toEqual([first]);
    expect(bench.of('OrderAccepted').map((fact) => fact.spec)).toEqual([first]);
    expect(bench.of('OrderNotExecuted').map((fact) => fact.spec)).toEqual([second]);
    expect(bench.executor.lanes()[0]).toMatchObject({ state: 'idle', nonce: 1n });
  });

  test.each([
    [403, 'UnknownAgent', 'EXECUTION_GRANT_INVALID'],
    [403, 'AgentExpired', 'EXECUTION_GRANT_INVALID'],
    [401, 'GatewayBadSignature', 'EXECUTION_SIGNATURE_REFUSED'],
  ])('%i %s closes the lane (obligations O48, O49)', async (status, code, halted) => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'answer', answer: refusal(status, code) });
    place(bench);
    await bench.run(5000);
    expect(bench.of('LaneHalted')).toMatchObject([{ lane: TRADER, code: halted }]);
    expect(traderPosts(bench)).toHaveLength(1);
    expect(bench.executor.isReady(TRADER)).toBe(false);
  });

  test('ten refusals in a row close the lane', async () => {
    const bench = await opened();
    for (let n = 0; n < 10; n++) {
      bench.gateway.fates.push({ kind: 'answer', answer: refusal(403, 'Forbidden') });
      place(bench);
      await bench.run(50);
    }
    expect(bench.of('LaneHalted')).toMatchObject([{ code: 'EXECUTION_REPEATED_REJECTS' }]);
  });

  test('what could not be sent is sent when the gateway is back, the same bytes', async () => {
    const bench = await opened();
    bench.gateway.isDown = true;
    place(bench);
    await bench.run(400);
    bench.gateway.isDown = false;
    await bench.run(1500);
    const [first, second] = traderPosts(bench);
    expect(second?.body).toBe(first?.body);
    expect(bench.of('OrderAccepted')).toHaveLength(1);
  });
});

describe('another writer in the scope', () => {
  test('a conflict with a foreign request halts the lane and proves that ours never executes (obligation O29)', async () => {
    const bench = await opened();
    const foreign = bench.gateway.writeAsForeigner(bench.trader);
    const spec = place(bench);
    await bench.run(1000);
    expect(bench.of('OrderNotExecuted')[0]).toMatchObject({ spec, proof: { by: 'conflict', id: foreign } });
    expect(bench.of('LaneHalted')).toMatchObject([{ code: 'EXECUTION_OTHER_WRITER' }]);
    await bench.run(5000);
    expect(traderPosts(bench)).toHaveLength(1);
  });

  test('a nonce beyond the counter of the exchange halts the lane', async () => {
    const bench = await opened();
    place(bench);
    await bench.run(50);
    bench.gateway.setNextNonce(bench.trader, 0n);
    place(bench);
    await bench.run(8000);
    expect(bench.of('LaneHalted')).toMatchObject([{ code: 'EXECUTION_NONCE_AHEAD' }]);
  });

  const OTHER = answer(200, { requestId: `0x${'99'.repeat(32)}`, status: 'executed', items: [] });

  test('an answer about another request is no answer: the write is resolved, and the lane goes on (obligation O75)', async () => {
    const bench = await opened();
    for (let round = 0; round < 4; round++) {
      bench.gateway.fates.push({ kind: 'answer', answer: OTHER });
      place(bench);
      await bench.run(4000);
      expect(bench.of('OrderNotExecuted')).toHaveLength(round + 1);
      expect(bench.executor.unresolved()).toBe(0);
    }
    expect(bench.of('LaneHalted')).toEqual([]);
  });

  test('several answers about other requests halt the lane, and the write is still resolved (obligation O75)', async () => {
    const bench = await opened();
    for (let round = 0; round < 3; round++) bench.gateway.fates.push({ kind: 'answer', answer: OTHER });
    place(bench);
    await bench.run(20_000);
    expect(bench.of('LaneHalted')).toMatchObject([{ code: 'EXECUTION_REQUEST_ID_MISMATCH' }]);
    expect(bench.of('OrderNotExecuted')).toHaveLength(1);
    expect(bench.executor.unresolved()).toBe(0);
  });
});

describe('a new epoch (obligation O119)', () => {
  test('a 404 of the new epoch decides nothing: the nonce is fenced there', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'requestLost' });
    place(bench);
    await bench.run(20);
    bench.gateway.epoch = 'epoch-2';
    await bench.run(4000);
    const fence = bench.journal.rows().find((row) => row.body.includes('"kind":"fence"'));
    expect(fence?.body).toContain('"epoch":"epoch-2"');
    expect(bench.of('OrderNotExecuted')).toHaveLength(1);
    expect(bench.executor.lanes()[0]).toMatchObject({ state: 'idle', nonce: 1n });
  });

  test('a write whose ledger is gone is closed without a word on its items', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'requestLost' });
    place(bench);
    await bench.run(20);
    bench.gateway.epoch = 'epoch-2';
    bench.gateway.setNextNonce(bench.trader, 40n);
    await bench.run(4000);
    expect(bench.of('WriteResolved')).toEqual([]);
    // It, and the fence that asked the new ledger whether it runs.
    expect(bench.of('WriteVoided').map(({ epoch }) => epoch)).toEqual(['epoch-2', 'epoch-2']);
    expect(bench.of('OrderNotExecuted')).toEqual([]);
    expect(bench.executor.lanes()[0]).toMatchObject({ state: 'idle', nonce: 40n });
  });

  test('what the new ledger says of the counter is not older than where it refused a fence', async () => {
    const bench = await opened();
    const asked: (bigint | undefined)[] = [];
    bench.gateway.nonce = async (signer, minSeq) => {
      if (signer === bench.trader.address) asked.push(minSeq);
      const body = { nonce: 40, signingAccountId: 7, scope: `agent:${signer}` };
      return minSeq !== undefined && asked.length < 3 ? refusal(412, 'ReplicaBehind') : answer(200, body);
    };
    const refusedAt = { nonceConsumed: false, epoch: 'epoch-2', seq: 150 };
    bench.gateway.fates.push(
      { kind: 'requestLost' },
      { kind: 'answer', answer: refusal(409, 'NonceMismatch', refusedAt) },
    );
    place(bench);
    // The ledger of before moves on, so that the nonce is fenced; the receipts of the new one come last, and are behind.
    for (const seq of [100, 101, 102, 102])
      bench.gateway.receiptAnswers.push(refusal(404, 'not_found', { epoch: 'epoch-1', asOfSeq: seq }));
    bench.gateway.epoch = 'epoch-2';
    bench.gateway.seq = 148n;
    await bench.run(4000);
    bench.gateway.seq = 151n;
    await bench.run(4000);
    expect(traderPosts(bench).map((post) => post.kind)).toEqual(['PlaceOrder', 'ScheduleCancel']);
    expect(new Set(asked)).toEqual(new Set([150n]));
  });

  test('a replica of a ledger from before our time closes nothing: the fence tells which one runs', async () => {
    const bench = await opened();
    const refusedAt = { nonceConsumed: false, epoch: 'epoch-1', seq: 100 };
    bench.gateway.fates.push(
      { kind: 'answerLost' },
      { kind: 'answer', answer: refusal(409, 'NonceMismatch', refusedAt) },
    );
    const behind = refusal(404, 'not_found', { status: 'not_found', epoch: 'epoch-0', asOfSeq: 80 });
    bench.gateway.receiptAnswers.push(...Array.from({ length: 6 }, () => behind));
    place(bench);
    await bench.run(8000);
    expect(bench.of('OrderAccepted')).toHaveLength(1);
    expect(bench.of('WriteVoided')).toEqual([]);
    expect(bench.executor.lanes()[0]).toMatchObject({ state: 'idle', nonce: 1n });
  });

  test.each(['answered', 'answerLost'] as const)(
    'a write that is %s while another lane hears of such a ledger has its outcome',
    async (kind) => {
      const bench = await opened();
      const refusedAt = { nonceConsumed: false, epoch: 'epoch-1', seq: 100 };
      bench.gateway.fates.push(
        { kind: kind === 'answered' ? 'executed' : kind },
        { kind: 'answer', answer: refusal(409, 'NonceMismatch', refusedAt) },
      );
      place(bench);
      await bench.run(3);
      bench.executor.onEpoch('epoch-0', 80n);
      await bench.run(8000);
      expect(bench.of('OrderAccepted')).toHaveLength(1);
      expect(bench.of('WriteVoided')).toEqual([]);
      expect(bench.executor.onEpoch('epoch-0', 81n)).toBe(false);
    },
  );

  test('a ledger that only a replica speaks of is left with the first answer to a write', async () => {
    const bench = await opened();
    bench.executor.onEpoch('epoch-0', 80n);
    await bench.run(50);
    // The switch of the ledger before says nothing of this one: it is armed again, and that is the write.
    bench.executor.beat();
    await bench.run(50);
    place(bench);
    await bench.run(50);
    expect(bench.of('OrderAccepted')).toHaveLength(1);
    expect(bench.of('WriteVoided')).toEqual([]);
    expect(bench.executor.onEpoch('epoch-0', 81n)).toBe(false);
  });

  test('a write that the new epoch remembers has its outcome', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'answerLost' });
    place(bench);
    await bench.run(3);
    bench.gateway.epoch = 'epoch-2';
    await bench.run(1000);
    expect(bench.of('OrderAccepted')).toHaveLength(1);
  });
});

describe('the journal fails', () => {
  test('nothing leaves, and the lane halts with a name', async () => {
    const bench = await opened();
    place(bench);
    bench.journal.fail('no space left');
    await bench.run(100);
    expect(traderPosts(bench)).toEqual([]);
    expect(bench.of('LaneHalted')).toMatchObject([{ code: 'EXECUTION_JOURNAL_FAILED' }]);
    expect(bench.of('OrderNotExecuted')).toHaveLength(1);
  });

  test('a signature that cannot be made sends nothing', async () => {
    const bench = await opened();
    const { prepare } = bench.trader;
    bench.trader.prepare = (...command) => ({
      ...prepare(...command),
      sign: () => {
        throw new Error('no key');
      },
    });
    place(bench);
    await bench.run(100);
    expect(traderPosts(bench)).toEqual([]);
    expect(bench.of('LaneHalted')).toMatchObject([{ code: 'EXECUTION_SIGNING_FAILED' }]);
    expect(bench.journal.openWrites()).toEqual([]);
  });
});

describe('a restart', () => {
  async function crashed(fate: Parameters<FakeGateway['fates']['push']>[0], runMs: number) {
    const bench = await opened();
    bench.gateway.fates.push(fate);
    const spec = place(bench);
    await bench.run(runMs);
    const rows = bench.journal.crash();
    bench.executor.dispose();
    const memory = createInMemoryJournal({ rows, commit: { clock: bench.clock, delayMs: 1 } });
    const again = aBench({ clock: bench.clock, gateway: bench.gateway, memory });
    return { spec, before: bench, again };
  }

  test('resolves what is open by receipts before the first new write (obligation O34)', async () => {
    const { spec, again } = await crashed({ kind: 'answerLost' }, 6);
    await again.start();
    expect(again.of('OrderAccepted')).toMatchObject([{ spec: { intentId: spec.intentId } }]);
    expect(again.executor.lanes()[0]).toMatchObject({ state: 'idle', nonce: 1n });
    expect(again.gateway.posts.filter((post) => post.kind === 'PlaceOrder')).toHaveLength(1);
  });

  test('fences what never executed', async () => {
    const { spec, again } = await crashed({ kind: 'requestLost' }, 6);
    const started = again.executor.start();
    await again.run(5000);
    await expect(started).resolves.toMatchObject({
      lanes: [{ recovered: 1, nonce: 1n, journal: 'current' }, {}],
    });
    expect(again.of('OrderNotExecuted')).toMatchObject([{ spec: { intentId: spec.intentId } }]);
  });

  test('a record that was not durable was never sent', async () => {
    const { again } = await crashed({ kind: 'executed' }, 0);
    expect(again.gateway.posts.filter((post) => post.kind === 'PlaceOrder')).toEqual([]);
    await again.start();
    expect(again.executor.lanes()[0]).toMatchObject({ state: 'idle', nonce: 0n });
  });

  test('a refused write is closed after a restart too', async () => {
    const { again } = await crashed({ kind: 'answer', answer: refusal(400, 'InvalidPrecision') }, 20);
    const started = again.executor.start();
    await again.run(5000);
    await started;
    expect(again.journal.openWrites()).toEqual([]);
    expect(again.executor.lanes()[0]).toMatchObject({ nonce: 1n });
  });

  test('a crash while a fence is under way leaves two requests for one nonce, and both are closed', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'requestLost' }, { kind: 'answerLost' });
    place(bench);
    for (let ms = 0; ms < 5000 && traderPosts(bench).length < 2; ms += 5) await bench.run(5);
    const rows = bench.journal.crash();
    bench.executor.dispose();
    const memory = createInMemoryJournal({ rows });
    expect(memory.openWrites().filter((write) => write.scope.endsWith('1'))).toHaveLength(2);
    const again = aBench({ clock: bench.clock, gateway: bench.gateway, memory });
    const started = again.executor.start();
    await again.run(5000);
    await started;
    expect(again.of('OrderNotExecuted')).toHaveLength(1);
    expect(memory.openWrites()).toEqual([]);
    expect(again.executor.lanes()[0]).toMatchObject({ nonce: 1n });
  });
});
