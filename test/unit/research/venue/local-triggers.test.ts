/** @module Orders that wait for the index price at the local venue: as at the exchange, without a book and without margin until they fire. */
import { describe, expect, test } from 'vitest';
import { type OrderId, ticks } from '../../../../src/domain/index.ts';
import { LocalRig, type OrderInput } from '../../../support/local-rig.ts';

interface Waiting extends OrderInput {
  readonly at: number;
  readonly isAbove?: boolean;
}

function wait(rig: LocalRig, { at, isAbove = false, ...input }: Waiting): OrderId {
  const spec = { ...rig.spec(input), trigger: { priceTicks: ticks(at), isAbove } };
  return rig.placeOutside(spec);
}

/** Long 5 at 1000, index 1000. */
function long(): LocalRig {
  const rig = new LocalRig().book([[999, 50]], [[1000, 50]]).frame(['index', 1000]);
  rig.place({ side: 'buy', price: 1000, size: 5, tif: 'ioc' });
  return rig;
}

describe('a stop of a long position', () => {
  test('waits with its trigger, and sells when the index price is there', () => {
    const rig = long();
    const id = wait(rig, { side: 'sell', price: 980, size: 5, tif: 'ioc', reduceOnly: true, at: 990 });
    expect(rig.account.workingOrder(id)).toMatchObject({
      trigger: { priceTicks: 990, isAbove: false },
      remainingLots: 5,
    });
    rig.frame(['index', 991]);
    expect(rig.filledOf(id)).toBe(0);
    rig.frame(['index', 990]);
    rig.tick();
    expect(rig.filledOf(id)).toBe(5);
    expect(rig.account.workingOrder(id)).toBeUndefined();
    expect(rig.account.positionLots(rig.markets[0]!.symbol)).toBe(0);
  });

  test('is made as small as the position, and counts for no more', () => {
    const rig = long();
    const id = wait(rig, { side: 'sell', price: 1100, size: 9, reduceOnly: true, at: 990 });
    const { symbol } = rig.markets[0]!;
    expect(rig.account.exposure(symbol).sellLots).toBe(0);
    rig.frame(['index', 980]).tick();
    expect(rig.account.workingOrder(id)).toMatchObject({ sizeLots: 5 });
    expect(rig.account.workingOrder(id)?.trigger).toBeUndefined();
    expect(rig.account.exposure(symbol).sellLots).toBe(5);
  });

  test('is gone when there is nothing to close', () => {
    const rig = new LocalRig().book([[999, 50]], [[1000, 50]]).frame(['index', 1000]);
    const id = wait(rig, { side: 'sell', price: 980, size: 5, tif: 'ioc', reduceOnly: true, at: 990 });
    rig.frame(['index', 980]);
    rig.tick();
    expect(rig.ends).toEqual([`${id} canceled`]);
    expect(rig.fills).toEqual([]);
  });

  test('is canceled by its number, with everything, and by the switch', () => {
    const rig = long();
    const stop = { side: 'sell', price: 980, size: 5, reduceOnly: true, at: 990 } as const;
    const first = wait(rig, stop);
    rig.cancel(first);
    const second = wait(rig, stop);
    rig.venue.submitSafety({ kind: 'cancelAll' });
    rig.tick();
    rig.frame(['index', 980]);
    expect(rig.ends.filter((end) => end !== '' && !end.endsWith('filled'))).toEqual([
      `${first} canceled`,
      `${second} canceled`,
    ]);
    expect(rig.account.workingOrders(rig.markets[0]!.symbol)).toEqual([]);
  });
});

test('an order that opens counts against limits as if it had fired, and fires above its trigger', () => {
  const rig = new LocalRig().book([[999, 50]], [[1000, 50]]).frame(['index', 1000]);
  const id = wait(rig, { side: 'buy', price: 1010, size: 3, tif: 'ioc', at: 1005, isAbove: true });
  expect(rig.account.exposure(rig.markets[0]!.symbol).buyLots).toBe(3);
  rig.frame(['index', 1004]);
  expect(rig.filledOf(id)).toBe(0);
  rig.frame(['index', 1005]);
  rig.tick();
  expect(rig.filledOf(id)).toBe(3);
});

test('without a published index the middle of the book stands for it', () => {
  const rig = new LocalRig().book([[999, 50]], [[1001, 50]]);
  rig.place({ side: 'buy', price: 1001, size: 5, tif: 'ioc' });
  const id = wait(rig, { side: 'sell', price: 900, size: 5, tif: 'ioc', reduceOnly: true, at: 990 });
  rig.frame(['sellTrade', 999, 1]);
  expect(rig.filledOf(id)).toBe(0);
  rig.book([[980, 50]], [[982, 50]]).frame(['sellTrade', 980, 1]);
  rig.tick();
  expect(rig.filledOf(id)).toBe(5);
});
