/** @module A renewal of the switch that waits: it is judged by when it was decided on, and by I12 when it leaves. */
import { expect, test } from 'vitest';
import { ORACLES } from '../../../simulation/oracles/switch.ts';
import { MadeRun, START_MS, switchBody } from './made-run.ts';

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
])('a renewal that was %s (I12, obligations 3.2 step 5)', (_which, openMs, waitMs, broken) => {
  expect(renewed(openMs, waitMs)).toEqual(broken);
});
