/**
 * @module
 * A stop when no lane can send anything any more does not wait for a cancel that nobody can carry, and says what is the
 * matter (dead-mans-switch.md, invariant I27).
 */
import { describe, expect, test } from 'vitest';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, refusal, TRADER } from '../unit/bot/execution/support.ts';

/** A bench with one order at rest whose two wallets have both lost their grant. */
async function lostBench() {
  const bench = aBench();
  await bench.start();
  const place = () =>
    bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
  place();
  await bench.run(50);
  bench.gateway.fates.push({ kind: 'answer', answer: refusal(401, 'UnknownAgent') });
  place();
  await bench.run(50);
  bench.gateway.fates.push({ kind: 'answer', answer: refusal(401, 'UnknownAgent') });
  bench.executor.submitSafety({ kind: 'cancelAll' });
  await bench.run(50);
  expect(bench.of('LaneHalted')).toHaveLength(2);
  return bench;
}

describe('a stop when every lane has halted', () => {
  test('is over as soon as the book is read to be empty', async () => {
    const bench = await lostBench();
    const stopped = bench.executor.stop();
    bench.gateway.orders.clear();
    await bench.run(500);
    await expect(stopped).resolves.toMatchObject({ isProven: true });
  });

  test('waits for the switch and no longer, and names the lanes', async () => {
    const bench = await lostBench();
    const armedForMs = (bench.of('SwitchArmed').at(-1)?.triggerAtMs ?? 0) - bench.clock.nowMs();
    const stopped = bench.executor.stop();
    let isOver = false;
    void stopped.then(() => {
      isOver = true;
    });
    await bench.run(armedForMs);
    expect(isOver).toBe(false);
    await bench.run(3000);
    const proof = await stopped;
    expect(proof).toMatchObject({ isProven: false, openOrders: 1 });
    expect(proof).toMatchObject({
      why: expect.stringMatching(/no lane can cancel them: .*EXECUTION_GRANT_INVALID/),
    });
  });
});
