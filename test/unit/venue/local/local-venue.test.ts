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
});
