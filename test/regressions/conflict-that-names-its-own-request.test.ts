/**
 * Symptom: the receipt of a write said that its nonce had been used by that very write, and the lane halted for a foreign
 * writer: the write was marked as never executed while its order rested.
 */
import { expect, test } from 'vitest';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, refusal, TRADER } from '../unit/bot/execution/support.ts';

test('a conflict that names the request itself is waited on until a receipt says what came of it (O64, I30)', async () => {
  const bench = aBench();
  await bench.start();
  bench.gateway.fates.push({ kind: 'answerLost' });
  bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
  await bench.run(4);
  const own = bench.gateway.posts.at(-1)?.requestId;
  const details = { status: 'conflict', epoch: bench.gateway.epoch, conflictingRequest: own };
  bench.gateway.receiptAnswers.push(refusal(409, 'conflict', details));
  await bench.run(5_000);
  expect(bench.of('LaneHalted')).toEqual([]);
  expect(bench.of('OrderNotExecuted')).toEqual([]);
  const resolved = bench.of('WriteResolved').find(({ requestId }) => requestId === own);
  expect(resolved).toMatchObject({ outcome: 'executed' });
  bench.executor.dispose();
});
