import { describe, expect, test } from 'vitest';
import { FiringWatch } from '../../../../src/bot/execution/firing-watch.ts';

function aWatch() {
  const fired: bigint[] = [];
  const state = { isBusy: false, cleared: 0 };
  const watch = new FiringWatch({
    isBusy: () => state.isBusy,
    onFired: (seq) => fired.push(seq),
    onCleared: () => {
      state.cleared++;
    },
  });
  return { watch, fired, state };
}

describe('orders that the stream tells canceled', () => {
  test('at the position of a write of ours are our own doing', () => {
    const { watch, fired } = aWatch();
    watch.noteOwn(7n);
    watch.noteCanceled(7n);
    expect(fired).toEqual([]);
  });

  test('at another position mean that the switch has fired, once a position (O79)', () => {
    const { watch, fired } = aWatch();
    watch.noteOwn(7n);
    watch.noteCanceled(8n);
    watch.settle();
    expect(fired).toEqual([8n]);
  });

  test('while a write is under way are judged when its position is known', () => {
    const { watch, fired, state } = aWatch();
    state.isBusy = true;
    watch.noteCanceled(9n);
    expect(fired).toEqual([]);
    expect(watch.isInDoubt).toBe(true);
    watch.noteOwn(9n);
    expect([watch.isInDoubt, state.cleared]).toEqual([false, 1]);
    state.isBusy = false;
    watch.settle();
    expect(fired).toEqual([]);
    watch.noteCanceled(10n);
    expect(fired).toEqual([10n]);
  });

  test('in a ledger that is gone say nothing about the one of today', () => {
    const { watch, fired, state } = aWatch();
    state.isBusy = true;
    watch.noteCanceled(9n);
    watch.beginEpoch();
    state.isBusy = false;
    watch.settle();
    expect(fired).toEqual([]);
  });
});
