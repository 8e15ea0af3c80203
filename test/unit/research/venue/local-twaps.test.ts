/** @module Orders that are worked over time at the local venue: slice by slice as at the exchange, booked on the whole order. */
import { describe, expect, test } from 'vitest';
import type { OrderId, TwapPlan } from '../../../../src/domain/index.ts';
import { LocalRig, type OrderInput } from '../../../support/local-rig.ts';

const MS = 1_000;

function work(rig: LocalRig, input: Omit<OrderInput, 'price'>, plan: Partial<TwapPlan> = {}): OrderId {
  const twap = { slices: 3, intervalMs: 1_000, priceTolerancePpm: 10_000, ...plan };
  const spec = { ...rig.spec({ ...input, price: 1_010, tif: 'ioc' }), twap };
  return rig.placeOutside(spec);
}

function pass(rig: LocalRig, ms: number): void {
  rig.us += ms * MS;
  rig.venue.advance(rig.us);
}

/** How an order has ended. */
const endsOf = (rig: LocalRig, id: OrderId) => rig.ends.filter((end) => end.startsWith(`${id} `));
/** How its slices have, each under a number of its own. */
const slicesOf = (rig: LocalRig, id: OrderId) =>
  rig.ends.filter((end) => !end.startsWith(`${id} `)).map((end) => end.split(' ')[1]);

const aRig = () => new LocalRig().book([[999, 50]], [[1000, 50]]).frame(['index', 1000]);
describe('an order of ten lots in three slices', () => {
  test('trades one at once and one each interval, under its own number, and ends filled', () => {
    const rig = aRig();
    const id = work(rig, { side: 'buy', size: 10 });
    expect(rig.filledOf(id)).toBe(3);
    expect(rig.account.workingOrder(id)).toMatchObject({
      remainingLots: 7,
      twap: { slices: 3, slicesDone: 1 },
    });
    pass(rig, 990);
    expect(rig.filledOf(id)).toBe(3);
    pass(rig, 20);
    expect(rig.filledOf(id)).toBe(6);
    pass(rig, 1_000);
    expect(rig.filledOf(id)).toBe(10);
    expect(endsOf(rig, id)).toEqual([`${id} filled`]);
    expect(slicesOf(rig, id)).toEqual(['filled', 'filled', 'filled']);
    expect(rig.fills.every(([orderId]) => orderId === id)).toBe(true);
    expect(rig.account.workingOrder(id)).toBeUndefined();
    expect(rig.account.exposure(rig.markets[0]!.symbol)).toMatchObject({ positionLots: 10, buyLots: 0 });
  });

  test('takes no worse than the index price and its tolerance; what a slice leaves goes to the next', () => {
    const rig = new LocalRig().book([[999, 50]], [[1020, 50]]).frame(['index', 1000]);
    const id = work(rig, { side: 'buy', size: 10 });
    expect(rig.filledOf(id)).toBe(0);
    rig.frame(['index', 1015]);
    pass(rig, 1_000);
    expect(rig.filledOf(id)).toBe(6);
    expect(rig.account.workingOrder(id)?.remainingLots).toBe(4);
  });

  test('ends canceled after its last slice with what it could not trade', () => {
    const rig = new LocalRig().book([[999, 50]], [[1020, 50]]).frame(['index', 1000]);
    const id = work(rig, { side: 'buy', size: 10 });
    pass(rig, 5_000);
    expect(endsOf(rig, id)).toEqual([`${id} canceled`]);
    expect(slicesOf(rig, id)).toEqual(['canceled', 'canceled', 'canceled']);
    expect(rig.fills).toEqual([]);
  });

  test.each(['its number', 'everything'] as const)('is canceled by %s; what has traded stays', (by) => {
    const rig = aRig();
    const id = work(rig, { side: 'buy', size: 10 });
    if (by === 'its number') rig.cancel(id);
    else rig.venue.submitSafety({ kind: 'cancelAll' });
    rig.tick();
    pass(rig, 5_000);
    expect(endsOf(rig, id)).toEqual([`${id} canceled`]);
    expect(rig.filledOf(id)).toBe(3);
    expect(rig.account.workingOrders(rig.markets[0]!.symbol)).toEqual([]);
  });

  test('goes with the switch', () => {
    const rig = aRig();
    const id = work(rig, { side: 'buy', size: 10 }, { intervalMs: 60_000 });
    const triggerAtMs = Math.floor(rig.us / MS) + 2_000;
    rig.venue.nowUs = rig.us;
    rig.venue.submitSafety({ kind: 'scheduleCancel', triggerAtMs: triggerAtMs as never });
    pass(rig, 3_000);
    expect(endsOf(rig, id)).toEqual([`${id} canceled`]);
  });

  test('that may only close ends with nothing to close', () => {
    const rig = aRig();
    const id = work(rig, { side: 'sell', size: 10, reduceOnly: true });
    pass(rig, 5_000);
    expect(endsOf(rig, id)).toEqual([`${id} canceled`]);
    expect(rig.account.positionLots(rig.markets[0]!.symbol)).toBe(0);
  });

  test('is refused with more slices than steps of size', () => {
    expect(work(aRig(), { side: 'buy', size: 10 }, { slices: 11 })).toBe('InvalidTwap');
  });
});
