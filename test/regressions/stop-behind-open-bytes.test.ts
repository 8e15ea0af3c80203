/**
 * @module
 * The end of a run cancels at once, whatever is still open; what a wallet without a grant has signed cannot execute and
 * is no reason to wait, or to end without the proof that no order is open (dead-mans-switch.md, invariant I27).
 */
import { describe, expect, test } from 'vitest';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, refusal, TRADER } from '../unit/bot/execution/support.ts';

describe('a stop after the trading wallet has lost its grant', () => {
  test('cancels the orders that rest and proves that no order is open at once', async () => {
    const bench = aBench();
    await bench.start();
    const place = () =>
      bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
    place();
    await bench.run(50);
    expect(bench.gateway.orders.size).toBe(1);
    // The grant of the trading wallet ends: what it signed last could only run after a new approval.
    bench.gateway.fates.push({ kind: 'answer', answer: refusal(401, 'AgentExpired') });
    place();
    await bench.run(50);
    const stopped = bench.executor.stop();
    await bench.run(1000);
    expect(bench.gateway.orders.size).toBe(0);
    await expect(stopped).resolves.toMatchObject({ isProven: true });
  });
});
