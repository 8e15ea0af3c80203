/**
 * @module
 * A fence does not wait for room in a request budget until its time and its trigger are old: it is given back unsent, and
 * the next one is made again (obligations O47, O116, invariant I24).
 */
import { expect, test } from 'vitest';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, TRADER } from '../unit/bot/execution/support.ts';

test('a fence that found no room is dead, and the one after it has the time of then', async () => {
  const bench = aBench();
  await bench.start();
  const noRoom = { kind: 'answer', answer: { kind: 'notSent', why: 'no room in the budget' } } as const;
  bench.gateway.fates.push({ kind: 'requestLost' }, noRoom, noRoom);
  const before = bench.gateway.posts.length;
  bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
  await bench.run(8_000);
  const posts = bench.gateway.posts.slice(before);
  const fences = posts.filter(({ nonce, signer }) => nonce === posts[0]?.nonce && signer === posts[0].signer);
  expect(fences.map(({ kind }) => kind)).toEqual([
    'PlaceOrder',
    'ScheduleCancel',
    'ScheduleCancel',
    'ScheduleCancel',
  ]);
  const offsets = fences.slice(1).map(({ body, atMs }) => JSON.parse(body).nowMs - atMs);
  expect(Math.max(...offsets) - Math.min(...offsets)).toBeLessThan(50);
  for (const { waitMs } of fences.slice(1)) expect(waitMs).toBeLessThanOrEqual(1_000);
  expect(bench.of('OrderNotExecuted')).toHaveLength(1);
  expect(bench.journal.openWrites()).toEqual([]);
});
