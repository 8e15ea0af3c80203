import { describe, expect, test } from 'vitest';
import { READY_MS_MAX, waitFor } from '../../../../../src/bot/live/start/wait-for.ts';
import { VirtualClock } from '../../../../../src/core/index.ts';

const ROOM_WAIT_MS_MAX = 120_000;

const POLL_MS = 10;

/** Waits on virtual time with room as told, until it ends; `atMs` is when. */
async function ended(hasRoom: (atMs: number) => boolean, holds: (atMs: number) => boolean) {
  const clock = new VirtualClock(1_767_700_020_000);
  const wait = waitFor(
    { clock, budget: { hasRoom: () => hasRoom(clock.monotonicMs()) } },
    { holds: () => holds(clock.monotonicMs()), pollMs: POLL_MS },
  );
  let result: boolean | undefined;
  void wait.then((value) => {
    result = value;
  });
  for (let step = 0; step < 100_000 && result === undefined; step++) {
    await Promise.resolve();
    await Promise.resolve();
    if (result === undefined) clock.advance(POLL_MS);
  }
  return { result, atMs: clock.monotonicMs() };
}

describe('a wait of a start', () => {
  test('ends as soon as what it waits for holds', async () => {
    const { result, atMs } = await ended(
      () => true,
      (nowMs) => nowMs >= 500,
    );
    expect(result).toBe(true);
    expect(atMs).toBeLessThan(600);
  });

  test('is over after its time where there is room', async () => {
    const { result, atMs } = await ended(
      () => true,
      () => false,
    );
    expect(result).toBe(false);
    expect(atMs).toBeGreaterThan(READY_MS_MAX);
    expect(atMs).toBeLessThan(READY_MS_MAX + 100);
  });

  test('does not count the time in which a budget is spent (obligation O117)', async () => {
    const { result, atMs } = await ended(
      (nowMs) => nowMs > 58_000,
      (nowMs) => nowMs > 58_000 + READY_MS_MAX - 1_000,
    );
    expect(result).toBe(true);
    expect(atMs).toBeGreaterThan(58_000);
  });

  test('is over all the same where there is never room', async () => {
    const { result, atMs } = await ended(
      () => false,
      () => false,
    );
    expect(result).toBe(false);
    expect(atMs).toBeGreaterThan(READY_MS_MAX + ROOM_WAIT_MS_MAX);
    expect(atMs).toBeLessThan(READY_MS_MAX + ROOM_WAIT_MS_MAX + 200);
  });

  test('ends with what the look throws', async () => {
    const clock = new VirtualClock(0);
    const look = (): boolean => {
      throw new Error('the journal failed');
    };
    await expect(
      waitFor({ clock, budget: { hasRoom: () => true } }, { holds: look, pollMs: POLL_MS }),
    ).rejects.toThrow('the journal failed');
  });
});
