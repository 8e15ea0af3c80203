/** @module A write without room in the request budget comes back to its lane before any other (obligations O116, I7). */
import { expect, test } from 'vitest';
import { approve } from '../../../../src/domain/index.ts';
import { aSpec } from '../../../support/trading-builders.ts';
import { aBench, TRADER } from './support.ts';

test('nothing overtakes a write that was turned away: its lane takes none, its bytes leave first (I7, I9)', async () => {
  const bench = aBench();
  await bench.start();
  const { gateway, trader } = bench;
  const post = gateway.post.bind(gateway);
  const left: bigint[] = [];
  let turnedAway = 0;
  gateway.post = async (write) => {
    if (!write.body.includes(trader.address)) return await post(write);
    if (turnedAway < 3) {
      turnedAway++;
      return { kind: 'notSent', why: 'no room', isHeldBack: true };
    }
    left.push(BigInt(JSON.parse(write.body).nonce));
    return await post(write);
  };
  const place = () =>
    bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
  place();
  await bench.run(20);
  expect(turnedAway).toBeGreaterThan(0);
  expect(left).toEqual([]);
  expect(bench.executor.isReady(TRADER)).toBe(false);
  await bench.run(5_000);
  expect(turnedAway).toBe(3);
  place();
  await bench.run(1_000);
  const [first = 0n] = left;
  expect(left).toEqual([first, first + 1n]);
  expect(bench.of('OrderAccepted')).toHaveLength(2);
  bench.executor.dispose();
});
