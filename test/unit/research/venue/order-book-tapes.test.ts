import { describe, expect, test } from 'vitest';
import { LocalRig } from '../../../support/local-rig.ts';

describe('fifo, on a tape of orders', () => {
  test('a recorded order that comes to where we stand takes from us first, at our price', () => {
    const rig = new LocalRig({ model: 'fifo' });
    rig.frame(['bookReset'], ['bidOrder', 99, 10, 1], ['askOrder', 102, 10, 2]);
    const id = rig.rest('sell', 101, 4);
    rig.frame(['bidOrder', 101, 10, 3]).tick();
    expect(rig.fills).toEqual([[id, 4, 101]]);
    // What it did not find rests: six are left to be taken.
    rig.place({ side: 'sell', price: 101, size: 20, tif: 'ioc' });
    expect(rig.fills.at(-1)?.slice(1)).toEqual([6, 101]);
  });

  test('what we took is gone for those who come later, and for us', () => {
    const rig = new LocalRig({ model: 'fifo' });
    rig.frame(['bookReset'], ['bidOrder', 99, 10, 1], ['askOrder', 101, 10, 2]);
    const first = rig.place({ side: 'buy', price: 101, size: 8, tif: 'ioc' })[0];
    const behind = rig.rest('sell', 101, 5);
    expect(rig.venue.queueOf(behind)).toEqual({ aheadLots: 2, atRestLots: 2 });
    rig.frame(['orderExecuted', 101, 10, 2]).tick();
    expect(rig.fills.filter(([id]) => id !== first)).toEqual([[behind, 5, 101]]);
    expect(rig.place({ side: 'buy', price: 101, size: 1, tif: 'fok' })).toEqual(['FokInsufficientLiquidity']);
  });

  test('a reset puts us behind everybody, and a hole fills nothing until then', () => {
    const rig = new LocalRig({ model: 'fifo' });
    rig.frame(['bookReset'], ['bidOrder', 99, 10, 1], ['askOrder', 101, 10, 2]);
    const id = rig.rest('sell', 101, 5);
    rig.frame(['orderDeleted', 0, 0, 2]);
    expect(rig.venue.queueOf(id)?.aheadLots).toBe(0);
    rig.frame(['hole', 0, 0, rig.us + 1000]).frame(['bidOrder', 101, 9, 7]);
    expect(rig.fills).toEqual([]);
    rig.frame(['bookReset'], ['bidOrder', 99, 10, 8], ['askOrder', 101, 30, 9]);
    expect(rig.venue.queueOf(id)?.aheadLots).toBe(30);
    rig.frame(['orderExecuted', 101, 30, 9], ['orderExecuted', 101, 5, 10]).tick();
    expect(rig.fills).toEqual([]);
  });

  test('own orders in the way of an own taker leave', () => {
    const rig = new LocalRig({ model: 'fifo' });
    rig.frame(['bookReset'], ['bidOrder', 99, 10, 1], ['askOrder', 102, 10, 2]);
    const own = rig.rest('sell', 101, 5);
    const taker = rig.place({ side: 'buy', price: 102, size: 7, tif: 'ioc' })[0];
    expect(rig.account.endOf(own)).toBe('canceled');
    expect(rig.fills).toEqual([[taker, 7, 102]]);
  });

  test('a reduce-only order trades its position at most', () => {
    const rig = new LocalRig({ model: 'fifo' });
    rig.frame(['bookReset'], ['bidOrder', 99, 10, 1], ['askOrder', 101, 4, 2]);
    rig.place({ side: 'buy', price: 101, size: 4 });
    const [first] = rig.place({ side: 'sell', price: 103, size: 9, reduceOnly: true });
    const [second] = rig.place({ side: 'sell', price: 104, size: 9, reduceOnly: true });
    rig.frame(['askOrder', 104, 50, 3]);
    rig.frame(['orderExecuted', 104, 20, 3]).tick();
    expect(rig.filledOf(first as never)).toBe(4);
    expect(rig.filledOf(second as never)).toBe(0);
    expect(rig.account.endOf(second as never)).toBe('canceled');
  });
});
