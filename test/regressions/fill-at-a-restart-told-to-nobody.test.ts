/**
 * Symptom: a bot died while its order rested, the order was filled in part, and the next life told that fill to nobody: the
 * account had it, the strategy's inventory did not (I1). So it was with an order whose answer the last life had not seen.
 */
import { describe, expect, test } from 'vitest';
import {
  AccountState,
  type Cursor,
  type Fact,
  type IntentId,
  lots,
  type OrderId,
  type RequestId,
} from '../../src/domain/index.ts';
import { takeChanges } from '../support/changes.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  aWorkingOrder,
  BTC,
  LANE,
  MAKER,
  resolved,
  sent,
  seq,
} from '../support/trading-builders.ts';

const ORDER_ID = '7' as OrderId;
const INTENT_ID = 'of-the-life-before' as IntentId;
const market: Fact = { type: 'MarketChanged', market: aMarket() };
const synced: Fact = { type: 'AccountSynced', seq: seq(9) };
const fill: Fact = {
  type: 'FillRecorded',
  fill: aFill({ orderId: ORDER_ID, sizeLots: 4, id: '8-0-1' as Cursor }),
};
/** The order as the exchange shows it: with what is left, and without a word on whose it is. */
const shown: Fact = {
  type: 'OrdersReplaced',
  orders: [aWorkingOrder(ORDER_ID, { sizeLots: lots(10), remainingLots: lots(6) })],
  seq: seq(9),
  isComplete: true,
};

function tellsOf(state: AccountState): readonly unknown[] {
  return takeChanges(state).flatMap((change) => (change.type === 'FillApplied' ? [change.strategyId] : []));
}

describe('a fill of an order of the life before', () => {
  test.each([
    ['before', [fill, shown, synced]],
    ['after', [shown, fill, synced]],
    ['long after', [shown, synced, fill]],
  ])('that is read %s the order is shown is told to its strategy', (_when, facts) => {
    const state = new AccountState();
    state.recallOwners([{ orderId: ORDER_ID, strategyId: MAKER, intentId: INTENT_ID }]);
    for (const fact of [market, ...facts]) state.fold(fact);
    expect(tellsOf(state)).toEqual([MAKER]);
    expect(state.positionLots(BTC, MAKER)).toBe(4);
    expect(state.workingOrders(BTC, MAKER)).toMatchObject([{ intentId: INTENT_ID, remainingLots: 6 }]);
  });

  test('whose answer nobody has seen waits for it, and is told to its strategy then', () => {
    const spec = aSpec({ sizeLots: 10 });
    const state = new AccountState();
    const open: readonly Fact[] = [
      sent('r1', [spec]),
      { type: 'WriteUnresolved', lane: LANE, requestId: 'r1' as RequestId, why: 'open since the last run' },
    ];
    for (const fact of [market, ...open, shown, fill, synced]) state.fold(fact);
    expect(tellsOf(state)).toEqual([]);
    for (const fact of [accepted(spec, ORDER_ID), resolved('r1', 'executed', { seq: 5 })]) state.fold(fact);
    expect(tellsOf(state)).toEqual([MAKER]);
    expect(state.positionLots(BTC, MAKER)).toBe(4);
  });
});
