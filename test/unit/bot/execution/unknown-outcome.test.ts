/**
 * @module An outcome that stays unknown, step by step (outcomes-and-receipts.md): what is reserved, held back,
 * canceled, halted.
 */
import { describe, expect, test } from 'vitest';
import { AccountState, approve, lots, type OrderSpec } from '../../../../src/domain/index.ts';
import { aMarket, aSpec, BTC } from '../../../support/trading-builders.ts';
import { aBench, type Bench, refusal, TRADER } from './support.ts';

const PENDING = { kind: 'sequenced', pendingMs: 200_000 } as const;

async function opened(): Promise<Bench> {
  const bench = aBench();
  await bench.start();
  return bench;
}

function place(bench: Bench, spec: OrderSpec = aSpec()): OrderSpec {
  bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [spec] } }));
  return spec;
}

/** The lots that the facts of a bench leave reserved on the side of buys. */
function reservedLots(bench: Bench): number {
  const state = new AccountState();
  state.fold({ type: 'MarketChanged', market: aMarket() });
  for (const fact of bench.facts) state.fold(fact);
  return state.exposure(BTC).buyLots;
}

const countOf = (bench: Bench, kind: string): number =>
  bench.gateway.posts.filter((post) => post.kind === kind).length;

describe('a lane that is blocked (denials.md M7)', () => {
  test('is not red in the first 5 s, and is from then on: the switch is not renewed (I12)', async () => {
    const bench = await opened();
    bench.gateway.fates.push(PENDING);
    place(bench);
    await bench.run(4_800);
    expect(bench.of('SwitchHeld')).toEqual([]);
    await bench.run(2_200);
    expect(bench.of('SwitchHeld')).toHaveLength(1);
    const renewals = countOf(bench, 'ScheduleCancel');
    await bench.run(20_000);
    expect(countOf(bench, 'ScheduleCancel')).toBe(renewals);
  });

  test('has everything canceled by the safety lane after 10 s, once', async () => {
    const bench = await opened();
    bench.gateway.fates.push(PENDING);
    place(bench);
    await bench.run(5_000);
    const before = countOf(bench, 'CancelAll');
    await bench.run(7_000);
    const canceled = bench.gateway.posts.filter((post) => post.kind === 'CancelAll');
    expect(canceled.length).toBeGreaterThan(before);
    expect(canceled.every((post) => post.signer === bench.safety.address)).toBe(true);
    await bench.run(20_000);
    expect(countOf(bench, 'CancelAll')).toBe(canceled.length);
  });

  test('halts by name after 60 s and not before, and its write is still not guessed (I30)', async () => {
    const bench = await opened();
    bench.gateway.fates.push(PENDING);
    place(bench);
    await bench.run(59_000);
    expect(bench.of('LaneHalted')).toEqual([]);
    await bench.run(4_000);
    expect(bench.of('LaneHalted')).toMatchObject([{ lane: TRADER, code: 'EXECUTION_LANE_BLOCKED' }]);
    expect(bench.of('WriteResolved').filter(({ lane }) => lane === TRADER)).toEqual([]);
    expect(reservedLots(bench)).toBe(aSpec().sizeLots);
  });
});

describe('the exposure of a placement (invariant I10)', () => {
  test('stays reserved while its outcome is unknown, until the fence proves that it never executes', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'requestLost' });
    const { sizeLots } = place(bench);
    await bench.run(1_500);
    expect(bench.of('WriteUnresolved')).toHaveLength(1);
    expect(reservedLots(bench)).toBe(sizeLots);
    await bench.run(3_000);
    expect(bench.of('OrderNotExecuted')).toHaveLength(1);
    expect(reservedLots(bench)).toBe(0);
  });

  test('stays in the shadow of a refusal until another request has spent its nonce (O61)', async () => {
    const bench = await opened();
    bench.gateway.fates.push({ kind: 'answer', answer: refusal(400, 'InvalidRequest') });
    const { sizeLots } = place(bench);
    await bench.run(500);
    expect(bench.of('OrderRejected')).toHaveLength(1);
    expect(reservedLots(bench)).toBe(sizeLots);
    await bench.run(3_000);
    expect(reservedLots(bench)).toBe(0);
  });

  test('counts the old order beside the new one while a replace is unknown (O80)', async () => {
    const bench = await opened();
    const old = place(bench, aSpec({ sizeLots: 7 }));
    await bench.run(50);
    const orderId = bench.of('OrderAccepted')[0]?.orderId ?? ('' as never);
    const fresh = aSpec({ sizeLots: 5 });
    bench.gateway.fates.push(PENDING);
    bench.executor.submit(
      approve({
        lane: TRADER,
        command: { kind: 'replace', symbol: BTC, cancels: [{ symbol: BTC, orderId }], orders: [fresh] },
      }),
    );
    await bench.run(1_000);
    expect(reservedLots(bench)).toBe(lots(old.sizeLots + fresh.sizeLots));
  });
});

test('a fence never renews the switch: it repeats the last confirmed trigger', async () => {
  const bench = await opened();
  const armedUntil = bench.of('SwitchArmed').at(-1)?.triggerAtMs;
  bench.gateway.fates.push({ kind: 'requestLost' });
  place(bench);
  await bench.run(4_000);
  expect(bench.of('OrderNotExecuted')).toHaveLength(1);
  expect(bench.of('SwitchArmed').at(-1)?.triggerAtMs).toBe(armedUntil);
});
