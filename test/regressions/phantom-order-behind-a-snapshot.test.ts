/** @module An order that a snapshot behind its placement does not show has ended, however late its answer comes (I4). */
import { describe, expect, test } from 'vitest';
import { AccountState, type Fact, lots, type OrderId, orderFromSpec } from '../../src/domain/index.ts';
import { takeChanges } from '../support/changes.ts';
import { accepted, aMarket, aSpec, BTC, resolved, sent, seq } from '../support/trading-builders.ts';

function aState(...facts: readonly Fact[]): AccountState {
  const state = new AccountState();
  state.fold({ type: 'MarketChanged', market: aMarket() });
  for (const fact of facts) state.fold(fact);
  return state;
}

const snapshot = (at: number, orders: Extract<Fact, { type: 'OrdersReplaced' }>['orders'] = []): Fact => ({
  type: 'OrdersReplaced',
  orders,
  seq: seq(at),
  isComplete: true,
});
const idsOf = (state: AccountState) => state.workingOrders(BTC).map((order) => order.orderId);

describe('an answer or a receipt that comes after the snapshot which includes its write', () => {
  test('brings no order back that the snapshot does not show', () => {
    const spec = aSpec();
    const state = aState(
      snapshot(100),
      sent('r1', [spec]),
      accepted(spec, '7'),
      resolved('r1', 'executed', { seq: 50 }),
    );
    expect(idsOf(state)).toEqual([]);
    expect(state.endOf('7' as OrderId)).toBe('canceled');
    expect(state.exposure(BTC).buyOrders).toBe(0);
    const ends = takeChanges(state).flatMap((change) =>
      change.type === 'OrderChanged' && change.status === 'canceled' ? [change.proof] : [],
    );
    expect(ends).toEqual([{ by: 'snapshot', id: '100' }]);
  });

  test('gives an order that the snapshot shows back to its intent', () => {
    const spec = aSpec();
    const shown = orderFromSpec(spec, '7' as OrderId, lots(10));
    const { intentId: _, strategyId: __, ...foreign } = shown;
    const state = aState(
      snapshot(100, [foreign]),
      sent('r1', [spec]),
      accepted(spec, '7'),
      resolved('r1', 'executed', { seq: 50 }),
    );
    expect(state.workingOrders(BTC)).toMatchObject([{ orderId: '7', intentId: spec.intentId }]);
  });

  test('leaves an order alone that was placed after the snapshot', () => {
    const spec = aSpec();
    const state = aState(
      snapshot(100),
      sent('r1', [spec]),
      accepted(spec, '7'),
      resolved('r1', 'executed', { seq: 101 }),
    );
    expect(idsOf(state)).toEqual(['7']);
  });
});
