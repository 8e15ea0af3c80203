/**
 * @module Only an account that is SYNCED may increase risk (reconciliation.md, O98; decision of the seam): the rest may
 * reduce and cancel.
 */
import { describe, expect, test } from 'vitest';
import { type Fact, lots, ticks } from '../../../src/domain/index.ts';
import { aRig, keepArmed, type Rig, strategyOf } from '../../support/bot-rig.ts';
import { quietWorld } from '../../support/risk-scene.ts';
import { BTC } from '../../support/trading-builders.ts';

/** States a bid with each book. */
const maker = strategyOf((context) => ({
  onBook: () => {
    context.quote(BTC, { bids: [{ priceTicks: ticks(999_980), sizeLots: lots(10) }], asks: [] });
  },
}));

const degraded = (reason: string): readonly Fact[] => [{ type: 'AccountDegraded', reason }];
const working = (rig: Rig): number => rig.bot.account.workingOrders(BTC).length;

describe('an account that is not synced', () => {
  test.each<{ state: string; facts: readonly Fact[] }>([
    { state: 'disconnected', facts: degraded('disconnected: the socket was closed') },
    { state: 'lagged', facts: degraded('lagged: 3 frames dropped') },
    { state: 'without a journal', facts: degraded('the journal refused a record') },
    { state: 'with positions that differ', facts: degraded('position of BTC-PERP: fills make 3 lots') },
    { state: 'of a new ledger', facts: [{ type: 'EpochChanged', epoch: 'k2' }] },
  ])('$state: quotes are pulled, none is placed, and quoting goes on when it is synced', ({ facts }) => {
    const rig = aRig(maker);
    rig.book(999_990, 1_000_010);
    expect(working(rig)).toBe(1);
    const before = rig.venue.submitted.length;
    rig.feed(...facts);
    expect(working(rig)).toBe(0);
    expect(rig.venue.safety.length).toBeGreaterThan(0);
    rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted).toHaveLength(before);
    expect(rig.bot.status().state).toBe('degraded');
    rig.feed(...quietWorld());
    keepArmed(rig);
    rig.book(999_990, 1_000_010);
    expect(working(rig)).toBe(1);
  });

  test('before the first sync: nothing is placed at all', () => {
    const rig = aRig(maker, { isFed: false });
    rig.book(999_990, 1_000_010);
    expect(rig.venue.submitted).toEqual([]);
    expect(rig.bot.status().state).toBe('reconciling');
  });
});
