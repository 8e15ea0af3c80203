/**
 * @module A lane that has halted takes no write any more, whatever becomes of the one under way
 * (outcomes-and-receipts.md).
 */
import { describe, expect, test } from 'vitest';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, refusal, TRADER } from '../unit/bot/execution/support.ts';

describe('a lane that was halted while its write was under way', () => {
  test('stays halted when the write is refused at last', async () => {
    const bench = aBench();
    await bench.start();
    const { post } = bench.gateway;
    let refuse: () => void = () => undefined;
    bench.gateway.post = async (write) => {
      if (!write.path.endsWith('/orders')) return await post.call(bench.gateway, write);
      return await new Promise((resolve) => {
        refuse = () => resolve(refusal(401, 'UnknownAgent'));
      });
    };
    bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
    await bench.run(62_000);
    expect(bench.of('LaneHalted')).toMatchObject([{ lane: TRADER, code: 'EXECUTION_LANE_BLOCKED' }]);
    const announced = bench.of('LaneReady').length;
    refuse();
    await bench.run(30_000);
    expect(bench.executor.isArmed(1000)).toBe(true);
    expect(bench.executor.lanes()[0]).toMatchObject({ state: 'halted' });
    expect(bench.executor.isReady(TRADER)).toBe(false);
    expect(bench.of('LaneReady')).toHaveLength(announced);
  });
});
