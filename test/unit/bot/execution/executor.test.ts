import { describe, expect, test } from 'vitest';
import { FENCE_LEAD_MS } from '../../../../src/bot/execution/fence.ts';
import { createInMemoryJournal } from '../../../../src/bot/journal/index.ts';
import { approve, type MarketSymbol, type OrderId, type OrderRef } from '../../../../src/domain/index.ts';
import { aSpec, BTC } from '../../../support/trading-builders.ts';
import { aBench, answer, type Bench, refusal, SAFETY, TRADER } from './support.ts';

function place(bench: Bench): void {
  bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
}

/** A started bench whose safety lane has sent a cancel that finds no end for a minute. */
async function aStuckSafetyLane(): Promise<Bench> {
  const bench = aBench();
  await bench.start();
  bench.gateway.fates.push({ kind: 'sequenced', pendingMs: 60_000 });
  bench.executor.submitSafety({ kind: 'cancel', orders: [ref('1')] });
  return bench;
}

const ref = (orderId: string): OrderRef => ({ symbol: BTC as MarketSymbol, orderId: orderId as OrderId });
const kindsOf = (bench: Bench, signer: { address: string }) =>
  bench.gateway.posts.filter((post) => post.signer === signer.address).map((post) => post.kind);

describe('start', () => {
  test('arms the switch before the first order may be sent (obligation O78)', async () => {
    const bench = aBench();
    const started = bench.executor.start();
    expect(bench.executor.isReady(TRADER)).toBe(false);
    await bench.run(100);
    await expect(started).resolves.toMatchObject({ epoch: 'epoch-1', openOrders: 0 });
    expect(bench.gateway.posts.map((post) => post.kind)).toEqual(['ScheduleCancel']);
    expect(bench.facts.map((fact) => fact.type)).toEqual([
      'WriteSent',
      'SwitchArmed',
      'LaneReady',
      'WriteResolved',
    ]);
    expect(bench.executor.isReady(TRADER)).toBe(true);
  });

  test('a renewal counts before its outcome is told: nobody judges a switch that is renewed already', async () => {
    const bench = aBench();
    await bench.start();
    await bench.run(6_000);
    const told = bench.facts.map((fact) => fact.type).filter((type) => type !== 'WriteSent');
    expect(told.lastIndexOf('SwitchArmed')).toBeLessThan(told.lastIndexOf('WriteResolved'));
    expect(told.filter((type) => type === 'SwitchArmed').length).toBe(2);
  });

  test('the lane is announced once the switch is confirmed, and no lane of safety writes ever', async () => {
    const bench = aBench();
    await bench.start();
    expect(bench.of('LaneReady').map((fact) => fact.lane)).toEqual([TRADER]);
    expect(bench.executor.isArmed(15_000)).toBe(true);
  });

  test('error: a scope of another wallet or account is refused by name (obligation O31)', async () => {
    for (const wrong of [{ scope: 'account:7' }, { signingAccountId: 8 }]) {
      const bench = aBench();
      const truth = { nonce: 0, signingAccountId: 7, scope: `agent:${bench.trader.address}` };
      bench.gateway.nonce = async () => answer(200, { ...truth, ...wrong });
      const started = expect(bench.executor.start()).rejects.toMatchObject({
        code: 'EXECUTION_SCOPE_MISMATCH',
      });
      await bench.run(100);
      await started;
      expect(bench.gateway.posts).toEqual([]);
    }
  });

  test('error: a gateway that does not answer is named', async () => {
    const bench = aBench({ timeouts: { startMs: 3000 } });
    bench.gateway.isDown = true;
    const started = expect(bench.executor.start()).rejects.toMatchObject({
      code: 'EXECUTION_START_UNANSWERED',
    });
    await bench.run(10_000);
    await started;
  });

  test('error: a write of the last run that cannot be resolved is named', async () => {
    const first = aBench();
    await first.start();
    first.gateway.fates.push({ kind: 'answerLost' });
    place(first);
    await first.run(3);
    const memory = createInMemoryJournal({ rows: first.journal.crash() });
    first.executor.dispose();
    const again = aBench({ clock: first.clock, gateway: first.gateway, memory, timeouts: { startMs: 5000 } });
    const gap = refusal(503, 'history_unavailable', { status: 'history_unavailable' });
    again.gateway.receipt = async () => gap;
    const started = expect(again.executor.start()).rejects.toMatchObject({
      code: 'EXECUTION_START_UNRESOLVED',
    });
    await again.run(10_000);
    await started;
    expect(again.executor.unresolved()).toBe(1);
  });

  test('what the last run left open is told before anything is read, and once', async () => {
    const first = aBench();
    await first.start();
    first.gateway.fates.push({ kind: 'answerLost' });
    place(first);
    await first.run(3);
    const memory = createInMemoryJournal({ rows: first.journal.crash() });
    first.executor.dispose();
    const again = aBench({ clock: first.clock, gateway: first.gateway, memory });
    again.executor.reportOpen();
    const told = ['WriteSent', 'WriteUnresolved'];
    expect(again.facts.map(({ type }) => type)).toEqual(told);
    const [open] = again.of('WriteSent');
    await again.start();
    const ofOpen = again.facts.filter((fact) => 'requestId' in fact && fact.requestId === open?.requestId);
    expect(ofOpen.map(({ type }) => type)).toEqual([...told, 'WriteResolved']);
  });

  test.each([
    ['empty', undefined],
    ['behind', 3n],
  ] as const)(
    'a journal that is %s is named and the first nonce is spent on a harmless write',
    async (standing, lastNonce) => {
      const bench = aBench();
      if (lastNonce !== undefined) {
        await bench.start();
        for (let n = 0n; n <= lastNonce; n++) {
          place(bench);
          await bench.run(50);
        }
        bench.executor.dispose();
      }
      bench.gateway.setNextNonce(bench.trader, 9n);
      const memory = createInMemoryJournal({ rows: bench.journal.rows() });
      const again = aBench({ clock: bench.clock, gateway: bench.gateway, memory });
      bench.gateway.posts.length = 0;
      const started = again.executor.start();
      await again.run(200);
      await expect(started).resolves.toMatchObject({
        lanes: [{ lane: TRADER, journal: standing, nonce: 9n }, {}],
      });
      expect(kindsOf(again, again.trader)).toEqual(['ScheduleCancel']);
      expect(again.executor.lanes()[0]).toMatchObject({ nonce: 10n, state: 'idle' });
    },
  );

  test('a journal that lost writes of one wallet may have lost one of another: all spend their first nonce (O122)', async () => {
    const bench = aBench();
    await bench.start();
    place(bench);
    await bench.run(50);
    bench.executor.dispose();
    bench.gateway.setNextNonce(bench.safety, 9n);
    const memory = createInMemoryJournal({ rows: bench.journal.rows() });
    const again = aBench({ clock: bench.clock, gateway: bench.gateway, memory });
    bench.gateway.posts.length = 0;
    const started = again.executor.start();
    await again.run(200);
    await expect(started).resolves.toMatchObject({ lanes: [{ journal: 'current' }, { nonce: 9n }] });
    expect(kindsOf(again, again.trader)).toEqual(['ScheduleCancel']);
    expect(again.executor.lanes()[0]).toMatchObject({ nonce: 2n, state: 'idle' });
  });

  test('after an approval the first write is harmless and carries the position of the receipt (O50, O122)', async () => {
    const bench = aBench();
    const lanes = [
      { id: TRADER, signer: bench.trader, consumeFirstNonce: true, firstMinSeq: 77n },
      { id: SAFETY, signer: bench.safety },
    ];
    const approved = aBench({ clock: bench.clock, gateway: bench.gateway, lanes });
    await approved.start();
    const [burned] = approved.gateway.posts.filter((post) => post.signer === approved.trader.address);
    expect(burned).toMatchObject({ kind: 'ScheduleCancel', minSeq: 77n });
    // Nobody has judged the health yet: it is as little a renewal of the switch as a fence (I12, swarm seed 1124).
    const { nowMs, triggerMs } = JSON.parse(String(burned?.body)) as Record<string, number>;
    expect(triggerMs).toBe(Number(nowMs) + FENCE_LEAD_MS);
    place(approved);
    await approved.run(50);
    expect(approved.gateway.posts.at(-1)).toMatchObject({ kind: 'PlaceOrder', minSeq: undefined });
  });

  test('a replica behind what is proven does not bring an old nonce back', async () => {
    const bench = aBench();
    await bench.start();
    place(bench);
    await bench.run(50);
    bench.executor.dispose();
    const memory = createInMemoryJournal({ rows: bench.journal.rows() });
    const again = aBench({ clock: bench.clock, gateway: bench.gateway, memory });
    const { nonce } = bench.gateway;
    again.gateway.nonce = async (signer) =>
      signer === again.trader.address
        ? answer(200, { nonce: 0, signingAccountId: 7, scope: `agent:${signer}` })
        : nonce.call(bench.gateway, signer);
    await again.start();
    expect(again.executor.lanes()[0]).toMatchObject({ nonce: 1n });
  });
});

describe('the safety lane', () => {
  test('carries cancels while the trading lane is unresolved', async () => {
    const bench = aBench();
    await bench.start();
    bench.gateway.orders.add('11');
    bench.gateway.fates.push({ kind: 'sequenced', pendingMs: 60_000 });
    place(bench);
    await bench.run(20);
    bench.executor.submitSafety({ kind: 'cancel', orders: [ref('11')] });
    await bench.run(50);
    expect(bench.of('CancelExecuted')).toMatchObject([{ ref: ref('11') }]);
    expect(kindsOf(bench, bench.safety)).toContain('CancelOrder');
  });

  test('waiting cancels become one write, cancel-all goes first', async () => {
    const bench = aBench();
    await bench.start();
    bench.gateway.posts.length = 0;
    bench.executor.submitSafety({ kind: 'cancel', orders: [ref('1')] });
    bench.executor.submitSafety({ kind: 'cancel', orders: [ref('2'), ref('3')] });
    bench.executor.submitSafety({ kind: 'cancel', orders: [ref('3')] });
    bench.executor.submitSafety({ kind: 'cancelAll' });
    bench.executor.submitSafety({ kind: 'cancelAll' });
    await bench.run(200);
    expect(kindsOf(bench, bench.safety)).toEqual(['CancelOrder', 'CancelAll', 'BatchCancel']);
  });

  test('with one wallet safety writes go before the next order', async () => {
    const bench = aBench({ isShared: true });
    await bench.start();
    bench.gateway.posts.length = 0;
    place(bench);
    bench.executor.submitSafety({ kind: 'cancelAll' });
    bench.facts.length = 0;
    await bench.run(9);
    expect(bench.executor.isReady(TRADER)).toBe(false);
    await bench.run(50);
    expect(bench.gateway.posts.map((post) => post.kind)).toEqual(['PlaceOrder', 'CancelAll']);
    expect(bench.of('LaneReady')).toHaveLength(1);
  });

  test('another lane helps out when the safety lane is stuck', async () => {
    const bench = await aStuckSafetyLane();
    await bench.run(100);
    bench.executor.submitSafety({ kind: 'cancelAll' });
    await bench.run(2500);
    expect(kindsOf(bench, bench.trader)).toContain('CancelAll');
  });

  test('a cancel-all that another writer had executed before is sent again (swarm seed 4613)', async () => {
    const bench = aBench();
    await bench.start();
    place(bench);
    await bench.run(100);
    bench.gateway.posts.length = 0;
    const before = Number(bench.gateway.seq) - 1;
    bench.gateway.fates.push({ kind: 'duplicate', seq: before });
    bench.executor.submitSafety({ kind: 'cancelAll' });
    await bench.run(100);
    expect(kindsOf(bench, bench.safety)).toEqual(['CancelAll', 'CancelAll']);
    expect(bench.gateway.orders.size).toBe(0);
  });

  test('where cancel-all is refused the switch is set to fire within a second', async () => {
    const bench = aBench();
    await bench.start();
    bench.gateway.isCancelAllSupported = false;
    bench.gateway.posts.length = 0;
    const nowMs = bench.clock.nowMs();
    bench.executor.submitSafety({ kind: 'cancelAll' });
    await bench.run(100);
    expect(kindsOf(bench, bench.safety)).toEqual(['CancelAll', 'ScheduleCancel']);
    const { triggerMs } = JSON.parse(bench.gateway.posts[1]?.body ?? '{}');
    expect(triggerMs - nowMs).toBeLessThanOrEqual(1100);
    expect(bench.executor.isArmed(2000)).toBe(false);
    await bench.run(1200);
    expect(bench.of('SwitchFired')).toHaveLength(1);
    expect(bench.executor.isReady(TRADER)).toBe(false);
  });
});

describe('a lane that finds no end', () => {
  test('holds the switch after 5 s, cancels all after 10 s, halts after 60 s', async () => {
    const bench = aBench();
    await bench.start();
    bench.gateway.fates.push({ kind: 'sequenced', pendingMs: 200_000 });
    place(bench);
    await bench.run(6500);
    expect(bench.of('SwitchHeld').at(-1)?.reasons).toEqual([`lane ${TRADER} has an unresolved write`]);
    const trigger = bench.of('SwitchArmed').at(-1)?.triggerAtMs;
    await bench.run(5000);
    expect(kindsOf(bench, bench.safety)).toContain('CancelAll');
    await bench.run(50_000);
    expect(bench.of('LaneHalted')).toMatchObject([{ lane: TRADER, code: 'EXECUTION_LANE_BLOCKED' }]);
    expect(bench.of('SwitchArmed').at(-1)?.triggerAtMs).toBe(trigger);
  });
});

describe('a lane that finds no end while another just did', () => {
  test('holds a renewal that waits, though the health was green for less than a look', async () => {
    const bench = aBench();
    await bench.start();
    const stuck = (pendingMs: number) => bench.gateway.fates.push({ kind: 'sequenced', pendingMs });
    const until = (atMs: number) => bench.run(atMs - bench.clock.monotonicMs());
    const armedAtMs = bench.gateway.posts[0]?.atMs ?? 0;
    // Red from 5.5 s on; the looks are at whole seconds.
    stuck(9_000);
    await until(armedAtMs + 500);
    bench.executor.submitSafety({ kind: 'cancel', orders: [ref('1')] });
    // Red from 10.7 s on.
    await until(armedAtMs + 5_700);
    stuck(40_000);
    place(bench);
    // Red by the safety lane at the look of 10 s, green for a moment, red by the other at the look of 11 s.
    await until(armedAtMs + 10_300);
    expect(bench.executor.lanes().map(({ state }) => state)).toEqual(['resolving', 'idle']);
    stuck(40_000);
    bench.executor.submitSafety({ kind: 'cancel', orders: [ref('2')] });
    bench.executor.beat();
    const posts = bench.gateway.posts.length;
    await until(armedAtMs + 11_500);
    expect(bench.of('SwitchHeld').at(-1)?.reasons).toEqual([`lane ${TRADER} has an unresolved write`]);
    await until(armedAtMs + 50_000);
    expect(bench.gateway.posts.slice(posts).map((post) => post.kind)).not.toContain('ScheduleCancel');
  });
});

describe('a process that slept', () => {
  test('holds a renewal that waited, before any look at the lanes (invariant I12)', async () => {
    const bench = await aStuckSafetyLane();
    await bench.run(500);
    bench.executor.beat();
    const posts = bench.gateway.posts.length;
    bench.clock.moveTo(bench.clock.monotonicMs() + 6_000);
    bench.executor.submitSafety({ kind: 'cancel', orders: [ref('2')] });
    await bench.run(3_000);
    const sent = bench.gateway.posts.slice(posts).map((post) => post.kind);
    expect(sent).toEqual(['CancelOrder']);
  });
});

describe('stop', () => {
  test('cancels all, proves that no order is open and leaves the switch armed (invariant I27)', async () => {
    const bench = aBench();
    await bench.start();
    place(bench);
    await bench.run(50);
    expect(bench.gateway.orders.size).toBe(1);
    const stopped = bench.executor.stop();
    expect(bench.executor.isReady(TRADER)).toBe(false);
    await bench.run(1000);
    await expect(stopped).resolves.toMatchObject({ isProven: true });
    expect(bench.gateway.orders.size).toBe(0);
    expect(bench.executor.isArmed(5000)).toBe(true);
    const posts = bench.gateway.posts.length;
    await bench.run(60_000);
    expect(bench.gateway.posts).toHaveLength(posts);
  });

  test('waits for a write in flight before it cancels', async () => {
    const bench = aBench();
    await bench.start();
    bench.gateway.answerMs = 300;
    place(bench);
    const stopped = bench.executor.stop();
    await bench.run(3000);
    await expect(stopped).resolves.toMatchObject({ isProven: true });
    expect(bench.gateway.executed.at(-1)?.kind).toBe('CancelAll');
  });

  test('a read that is behind proves nothing', async () => {
    const bench = aBench();
    await bench.start();
    bench.gateway.openOrders = async () => answer(200, { orders: [], seq: 1, epoch: 'epoch-1' });
    const stopped = bench.executor.stop();
    await bench.run(30_000);
    await expect(stopped).resolves.toMatchObject({ isProven: false });
  });

  test('an unresolved write makes the end unproven, by name', async () => {
    const bench = aBench();
    await bench.start();
    bench.gateway.fates.push({ kind: 'sequenced', pendingMs: 200_000 });
    place(bench);
    const stopped = bench.executor.stop();
    await bench.run(30_000);
    await expect(stopped).resolves.toMatchObject({ isProven: false, why: 'a write is unresolved' });
  });

  test('orders that stay open are counted', async () => {
    const bench = aBench();
    await bench.start();
    bench.gateway.openOrders = async () => answer(200, { orders: [{}, {}], seq: 1_000_000, epoch: 'e' });
    const stopped = bench.executor.stop();
    await bench.run(30_000);
    await expect(stopped).resolves.toEqual({ isProven: false, why: '2 orders are open', openOrders: 2 });
  });
});

test('error: two lanes of one wallet are a bug (obligation O26)', () => {
  const bench = aBench();
  const lanes = [
    { id: TRADER, signer: bench.trader },
    { id: SAFETY, signer: bench.trader },
  ];
  expect(() => aBench({ lanes })).toThrow(/one lane for each API wallet/);
});
