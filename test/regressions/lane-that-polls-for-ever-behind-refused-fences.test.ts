/**
 * @module
 * A lane that was blocked already, then had its fences refused three times, stopped to fence without a word: its write
 * stayed open for good, and the run neither healed nor ended (invariants I6, I13).
 */
import { expect, test } from 'vitest';
import { isRunLost } from '../../src/bot/live/start/fatal-halts.ts';
import { approve, type LaneId } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, refusal, TRADER } from '../unit/bot/execution/support.ts';

test('a blocked lane says that its fences have ended, and the run ends by that name', async () => {
  const bench = aBench({});
  await bench.start();
  const { gateway } = bench;
  const post = gateway.post.bind(gateway);
  let hasLost = false;
  let isRefusing = false;
  gateway.post = async (write) => {
    if (!write.body.includes(`"signer":"${bench.trader.address}"`)) return await post(write);
    if (!hasLost) {
      hasLost = true;
      return { kind: 'lost', why: 'timeout' };
    }
    return isRefusing
      ? refusal(422, 'MarketNotTrading', { nonceConsumed: false })
      : { kind: 'notSent', why: 'connection refused' };
  };
  bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
  await bench.run(62_000);
  expect(bench.of('LaneHalted')).toMatchObject([{ lane: TRADER, code: 'EXECUTION_LANE_BLOCKED' }]);
  isRefusing = true;
  await bench.run(20_000);
  const halts = bench.of('LaneHalted').filter(({ lane }) => lane === TRADER);
  expect(halts).toMatchObject([
    { code: 'EXECUTION_LANE_BLOCKED' },
    { code: 'EXECUTION_REPEATED_REJECTS', reason: expect.stringContaining('3 fences in a row') },
  ]);
  const trading = new Set<LaneId | undefined>([TRADER]);
  expect(isRunLost('EXECUTION_REPEATED_REJECTS', bench.executor.lanes(), trading)).toBe(true);
});
