/**
 * Symptom: each of the first readings of the exchange's clock was answered at the second attempt only, and the wait for the
 * first counted as its way: the time of the exchange was believed to be five seconds off.
 */
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/core/index.ts';
import type { HttpAnswer, NoAnswer } from '../../src/wire/gateway/transport.ts';
import { aClockGateway } from '../support/clock-gateway.ts';

const SERVER_AHEAD_MS = 40_000;

test('the offset to the exchange is measured on the attempt that was answered (F4, O11, O47)', async () => {
  const clock = new VirtualClock(1_767_700_020_000);
  let asked = 0;
  const later = <T>(delayMs: number, what: () => T): Promise<T> =>
    new Promise((resolve) => void clock.after(delayMs, () => resolve(what())));
  const gateway = aClockGateway(clock, (): Promise<HttpAnswer | NoAnswer> => {
    asked++;
    if (asked % 2 === 1) return later(5_000, () => ({ kind: 'lost', why: 'no answer within 5000 ms' }));
    const body = JSON.stringify({ serverTime: clock.nowMs() + SERVER_AHEAD_MS });
    return later(10, () => ({ kind: 'answer', status: 200, headers: {}, body }));
  });
  const started = gateway.start();
  await clock.advanceAsync(20_000);
  await started;
  expect(asked).toBe(6);
  const { offsetMs, errorMs } = gateway.serverClock.state();
  expect(Math.abs(offsetMs - SERVER_AHEAD_MS)).toBeLessThanOrEqual(5);
  expect(errorMs).toBe(5);
  await gateway.close();
});
