/** @module A renewal of the switch that waits for its lane is void once the health is red (invariant I12). */
import { describe, expect, test } from 'vitest';
import { aBench } from '../unit/bot/execution/support.ts';

const isRenewal = (post: { readonly kind: string }) => post.kind === 'ScheduleCancel';

/** A heartbeat falls into the three seconds of a cancel-all: its renewal waits. */
async function aWaitingRenewal(): Promise<ReturnType<typeof aBench>> {
  const bench = aBench();
  await bench.start();
  bench.gateway.answerMs = 3000;
  await bench.run(4000);
  bench.executor.submitSafety({ kind: 'cancelAll' });
  await bench.run(1500);
  return bench;
}

describe('a renewal that waits', () => {
  test('is not sent when the health turns red before its lane is free', async () => {
    const bench = await aWaitingRenewal();
    bench.red.push('H7: positions differ');
    bench.executor.beat();
    bench.gateway.posts.length = 0;
    await bench.run(10_000);
    expect(bench.gateway.posts.filter(isRenewal)).toEqual([]);
    bench.red.length = 0;
    await bench.run(10_000);
    expect(bench.gateway.posts.filter(isRenewal).length).toBeGreaterThan(0);
  });

  test('is not sent when the bot begins to stop before its lane is free', async () => {
    const bench = await aWaitingRenewal();
    bench.gateway.posts.length = 0;
    void bench.executor.stop();
    await bench.run(10_000);
    expect(bench.gateway.posts.filter(isRenewal)).toEqual([]);
  });

  test('does not take the place of a trigger that stands in for a refused cancel-all', async () => {
    const bench = aBench();
    await bench.start();
    bench.gateway.isCancelAllSupported = false;
    bench.gateway.answerMs = 20;
    await bench.run(4500);
    const atMs = bench.clock.nowMs();
    bench.executor.submitSafety({ kind: 'cancelAll' });
    bench.gateway.posts.length = 0;
    await bench.run(1000);
    const sent = bench.gateway.posts.filter(isRenewal);
    expect(sent.length).toBeGreaterThan(0);
    const triggers = sent.map((post) => JSON.parse(post.body).triggerMs - atMs);
    // The heartbeat half a second later would move the trigger away before it has fired.
    expect(triggers.filter((leadMs) => leadMs > 2000)).toEqual([]);
    await bench.run(1000);
    expect(bench.of('SwitchFired')).toHaveLength(1);
  });
});
