/** @module An order whose record takes seconds to become durable is not sent any more: its prices are of then (I25). */
import { describe, expect, test } from 'vitest';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, TRADER } from '../unit/bot/execution/support.ts';

describe('a journal that stands still for seconds', () => {
  test('fences the order instead of sending it late', async () => {
    const bench = aBench();
    const { recordWrite } = bench.journal;
    await bench.start();
    bench.journal.recordWrite = async (record) => {
      bench.journal.recordWrite = recordWrite;
      await new Promise<void>((resolve) => void bench.clock.after(4000, resolve));
      await recordWrite.call(bench.journal, record);
    };
    bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
    bench.gateway.posts.length = 0;
    await bench.run(10_000);
    const kinds = bench.gateway.posts
      .filter((post) => post.signer === bench.trader.address)
      .map((post) => post.kind);
    expect(kinds).toEqual(['ScheduleCancel']);
    expect(bench.gateway.orders.size).toBe(0);
    expect(bench.of('OrderNotExecuted')).toHaveLength(1);
    expect(bench.executor.isReady(TRADER)).toBe(true);
  });

  test('sends nothing after the end of the run', async () => {
    const bench = aBench();
    await bench.start();
    bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
    bench.executor.dispose();
    await bench.run(1000);
    expect(bench.gateway.orders.size).toBe(0);
    expect(bench.journal.openWrites()).toHaveLength(1);
  });
});
