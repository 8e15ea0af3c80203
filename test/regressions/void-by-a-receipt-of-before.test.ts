/**
 * Symptom: a fence was refused because its own nonce had been used by the write before it; receipts that were asked from
 * there on were answered as of an earlier position, and the executed write was closed as one of a ledger that is gone.
 */
import { expect, test } from 'vitest';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, refusal, TRADER } from '../unit/bot/execution/support.ts';

test('a receipt that is not found up to a place before the one asked for closes nothing (F28, O63, I30)', async () => {
  const bench = aBench();
  await bench.start();
  const { gateway } = bench;
  const receipt = gateway.receipt.bind(gateway);
  let early = 0;
  gateway.receipt = async (query) => {
    if (!query.scope.includes(bench.trader.address) || ++early > 12) return await receipt(query);
    return refusal(404, 'not_found', { status: 'not_found', epoch: gateway.epoch, asOfSeq: 3 + early });
  };
  gateway.fates.push({ kind: 'answerLost' });
  bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
  const post = gateway.post.bind(gateway);
  gateway.post = async (write) => {
    const answer = await post(write);
    const isFence = write.body.includes(bench.trader.address) && write.path.includes('schedule-cancel');
    return isFence
      ? refusal(409, 'NonceMismatch', { reason: 'NonceMismatch', seq: Number(gateway.seq) })
      : answer;
  };
  await bench.run(20_000);
  expect(early).toBeGreaterThan(12);
  expect(bench.of('WriteVoided')).toEqual([]);
  expect(bench.of('OrderAccepted')).toHaveLength(1);
  bench.executor.dispose();
});
