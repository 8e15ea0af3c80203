import { describe, expect, test } from 'vitest';
import { LocalRig } from '../../../support/local-rig.ts';

describe('the local venue', () => {
  test('tells of an order and its fill in the order of the real stream (D1)', () => {
    const rig = new LocalRig();
    rig.book([[99, 5]], [[101, 5]]);
    const from = rig.facts.length;
    const id = rig.rest('buy', 100, 3);
    rig.frame(['sellTrade', 99, 2]).tick();
    expect(rig.facts.slice(from).map(({ type }) => type)).toEqual([
      'WriteSent',
      'OrderAccepted',
      'WriteResolved',
      'OrderOpened',
      'LaneReady',
      'FillRecorded',
      'OrderOpened',
      'LedgerRecorded',
      'PositionUpdated',
      'AccountUpdated',
    ]);
    expect(rig.fills).toEqual([[id, 2, 100]]);
    expect(rig.account.workingOrder(id)?.remainingLots).toBe(1);
    expect(rig.account.takeChanges().filter(({ type }) => type === 'AnomalySeen')).toEqual([]);
  });

  test('is idle while no order of ours rests and no position is held', () => {
    const rig = new LocalRig();
    const { venue } = rig;
    rig.book([[99, 5]], [[101, 5]]);
    expect(venue.isIdle).toBe(true);
    const id = rig.rest('buy', 100, 3);
    rig.tick();
    expect(venue.isIdle).toBe(false);
    rig.frame(['sellTrade', 99, 3]).tick();
    expect(rig.account.workingOrder(id)).toBeUndefined();
    expect(venue.isIdle).toBe(false);
    rig.place({ side: 'sell', price: 99, size: 3, tif: 'ioc' });
    expect(venue.isIdle).toBe(true);
  });
});
