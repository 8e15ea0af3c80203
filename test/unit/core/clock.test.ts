import { describe, expect, test } from 'vitest';
import { SystemClock, seededRandom, VirtualClock } from '../../../src/core/index.ts';

describe('VirtualClock', () => {
  test('fires timers in order of time, then of creation', () => {
    const clock = new VirtualClock(1000);
    const fired: string[] = [];
    clock.after(20, () => fired.push(`b at ${clock.nowMs()}`));
    clock.after(10, () => fired.push(`a at ${clock.nowMs()}`));
    clock.after(20, () => fired.push(`c at ${clock.nowMs()}`));
    clock.advance(15);
    expect(fired).toEqual(['a at 1010']);
    clock.advance(5);
    expect(fired).toEqual(['a at 1010', 'b at 1020', 'c at 1020']);
    expect(clock.monotonicMs()).toBe(20);
  });

  test('repeats until canceled, also from inside its own action', () => {
    const clock = new VirtualClock(0);
    let count = 0;
    const timer = clock.every(10, () => {
      if (++count === 3) timer.cancel();
    });
    clock.advance(100);
    expect(count).toBe(3);
    expect(clock.nextAtMs()).toBeUndefined();
  });

  test('is moved in microseconds, and what is marked is read later', () => {
    const clock = new VirtualClock(1_000);
    clock.moveToUs(1_700);
    const mark = clock.mark();
    expect([clock.monotonicMs(), clock.nowMs()]).toEqual([1.7, 1_001]);
    clock.moveToUs(1_200);
    expect(clock.monotonicMs()).toBe(1.7);
    const timer = clock.after(0.4, () => expect(clock.monotonicMs()).toBe(1.7 + 0.4));
    clock.moveToUs(2_050);
    expect(clock.step(2.2)).toBe(true);
    timer.cancel();
    expect([clock.timeOf(mark), clock.timeOf(clock.mark())]).toEqual([1_001, 1_002]);
  });

  test('says the same whether it is moved in microseconds or in milliseconds, between timers', () => {
    const random = seededRandom('clock by turns');
    const [inUs, inMs] = [new VirtualClock(1_767_686_400_000), new VirtualClock(1_767_686_400_000)];
    let us = 0;
    for (let step = 0; step < 2_000; step++) {
      us += random.integer(0, 3_000);
      inUs.moveToUs(us);
      expect(inUs.timeOf(inUs.mark())).toBe(inMs.moveTo(us / 1_000));
      expect([inUs.monotonicMs(), inUs.nowMs()]).toEqual([inMs.monotonicMs(), inMs.nowMs()]);
      if (!random.chance(0.3)) continue;
      const delayMs = random.next() * 2;
      for (const clock of [inUs, inMs]) {
        clock.after(delayMs, () => undefined);
        clock.step(Number.POSITIVE_INFINITY);
      }
      expect(inUs.monotonicMs()).toBe(inMs.monotonicMs());
      expect(inUs.timeOf(inUs.mark())).toBe(inMs.nowMs());
      us = Math.ceil(inMs.monotonicMs() * 1_000);
    }
  });

  test('forgets a canceled timer', () => {
    const clock = new VirtualClock(0);
    const timer = clock.after(10, () => expect.unreachable());
    timer.cancel();
    timer.cancel();
    clock.advance(20);
    expect(clock.nowMs()).toBe(20);
  });

  test('lets promises settle between timers', async () => {
    const clock = new VirtualClock(0);
    const seen: string[] = [];
    clock.after(10, () => void Promise.resolve().then(() => seen.push('promise')));
    clock.after(11, () => seen.push('timer'));
    await clock.advanceAsync(20);
    expect(seen).toEqual(['promise', 'timer']);
  });

  test('keeps the order of thousands of timers of which many are canceled', () => {
    const clock = new VirtualClock(0);
    const random = seededRandom('timers');
    const expected: string[] = [];
    const fired: string[] = [];
    const timers = Array.from({ length: 5_000 }, (_none, at) => {
      const delayMs = random.integer(0, 500);
      const name = `${String(delayMs).padStart(3, '0')} ${String(at).padStart(4, '0')}`;
      const isKept = random.chance(0.4);
      if (isKept) expected.push(name);
      return { isKept, timer: clock.after(delayMs, () => fired.push(name)) };
    });
    for (const { isKept, timer } of timers) if (!isKept) timer.cancel();
    clock.advance(500);
    expect(fired).toEqual(expected.sort());
    for (const { timer } of timers) timer.cancel();
    expect(clock.nextAtMs()).toBeUndefined();
  });

  test('settles chains of promises before the next of many timers', async () => {
    const clock = new VirtualClock(0);
    const seen: number[] = [];
    for (let i = 0; i < 1_000; i++)
      clock.after(i, async () => {
        for (let hop = 0; hop < 5; hop++) await undefined;
        seen.push(i, clock.monotonicMs());
      });
    await clock.advanceAsync(2_000);
    expect(seen).toEqual(Array.from({ length: 1_000 }, (_none, i) => [i, i]).flat());
    expect(clock.monotonicMs()).toBe(2_000);
  });

  test('hands on what a timer throws', async () => {
    const clock = new VirtualClock(0);
    clock.after(1, () => {
      throw new Error('from a timer');
    });
    await expect(clock.advanceAsync(5)).rejects.toThrow('from a timer');
  });

  test('runs what is due soon in the same instant', () => {
    const clock = new VirtualClock(5);
    let at = -1;
    clock.soon(() => {
      at = clock.nowMs();
    });
    clock.advance(0);
    expect(at).toBe(5);
  });
});

describe('SystemClock', () => {
  test('never runs its monotonic time backwards', () => {
    const clock = new SystemClock();
    const first = clock.monotonicMs();
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(first);
    expect(clock.nowMs()).toBeGreaterThan(1_700_000_000_000);
  });

  test('fires once, and not after it was canceled', async () => {
    const clock = new SystemClock();
    const fired: string[] = [];
    clock.after(0, () => fired.push('no')).cancel();
    await new Promise<void>((resolve) => {
      clock.after(1, () => {
        fired.push('yes');
        resolve();
      });
    });
    expect(fired).toEqual(['yes']);
  });
});
