import { describe, expect, test } from 'vitest';
import { takeChanges } from '../../../support/changes.ts';
import { LocalRig } from '../../../support/local-rig.ts';

describe('the local venue', () => {
  test('tells of an order and its fill in the order of the real stream', () => {
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
    expect(takeChanges(rig.account).filter(({ type }) => type === 'AnomalySeen')).toEqual([]);
  });

  test('lets the bot go ahead by what the answer takes, and as far as it likes while nothing is at stake', () => {
    const rig = new LocalRig();
    const { venue } = rig;
    rig.book([[99, 5]], [[101, 5]]);
    expect(venue.leadUs).toBe(Number.POSITIVE_INFINITY);
    const id = rig.rest('buy', 100, 3);
    rig.tick();
    expect(venue.leadUs).toBe(0);
    rig.frame(['sellTrade', 99, 3]).tick();
    expect(rig.account.workingOrder(id)).toBeUndefined();
    expect(venue.leadUs).toBe(0);
    rig.place({ side: 'sell', price: 99, size: 3, tif: 'ioc' });
    expect(venue.leadUs).toBe(Number.POSITIVE_INFINITY);
  });
});
