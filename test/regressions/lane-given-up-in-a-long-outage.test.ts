/**
 * Symptom: the ledger was begun again, the gateway could not be reached for a minute, and the lane that asked for its next
 * nonce was given up: the bot went on without it and never quoted again.
 */
import { expect, test } from 'vitest';
import { aBench, TRADER } from '../unit/bot/execution/support.ts';

const OUTAGE_MS = 120_000;

test('goes on asking for the nonce of the new ledger until it is told (I13, I29)', async () => {
  const bench = aBench();
  await bench.start();
  const { gateway, trader } = bench;
  const nonce = gateway.nonce.bind(gateway);
  let asked = 0;
  let isDown = true;
  gateway.nonce = async (signer) => {
    if (signer !== trader.address) return await nonce(signer);
    asked++;
    return isDown ? { kind: 'lost', why: 'ETIMEDOUT' } : await nonce(signer);
  };
  gateway.epoch = 'epoch-2';
  bench.executor.onEpoch('epoch-2');
  await bench.run(OUTAGE_MS);
  expect(bench.of('LaneHalted')).toEqual([]);
  expect(asked).toBeLessThan(OUTAGE_MS / 500);
  isDown = false;
  await bench.run(10_000);
  expect(bench.executor.isReady(TRADER)).toBe(true);
  bench.executor.dispose();
});

test('asks no more once all is over', async () => {
  const bench = aBench();
  await bench.start();
  const { gateway } = bench;
  let asked = 0;
  gateway.nonce = async () => {
    asked++;
    return await Promise.resolve({ kind: 'lost', why: 'ETIMEDOUT' });
  };
  bench.executor.onEpoch('epoch-2');
  await bench.run(2_000);
  bench.executor.dispose();
  await bench.run(2_000);
  const until = asked;
  await bench.run(10_000);
  expect(asked).toBe(until);
  expect(bench.bugs).toEqual([]);
});
