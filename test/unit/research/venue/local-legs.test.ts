/** @module Take-profits and stop-losses of a position at the local venue: they follow it, one fires, and they leave with it. */
import { describe, expect, test } from 'vitest';
import { type OrderId, type PositionLeg, ticks } from '../../../../src/domain/index.ts';
import { LocalRig } from '../../../support/local-rig.ts';

/** Long 5 at 1000, index 1000. */
function long(): LocalRig {
  const rig = new LocalRig().book([[999, 50]], [[1000, 50]]).frame(['index', 1000]);
  rig.place({ side: 'buy', price: 1000, size: 5, tif: 'ioc' });
  return rig;
}

function exits(rig: LocalRig, legs: Partial<Record<PositionLeg, number>>, size = 5): OrderId[] {
  const { takeProfit, stopLoss } = legs;
  const leg = (kind: PositionLeg, at: number, price: number) => ({
    ...rig.spec({ side: 'sell', price, size, reduceOnly: true }),
    trigger: { priceTicks: ticks(at), isAbove: kind === 'takeProfit', leg: kind },
  });
  return rig.placeAllOutside([
    ...(takeProfit === undefined ? [] : [leg('takeProfit', takeProfit, takeProfit - 20)]),
    ...(stopLoss === undefined ? [] : [leg('stopLoss', stopLoss, stopLoss - 20)]),
  ]);
}

const held = (rig: LocalRig): number => rig.account.positionLots(rig.markets[0]!.symbol);
const working = (rig: LocalRig) => rig.account.workingOrders(rig.markets[0]!.symbol);

describe('the exits of a long position', () => {
  test('wait with what they are, and the one that fires takes the other away', () => {
    const rig = long();
    const [profit, loss] = exits(rig, { takeProfit: 1_010, stopLoss: 990 });
    expect(working(rig)).toMatchObject([
      { orderId: profit, sizeLots: 5, trigger: { priceTicks: 1_010, isAbove: true, leg: 'takeProfit' } },
      { orderId: loss, sizeLots: 5, trigger: { priceTicks: 990, isAbove: false, leg: 'stopLoss' } },
    ]);
    rig.frame(['index', 1_009]);
    expect(rig.filledOf(profit!)).toBe(0);
    rig.frame(['index', 1_010]).tick();
    expect(rig.filledOf(profit!)).toBe(5);
    expect(rig.ends.slice(-2).toSorted()).toEqual([`${profit} filled`, `${loss} canceled`]);
    expect([held(rig), working(rig).length]).toEqual([0, 0]);
  });

  test('close the whole of a position that has grown since, and no more of one that has become smaller', () => {
    const grown = long();
    const [stop] = exits(grown, { stopLoss: 990 });
    grown.place({ side: 'buy', price: 1000, size: 7, tif: 'ioc' });
    grown.frame(['index', 990]).tick();
    expect(grown.filledOf(stop!)).toBe(12);
    expect([held(grown), working(grown).length]).toEqual([0, 0]);

    const smaller = long();
    const [other] = exits(smaller, { stopLoss: 990 });
    smaller.place({ side: 'sell', price: 999, size: 3, tif: 'ioc' });
    smaller.frame(['index', 990]).tick();
    expect(smaller.filledOf(other!)).toBe(2);
    expect(held(smaller)).toBe(0);
  });

  test('are gone once the position is closed, and fire for no later one', () => {
    const rig = long();
    const [profit, loss] = exits(rig, { takeProfit: 1_010, stopLoss: 990 });
    rig.place({ side: 'sell', price: 999, size: 5, tif: 'ioc' });
    expect(rig.ends.slice(-2).toSorted()).toEqual([`${profit} canceled`, `${loss} canceled`].toSorted());
    expect(working(rig)).toEqual([]);
    rig.place({ side: 'buy', price: 1000, size: 5, tif: 'ioc' });
    rig.frame(['index', 980]).tick();
    expect(held(rig)).toBe(5);
  });

  test('rest at their limit when they fire beyond the book', () => {
    const rig = long();
    rig.book([[900, 50]], [[1000, 50]]);
    const [stop] = exits(rig, { stopLoss: 990 });
    rig.frame(['index', 985]).tick();
    expect(working(rig)).toMatchObject([{ orderId: stop, priceTicks: 970, sizeLots: 5, remainingLots: 5 }]);
    expect(working(rig)[0]?.trigger).toBeUndefined();
  });

  test('are canceled by number one by one, and with everything', () => {
    const rig = long();
    const [profit, loss] = exits(rig, { takeProfit: 1_010, stopLoss: 990 });
    rig.cancel(profit!);
    expect(working(rig)).toMatchObject([{ orderId: loss }]);
    rig.venue.submitSafety({ kind: 'cancelAll' });
    rig.tick();
    expect(working(rig)).toEqual([]);
    expect(held(rig)).toBe(5);
  });

  test('do not take away those of another pair', () => {
    const rig = long();
    const [first] = exits(rig, { takeProfit: 1_010 });
    const [second, third] = exits(rig, { takeProfit: 1_030, stopLoss: 990 });
    rig.book([[980, 2]], [[1000, 50]]);
    rig.frame(['index', 1_010]).tick();
    expect(working(rig).map(({ orderId }) => orderId)).toEqual([first, second, third].toSorted());
  });
});

test('exits are refused without a position, and on the side that would open', () => {
  const rig = new LocalRig().book([[999, 50]], [[1000, 50]]).frame(['index', 1000]);
  expect(exits(rig, { takeProfit: 1_010, stopLoss: 990 })).toEqual([
    'ReduceOnlyNoPosition',
    'ReduceOnlyNoPosition',
  ]);
  rig.place({ side: 'sell', price: 999, size: 5, tif: 'ioc' });
  expect(exits(rig, { stopLoss: 990 })).toEqual(['ReduceOnlyWrongSide']);
});
