/**
 * @module
 * A halted bot left its orders in the book: cancel-all was refused, the switch that was to fire at once too, and the
 * heartbeats after that renewed the switch (outcomes-and-receipts.md; I23).
 */
import { describe, expect, test, vi } from 'vitest';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, type Bench, type Fate, TRADER } from '../unit/bot/execution/support.ts';

const REJECTED: Fate = { kind: 'business', reason: 'AnUnheardOfReason' };
const PASSED: Fate = { kind: 'executed' };
/** How far ahead each schedule-cancel set the switch, in ms. */
const leadsOf = ({ gateway, clock }: Bench): readonly number[] => {
  const originMs = clock.nowMs() - clock.monotonicMs();
  const schedules = gateway.posts.filter(({ kind }) => kind === 'ScheduleCancel');
  return schedules.map(({ body, atMs }) => JSON.parse(body).triggerMs - originMs - atMs);
};

async function withAnOrder(): Promise<Bench> {
  const bench = aBench();
  await bench.start();
  bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
  await bench.run(50);
  expect(bench.gateway.orders.size).toBe(1);
  bench.gateway.posts.length = 0;
  bench.facts.length = 0;
  return bench;
}

describe('a refused cancel-all', () => {
  test('is asked for again when the switch cannot be set to fire at once', async () => {
    const bench = await withAnOrder();
    bench.gateway.fates.push(REJECTED, REJECTED, REJECTED, REJECTED);
    bench.executor.submitSafety({ kind: 'cancelAll' });
    await bench.run(4500);
    expect(bench.gateway.orders.size).toBe(0);
    const kinds = bench.gateway.posts.map(({ kind }) => kind);
    const round = ['CancelAll', 'ScheduleCancel'];
    expect(kinds).toEqual([...round, ...round, 'CancelAll', 'ScheduleCancel']);
    expect(bench.executor.isReady(TRADER)).toBe(true);
    expect(bench.of('LaneReady').map(({ lane }) => lane)).toContain(TRADER);
  });

  test('is not asked for again once its switch has emptied the book, as a read shows', async () => {
    const bench = await withAnOrder();
    bench.gateway.isCancelAllSupported = false;
    bench.executor.submitSafety({ kind: 'cancelAll' });
    await bench.run(1100);
    expect(bench.of('SwitchFired')).toHaveLength(1);
    bench.gateway.orders.clear();
    await bench.run(8000);
    expect(bench.gateway.posts.filter(({ kind }) => kind === 'CancelAll')).toHaveLength(1);
    expect(bench.executor.isArmed(10_000)).toBe(true);
    expect(bench.executor.isReady(TRADER)).toBe(true);
  });

  test('is asked for again when its switch was lost, and orders still rest (ambiguity A14)', async () => {
    const bench = await withAnOrder();
    bench.gateway.fates.push(REJECTED, PASSED);
    bench.executor.submitSafety({ kind: 'cancelAll' });
    await bench.run(1500);
    expect(bench.of('SwitchFired')).toHaveLength(1);
    expect(bench.gateway.orders.size).toBe(1);
    await bench.run(2000);
    expect(bench.gateway.orders.size).toBe(0);
  });

  test('lets nothing renew the switch before the book is empty', async () => {
    const bench = await withAnOrder();
    // Neither form of it is ever accepted: what empties the book is the trigger of the last heartbeat.
    const isMeantToFire = (): boolean => bench.gateway.orders.size > 0;
    const post = bench.gateway.post.bind(bench.gateway);
    bench.gateway.post = (write) => {
      if (isMeantToFire()) bench.gateway.fates.unshift(REJECTED);
      return post(write);
    };
    bench.executor.submitSafety({ kind: 'cancelAll' });
    await bench.run(19_000);
    expect(leadsOf(bench).length).toBeGreaterThan(3);
    expect(Math.max(...leadsOf(bench))).toBeLessThanOrEqual(1000);
    expect(bench.executor.isReady(TRADER)).toBe(false);
    await bench.run(2000);
    expect(bench.of('SwitchFired')).toHaveLength(1);
    bench.gateway.orders.clear();
    await bench.run(12_000);
    expect(bench.executor.isReady(TRADER)).toBe(true);
  });

  test('is left to another lane when its own halts', async () => {
    const bench = await withAnOrder();
    const { prepare } = bench.safety;
    vi.spyOn(bench.safety, 'prepare').mockImplementationOnce((...command) => ({
      ...prepare(...command),
      sign: () => {
        throw new Error('the signer is gone');
      },
    }));
    bench.executor.submitSafety({ kind: 'cancelAll' });
    await bench.run(3000);
    expect(bench.of('LaneHalted')).toHaveLength(1);
    expect(bench.gateway.orders.size).toBe(0);
  });
});
