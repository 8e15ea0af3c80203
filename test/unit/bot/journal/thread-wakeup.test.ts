import sinon from 'sinon';
import { describe, expect, test } from 'vitest';
import { doorbellMemory, ThreadWakeup, WakeupThread } from '../../../../src/bot/journal/thread-wakeup.ts';
import { VirtualClock } from '../../../../src/core/index.ts';

/** A bot and its thread in one place: the thread does what it is told to, when it is told to. */
function pair(isPatient = false) {
  const clock = new VirtualClock(0);
  const memory = doorbellMemory();
  const onCount = sinon.spy();
  const bot = new ThreadWakeup(memory, clock, onCount, isPatient);
  const thread = new WakeupThread(memory, new StepClock(0));
  return { clock, bot, thread, onCount };
}

/** Time goes on with each look at it: who waits for it awake comes to an end. */
class StepClock extends VirtualClock {
  override monotonicMs(): number {
    this.advance(0.01);
    return super.monotonicMs();
  }
}

describe('the doorbell of a journal', () => {
  test('the bot finds a commit on its own, and the thread need not send a message', () => {
    const { clock, bot, thread, onCount } = pair();
    bot.hand(false);
    clock.step(0);
    sinon.assert.notCalled(onCount);
    expect(thread.count(1)).toBe(false);
    clock.step(0);
    sinon.assert.calledOnceWithExactly(onCount, 1);
    expect(clock.nextAtMs()).toBeUndefined();
  });

  test('a commit that takes longer is told by a message', () => {
    const { clock, bot, thread, onCount } = pair();
    bot.hand(false);
    while (clock.step(clock.monotonicMs())) clock.moveTo(clock.monotonicMs() + 0.1);
    expect(thread.count(1)).toBe(true);
    sinon.assert.notCalled(onCount);
    bot.report();
    bot.report();
    sinon.assert.calledOnceWithExactly(onCount, 1);
  });

  test('the bot looks for as long as a commit takes once the thread has the record, and leaves the core to it before', () => {
    const { clock, bot, thread } = pair();
    const looksForMs = (isTaken: boolean): number => {
      const fromMs = clock.monotonicMs();
      bot.hand(false);
      if (isTaken) thread.take(1);
      while (clock.step(clock.monotonicMs())) clock.moveTo(clock.monotonicMs() + 0.01);
      const lookedMs = clock.monotonicMs() - fromMs;
      if (!isTaken) thread.take(1);
      expect(thread.count(1)).toBe(true);
      bot.report();
      return lookedMs;
    };
    expect(looksForMs(true)).toBeCloseTo(0.41, 5);
    // Once in vain: one chance is left out.
    expect(looksForMs(true)).toBe(0);
    expect(looksForMs(false)).toBeCloseTo(0.11, 5);
  });

  test('a record that nobody waits for is not looked for, taken or not', () => {
    const { clock, bot, thread, onCount } = pair();
    bot.hand(true);
    bot.hand(false);
    bot.hand(true);
    thread.take(2);
    clock.moveTo(0.2);
    clock.step(0.2);
    // The last one, which nobody waits for, is not taken yet: the one before it is, so the look goes on.
    expect(clock.nextAtMs()).toBeDefined();
    thread.count(2);
    clock.step(0.2);
    sinon.assert.calledOnceWithExactly(onCount, 2);
    expect(clock.nextAtMs()).toBeUndefined();
  });

  test('what nobody waits for is told by a message at once', () => {
    const { clock, bot, thread, onCount } = pair();
    bot.hand(true);
    expect(clock.nextAtMs()).toBeUndefined();
    expect(thread.count(1)).toBe(true);
    bot.report();
    sinon.assert.calledOnceWithExactly(onCount, 1);
  });

  test('while the bot looks, what nobody waits for is told with the rest and in order', () => {
    const { clock, bot, thread, onCount } = pair();
    bot.hand(true);
    bot.hand(false);
    expect(thread.count(1)).toBe(false);
    clock.step(0);
    sinon.assert.calledOnceWithExactly(onCount, 1);
    expect(thread.count(1)).toBe(false);
    clock.step(0);
    expect(onCount.args).toEqual([[1], [1]]);
    expect(clock.nextAtMs()).toBeUndefined();
  });

  test('the thread looks out for a record that was announced until it is there', () => {
    const { bot, thread } = pair();
    expect(thread.lookOut(thread.rung())).toBe(false);
    bot.expect();
    const rung = thread.rung();
    bot.hand(false);
    expect(thread.lookOut(rung)).toBe(false);
    expect(thread.rung()).not.toBe(rung);
  });

  test('it looks out once for a record that never comes, and again for the next one', () => {
    const { clock, bot, thread } = pair();
    bot.expect();
    const rung = thread.rung();
    expect(thread.lookOut(rung)).toBe(false);
    expect(thread.lookOut(rung)).toBe(false);
    bot.expect();
    expect(thread.rung()).toBe(rung);
    clock.moveTo(1);
    bot.expect();
    expect(thread.rung()).toBe(rung);
    clock.moveTo(2);
    bot.expect();
    expect(thread.rung()).not.toBe(rung);
    expect(thread.lookOut(rung)).toBe(true);
  });

  test('on one core nobody looks', () => {
    const { clock, bot, thread, onCount } = pair(true);
    const rung = thread.rung();
    bot.expect();
    expect(thread.rung()).toBe(rung);
    bot.hand(false);
    expect(clock.nextAtMs()).toBeUndefined();
    expect(thread.count(1)).toBe(true);
    bot.report();
    sinon.assert.calledOnceWithExactly(onCount, 1);
  });

  test('a bot that looked in vain looks less often, and again as before when it is lucky', () => {
    const { clock, bot, thread, onCount } = pair();
    const looks = (isDurable: boolean): boolean => {
      bot.hand(false);
      const isLooking = clock.nextAtMs() !== undefined;
      if (isDurable) thread.count(1);
      while (clock.step(clock.monotonicMs())) clock.moveTo(clock.monotonicMs() + 0.1);
      if (!isDurable) thread.count(1);
      bot.report();
      return isLooking;
    };
    const inVain = Array.from({ length: 11 }, () => looks(false));
    expect(inVain.map(Number).join('')).toBe('10100010000');
    for (let time = 0; time < 300; time++) looks(true);
    expect([looks(true), looks(true), looks(true)]).toEqual([true, true, true]);
    sinon.assert.callCount(onCount, 314);
  });

  test('a thread that looked out in vain is woken for less', () => {
    const { clock, bot, thread } = pair();
    const wakes = (comes: boolean): boolean => {
      clock.moveTo(clock.monotonicMs() + 1);
      const rung = thread.rung();
      bot.expect();
      const isWoken = thread.rung() !== rung;
      if (!comes) thread.lookOut(thread.rung());
      bot.hand(false);
      thread.count(1);
      while (clock.step(clock.monotonicMs()));
      return isWoken;
    };
    expect(Array.from({ length: 7 }, () => Number(wakes(false))).join('')).toBe('1010001');
    for (let time = 0; time < 300; time++) wakes(true);
    expect([wakes(true), wakes(true), wakes(true)]).toEqual([true, true, true]);
  });
});
