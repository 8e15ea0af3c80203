/** @module One pong with a wrong time (fault F23) moved the exchange's clock, and the switch was set years ahead (I11). */
import { expect, test } from 'vitest';
import { seededRandom, silentLog, silentMeter, VirtualClock } from '../../src/core/index.ts';
import { createGateway } from '../../src/wire/gateway/index.ts';
import type { HttpAnswer, Transport } from '../../src/wire/gateway/transport.ts';

const START_MS = 1_767_700_020_000;
const YEAR_MS = 31_536_000_000;

async function aGateway(serverAheadMs: () => number) {
  const clock = new VirtualClock(START_MS);
  let asked = 0;
  const transport: Transport = {
    request: async (): Promise<HttpAnswer> => {
      asked++;
      const body = JSON.stringify({ serverTime: clock.nowMs() + serverAheadMs() });
      return { kind: 'answer', status: 200, headers: {}, body };
    },
    open: () => ({ send: () => undefined, close: () => undefined }),
  };
  const gateway = createGateway({
    ...{ baseUrl: 'http://in.process', transport, clock, random: seededRandom(1) },
    ...{ log: silentLog, meter: silentMeter },
  });
  await gateway.start();
  const pong = (aheadMs: number) => {
    const atMs = clock.monotonicMs();
    gateway.serverClock.observe({ serverMs: clock.nowMs() + aheadMs, sentAtMs: atMs, receivedAtMs: atMs });
  };
  return { clock, gateway, pong, asked: () => asked };
}

test('one wrong pong moves nothing, and the clock is read once more (F23, O11, I11)', async () => {
  const { clock, gateway, pong, asked } = await aGateway(() => 0);
  const before = asked();
  pong(1_000 * YEAR_MS);
  await clock.advanceAsync(100);
  expect(asked()).toBe(before + 1);
  expect(gateway.serverClock.serverNowMs()).toBe(clock.nowMs());
  for (let i = 0; i < 50; i++) pong(i * YEAR_MS + 5_000);
  await clock.advanceAsync(1_000);
  // Many doubts are one question.
  expect(asked()).toBe(before + 1);
  expect(gateway.serverClock.serverNowMs()).toBe(clock.nowMs());
  await gateway.close();
});

test('a clock that did jump is followed within a second (F49, O47)', async () => {
  let aheadMs = 0;
  const { clock, gateway, pong } = await aGateway(() => aheadMs);
  aheadMs = 4_000;
  pong(4_000);
  await clock.advanceAsync(1_000);
  expect(gateway.serverClock.serverNowMs()).toBe(clock.nowMs() + 4_000);
  expect(gateway.serverClock.state().lastJumpMs).toBe(4_000);
  await gateway.close();
});
