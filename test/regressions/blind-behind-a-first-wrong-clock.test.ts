/**
 * Symptom: the clock of the exchange was wrong while the bot read it at its start, and right a moment later. Each frame
 * seemed seconds old from then on, so nothing was quoted, and nobody read the clock again until the next pong, 20 s later
 * (I13, F49): seed 3837 of the swarm. A clock that had been told late let the dead man's switch be set into the past as long.
 */
import { expect, test } from 'vitest';
import { silentMeter, VirtualClock } from '../../src/core/index.ts';
import type { Gateway } from '../../src/wire/gateway/index.ts';
import { FrameAge } from '../../src/wire/stream/frame-age.ts';
import { aClockGateway } from '../support/clock-gateway.ts';

const BLOCK_MS = 200;

interface Scene {
  readonly clock: VirtualClock;
  readonly gateway: Gateway;
  /** When the clock was asked for. */
  readonly askedAtMs: readonly number[];
  /** Frames of now for so long, each as late as the network makes it. */
  listen(forMs: number, lateMs?: number): Promise<void>;
}

/** A gateway whose clock is off by what `aheadMs` says of the reading of this number, 1 the first. */
async function started(aheadMs: (reading: number) => number): Promise<Scene> {
  const clock = new VirtualClock(1_767_700_020_000);
  const askedAtMs: number[] = [];
  const gateway = aClockGateway(clock, () => {
    askedAtMs.push(clock.monotonicMs());
    const body = JSON.stringify({ serverTime: clock.nowMs() + aheadMs(askedAtMs.length) });
    return new Promise((resolve) => {
      clock.after(10, () => resolve({ kind: 'answer', status: 200, headers: {}, body }));
    });
  });
  const start = gateway.start();
  await clock.advanceAsync(30);
  await start;
  const age = new FrameAge({ exchangeTime: gateway.serverClock, meter: silentMeter });
  const listen = async (forMs: number, lateMs = 0): Promise<void> => {
    for (let passedMs = 0; passedMs < forMs; passedMs += BLOCK_MS) {
      await clock.advanceAsync(BLOCK_MS);
      age.lateMs(clock.nowMs() - lateMs);
    }
  };
  return { clock, gateway, askedAtMs, listen };
}

const errorMs = ({ gateway, clock }: Scene): number =>
  Math.abs(gateway.serverClock.serverNowMs() - clock.nowMs());

test.each([4_165, -4_165, 60_000, -60_000])(
  'a clock that was %i ms ahead at the start is read again once frames contradict it',
  async (skewMs) => {
    const scene = await started((reading) => (reading <= 3 ? skewMs : 0));
    expect(errorMs(scene)).toBeGreaterThan(4_000);
    await scene.listen(3_000);
    expect(errorMs(scene)).toBeLessThan(50);
    await scene.gateway.close();
  },
);

test('one that stays wrong for a while is found right soon after', async () => {
  let isWrong = true;
  const scene = await started(() => (isWrong ? 4_165 : 0));
  await scene.listen(12_000);
  isWrong = false;
  await scene.listen(8_000);
  expect(errorMs(scene)).toBeLessThan(50);
  await scene.gateway.close();
});

test('one that is put right between the first readings is settled by one more, without a frame', async () => {
  const scene = await started((reading) => (reading <= 2 ? 4_165 : 0));
  await scene.clock.advanceAsync(100);
  expect(errorMs(scene)).toBeLessThan(50);
  await scene.gateway.close();
});

test('a doubt that comes while one is settled is not dropped', async () => {
  // The fourth and the fifth reading differ from all others: each of them is a doubt.
  const scene = await started((reading) => (reading === 4 ? 9_000 : reading === 5 ? 20_000 : 0));
  await scene.listen(400, 4_000);
  await scene.clock.advanceAsync(5_000);
  expect(scene.askedAtMs.length).toBe(6);
  expect(errorMs(scene)).toBeLessThan(50);
  await scene.gateway.close();
});

test('frames that are late on a right clock ask for it each 5 s, and frames in time never', async () => {
  const scene = await started(() => 0);
  await scene.listen(20_000);
  expect(scene.askedAtMs.length).toBe(3);
  await scene.listen(9_000, 4_000);
  expect(scene.askedAtMs.length).toBe(5);
  expect(errorMs(scene)).toBeLessThan(50);
  await scene.gateway.close();
});
