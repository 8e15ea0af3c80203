/**
 * Symptom: the first write of a freshly approved wallet found no end, and its fence left without the position of the
 * approval: a node that did not know the grant yet could refuse it with UnknownAgent, and the lane would halt.
 */
import { expect, test } from 'vitest';
import { aBench, SAFETY, TRADER } from '../unit/bot/execution/support.ts';

test('the fence of a first write carries the position of the approval too (O50)', async () => {
  const { clock, gateway, trader, safety } = aBench();
  const lanes = [
    { id: TRADER, signer: trader, consumeFirstNonce: true, firstMinSeq: 77n },
    { id: SAFETY, signer: safety },
  ];
  const bench = aBench({ clock, gateway, lanes });
  gateway.fates.push({ kind: 'requestLost' });
  const started = bench.executor.start();
  await bench.run(10_000);
  await started;
  const [first, fence, ...later] = gateway.posts.filter((post) => post.signer === trader.address);
  expect(first).toMatchObject({ nonce: 0n, minSeq: 77n });
  expect(fence).toMatchObject({ nonce: 0n, minSeq: 77n, kind: 'ScheduleCancel' });
  expect(fence?.requestId).not.toBe(first?.requestId);
  expect(later).toEqual([]);
  bench.executor.dispose();
});
