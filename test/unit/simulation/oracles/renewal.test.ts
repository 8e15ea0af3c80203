/** @module A renewal of the switch that waits: it is judged by when it was decided on, and by I12 when it leaves. */
import { expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/switch.ts';
import { MadeRun, SAFETY, START_MS, switchBody, type WriteOptions } from './made-run.ts';

/** A renewal is recorded `openMs` after an order that finds no end, and leaves `waitMs` later. */
function renewed(openMs: number, waitMs: number): readonly string[] {
  const run = new MadeRun(ORACLES).live();
  run.record({ nonce: 0n });
  run.post({ nonce: 0n });
  const renewal = { ...switchBody(START_MS + 30_000), nonce: 1n };
  run.pass(openMs).record(renewal);
  run.pass(waitMs).post(renewal);
  return run.broken;
}

test.each([
  ['decided on in time and sent at once', 4_000, 10, []],
  ['decided on in time, and sent when the health was red for a moment', 4_000, 3_000, []],
  ['decided on in time, and sent when the health was red for long', 4_000, 8_000, ['I12']],
  ['decided on when the health was red', 7_000, 10, ['I12']],
])('a renewal that was %s (I12)', (_which, openMs, waitMs, broken) => {
  expect(renewed(openMs, waitMs)).toEqual(broken);
});

/** An order rests, cancel-all has come to this end, and a second later the switch is renewed. */
function renewedAfter(
  outcome: string,
  { aheadMs = 20_000, rests = true, restarts = false } = {},
): readonly string[] {
  const run = new MadeRun(ORACLES).live();
  const order: WriteOptions = { nonce: 0n };
  const cancelAll = { nonce: 1n, path: '/v1/orders/cancel-all', body: {}, signer: SAFETY };
  run.venue.switchAtMs = START_MS + aheadMs;
  run.row('outcome', ended(run.record(order), 'executed'));
  run.post(order);
  if (rests) run.rests(order, 77n);
  const canceling = run.record(cancelAll);
  if (restarts) run.pass(1_000).live();
  run.row('outcome', ended(canceling, outcome)).pass(1_000).block();
  const renewal = { ...switchBody(START_MS + 25_000), nonce: 2n };
  run.record(renewal);
  run.post(renewal);
  return run.broken;
}

test('the book was empty between two blocks: what is placed after that may be renewed for (I12)', () => {
  const run = new MadeRun(ORACLES).live();
  const cancelAll = { nonce: 1n, path: '/v1/orders/cancel-all', body: {}, signer: SAFETY };
  const placed = (order: WriteOptions, orderId: bigint): void => {
    run.row('outcome', ended(run.record(order), 'executed'));
    run.post(order);
    run.rests(order, orderId);
  };
  run.venue.switchAtMs = START_MS + 20_000;
  placed({ nonce: 0n }, 77n);
  run.row('outcome', ended(run.record(cancelAll), 'refused')).pass(500);
  run.venue.orders.delete(77n);
  placed({ nonce: 2n }, 78n);
  const renewal = { ...switchBody(START_MS + 25_000), nonce: 3n };
  run.pass(500).block().record(renewal);
  run.post(renewal);
  expect(run.broken).toEqual([]);
});

const ended = (requestId: string, outcome: string) => ({
  ...{ requestId, outcome, nonceConsumed: true, proof: 'answer' },
});

test.each([
  ['was refused', 'refused', {}, ['I12']],
  ['was rejected', 'rejected', {}, ['I12']],
  ['was executed', 'executed', {}, []],
  ['was refused, and nothing rests', 'refused', { rests: false }, []],
  ['was refused, and no switch is ahead', 'refused', { aheadMs: 1_200 }, []],
  ['was rejected, as a start finds out of an earlier life', 'rejected', { restarts: true }, []],
])('a renewal after a cancel-all that %s (I12)', (_which, outcome, more, broken) => {
  expect(renewedAfter(outcome, more)).toEqual(broken);
});
