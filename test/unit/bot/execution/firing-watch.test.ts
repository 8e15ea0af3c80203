import sinon from 'sinon';
import { describe, expect, test } from 'vitest';
import { FiringWatch } from '../../../../src/bot/execution/firing-watch.ts';
import { VirtualClock } from '../../../../src/core/index.ts';
import { START_MS } from '../../../support/trading-builders.ts';

function aWatch() {
  const onFired = sinon.spy();
  const onDoubted = sinon.spy();
  const onCleared = sinon.spy();
  const state = { isBusy: false };
  const clock = new VirtualClock(START_MS);
  const watch = new FiringWatch({
    clock,
    isBusy: () => state.isBusy,
    onFired,
    onDoubted,
    onCleared,
  });
  return { watch, clock, onFired, onDoubted, onCleared, state };
}

describe('orders that the stream tells canceled', () => {
  test('at the position of a write of ours are our own doing', () => {
    const { watch, onFired } = aWatch();
    watch.noteOwn(7n);
    watch.noteCanceled(7n, true);
    sinon.assert.notCalled(onFired);
  });

  test('at another position mean that the switch has fired, once a position (O79)', () => {
    const { watch, onFired } = aWatch();
    watch.noteOwn(7n);
    watch.noteCanceled(8n, true);
    watch.settle();
    sinon.assert.calledOnceWithExactly(onFired, 8n);
  });

  test('while a write is under way are judged when its position is known', () => {
    const { watch, onFired, onCleared, state } = aWatch();
    state.isBusy = true;
    watch.noteCanceled(9n, true);
    sinon.assert.notCalled(onFired);
    expect(watch.isInDoubt).toBe(true);
    watch.noteOwn(9n);
    expect([watch.isInDoubt, onCleared.callCount]).toEqual([false, 1]);
    state.isBusy = false;
    watch.settle();
    sinon.assert.notCalled(onFired);
    watch.noteCanceled(10n, true);
    sinon.assert.calledOnceWithExactly(onFired, 10n);
  });

  test('in a ledger that is gone say nothing about the one of today', () => {
    const { watch, onFired, state } = aWatch();
    state.isBusy = true;
    watch.noteCanceled(9n, true);
    watch.beginEpoch();
    state.isBusy = false;
    watch.settle();
    sinon.assert.notCalled(onFired);
  });

  test('that something else may have canceled put the switch in doubt, and alarm nobody', () => {
    const { watch, onFired, onDoubted } = aWatch();
    watch.noteCanceled(8n, false);
    sinon.assert.notCalled(onFired);
    sinon.assert.calledOnceWithExactly(onDoubted, 8n);
  });

  test.each([
    [true, false],
    [false, true],
  ])('at one position, certain %s and then %s, mean that the switch has fired', (first, second) => {
    const { watch, onFired, onDoubted, state } = aWatch();
    state.isBusy = true;
    watch.noteCanceled(8n, first);
    watch.noteCanceled(8n, second);
    state.isBusy = false;
    watch.settle();
    sinon.assert.calledOnceWithExactly(onFired, 8n);
    sinon.assert.notCalled(onDoubted);
  });
});

describe('an order that is to leave while a cancel is in doubt', () => {
  test.each([
    ['our write is known to have done it', 9n, 0],
    ['it is known that it has fired', 8n, 0],
    ['it has waited for half a second', undefined, 500],
  ])('waits until %s', async (_what, ownSeq, forMs) => {
    const { watch, clock, state } = aWatch();
    expect(watch.untilSettled()).toBeUndefined();
    state.isBusy = true;
    watch.noteCanceled(9n, true);
    let isSettled = false;
    void watch.untilSettled()?.then(() => {
      isSettled = true;
    });
    await clock.advanceAsync(499);
    expect(isSettled).toBe(false);

    if (ownSeq !== undefined) {
      watch.noteOwn(ownSeq);
      state.isBusy = false;
      watch.settle();
    }
    await clock.advanceAsync(forMs);
    expect(isSettled).toBe(true);
  });

  test('waits until the switch is confirmed again, where it was doubted', async () => {
    const { watch, clock, onDoubted } = aWatch();
    watch.noteCanceled(9n, false);
    sinon.assert.calledOnce(onDoubted);
    let isSettled = false;
    void watch.untilSettled()?.then(() => {
      isSettled = true;
    });
    await clock.advanceAsync(100);
    expect(isSettled).toBe(false);
    watch.noteArmed();
    await clock.advanceAsync(0);
    expect(isSettled).toBe(true);
    expect(watch.untilSettled()).toBeUndefined();
  });
});
