import sinon from 'sinon';
import { describe, expect, test } from 'vitest';
import { FiringWatch } from '../../../../src/bot/execution/firing-watch.ts';

function aWatch() {
  const onFired = sinon.spy();
  const onCleared = sinon.spy();
  const state = { isBusy: false };
  const watch = new FiringWatch({
    isBusy: () => state.isBusy,
    onFired,
    onCleared,
  });
  return { watch, onFired, onCleared, state };
}

describe('orders that the stream tells canceled', () => {
  test('at the position of a write of ours are our own doing', () => {
    const { watch, onFired } = aWatch();
    watch.noteOwn(7n);
    watch.noteCanceled(7n);
    sinon.assert.notCalled(onFired);
  });

  test('at another position mean that the switch has fired, once a position (O79)', () => {
    const { watch, onFired } = aWatch();
    watch.noteOwn(7n);
    watch.noteCanceled(8n);
    watch.settle();
    sinon.assert.calledOnceWithExactly(onFired, 8n);
  });

  test('while a write is under way are judged when its position is known', () => {
    const { watch, onFired, onCleared, state } = aWatch();
    state.isBusy = true;
    watch.noteCanceled(9n);
    sinon.assert.notCalled(onFired);
    expect(watch.isInDoubt).toBe(true);
    watch.noteOwn(9n);
    expect([watch.isInDoubt, onCleared.callCount]).toEqual([false, 1]);
    state.isBusy = false;
    watch.settle();
    sinon.assert.notCalled(onFired);
    watch.noteCanceled(10n);
    sinon.assert.calledOnceWithExactly(onFired, 10n);
  });

  test('in a ledger that is gone say nothing about the one of today', () => {
    const { watch, onFired, state } = aWatch();
    state.isBusy = true;
    watch.noteCanceled(9n);
    watch.beginEpoch();
    state.isBusy = false;
    watch.settle();
    sinon.assert.notCalled(onFired);
  });
});
