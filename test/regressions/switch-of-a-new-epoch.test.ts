/** @module The dead man's switch of a ledger that is gone protects nothing in the new one (invariant I11). */
import { describe, expect, test } from 'vitest';
import { aBench, TRADER } from '../unit/bot/execution/support.ts';

describe('the switch when the exchange begins a new ledger', () => {
  test('counts as disarmed until it is confirmed there, and is confirmed although positions begin again', async () => {
    const bench = aBench();
    await bench.start();
    expect(bench.executor.isReady(TRADER)).toBe(true);
    bench.gateway.epoch = 'epoch-2';
    bench.gateway.seq = 1n;
    bench.gateway.setNextNonce(bench.safety, 0n);
    bench.gateway.setNextNonce(bench.trader, 0n);
    bench.executor.onEpoch('epoch-2');
    expect(bench.executor.isArmed(0)).toBe(false);
    expect(bench.executor.isReady(TRADER)).toBe(false);
    await bench.run(20_000);
    expect(bench.executor.isArmed(1000)).toBe(true);
    expect(bench.executor.isReady(TRADER)).toBe(true);
    expect(bench.bugs).toEqual([]);
  });
});
