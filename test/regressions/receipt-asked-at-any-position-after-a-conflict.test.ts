/**
 * Symptom: a fence had been refused at a position of the log, and receipts were asked from there on; after the next
 * refusal, which named no position, they were asked at any: a replica that was behind could answer again.
 */
import { expect, test } from 'vitest';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, refusal, TRADER } from '../unit/bot/execution/support.ts';

const AT = 100n;

test('keeps the position of a refused fence until its nonce is closed (O19, I24)', async () => {
  const bench = aBench();
  await bench.start();
  const { gateway } = bench;
  const asked: (bigint | undefined)[] = [];
  const receipt = gateway.receipt.bind(gateway);
  // The switch arms itself meanwhile; only the lane of the lost write is looked at.
  gateway.receipt = async (query, minSeq?: bigint) => {
    if (query.scope.includes(bench.trader.address)) asked.push(minSeq);
    return await receipt(query);
  };
  gateway.fates.push({ kind: 'requestLost' });
  bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
  const post = gateway.post.bind(gateway);
  const refusals = [{ reason: 'NonceMismatch', seq: Number(AT) }, { reason: 'NonceMismatch' }];
  gateway.post = async (write) => {
    if (write.body.includes(bench.trader.address) && write.path.includes('schedule-cancel')) {
      const details = refusals.shift();
      if (details !== undefined) return refusal(409, 'NonceMismatch', details);
    }
    return await post(write);
  };
  await bench.run(8_000);
  expect(refusals).toEqual([]);
  const first = asked.findIndex((minSeq) => minSeq !== undefined);
  expect(asked.slice(0, first).every((minSeq) => minSeq === undefined)).toBe(true);
  expect(new Set(asked.slice(first))).toEqual(new Set([AT]));
  expect(bench.of('OrderNotExecuted')).toHaveLength(1);
  expect(bench.of('LaneHalted')).toEqual([]);
  bench.executor.dispose();
});
