/**
 * @module
 * A stranger trades on the account in the first block of a new ledger, while a placement is without an outcome: its fill
 * was told to the strategy that owns the market alone, and became part of what it holds (I1). What is shown to be of a
 * strategy still is (docs/decisions/0016-fills-of-a-new-ledger.md).
 */
import { describe, expect, test } from 'vitest';
import {
  type AccountChange,
  AccountState,
  type ClientOrderId,
  type Fact,
  type LaneId,
  lots,
  type OrderId,
  type OrderSpec,
  quantums,
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
  proof,
  sent,
  seq,
} from '../support/trading-builders.ts';

const HELD = 10;
const PRICE = 999_990;

/** A strategy holds ten lots, and a placement of it is unresolved, as a new ledger begins. */
function between(spec: OrderSpec, before: readonly Fact[] = []): AccountState {
  const first = aSpec();
  const state = new AccountState();
  const facts: readonly Fact[] = [
    { type: 'MarketChanged', market: aMarket() },
    { type: 'PositionsReplaced', positions: [], seq: seq(1) },
    { type: 'AccountSynced', seq: seq(9), epoch: 'k1' },
    sent('r0', [first]),
    accepted(first, '60', { seq: 10 }),
    { type: 'FillRecorded', fill: aFill({ orderId: '60', priceTicks: PRICE, sizeLots: HELD }) },
    ...before,
    sent('r1', [spec]),
    { type: 'EpochChanged', epoch: 'k2' },
  ];
  for (const fact of facts) state.fold(fact);
  takeChanges(state);
  return state;
}

/** The new ledger shows this, and is read: the account holds what it held and `fills`. */
function rebuilt(state: AccountState, facts: readonly Fact[], heldLots: number): readonly AccountChange[] {
  const zero = quantums(0n);
  const position = {
    ...{ symbol: BTC, sizeLots: lots(heldLots), costBasis: zero },
    ...{ unrealizedPnl: zero, accruedFunding: zero },
  };
  for (const fact of facts) state.fold(fact);
  state.fold({ type: 'PositionsReplaced', positions: [position], seq: seq(200_000) });
  state.fold({ type: 'AccountSynced', seq: seq(200_000), epoch: 'k2' });
  state.fold({ type: 'WriteVoided', lane: LANE as LaneId, requestId: 'r1' as RequestId, epoch: 'k2' });
  state.fold({ type: 'AccountSynced', seq: seq(200_001), epoch: 'k2' });
  return takeChanges(state);
}

const toldTo = (changes: readonly AccountChange[]): readonly unknown[] =>
  changes.flatMap((change) => (change.type === 'FillApplied' ? [change.strategyId] : []));
const fillOf = (orderId: string, changes: Parameters<typeof aFill>[0] = {}): Fact => ({
  type: 'FillRecorded',
  fill: aFill({ orderId, priceTicks: PRICE, sizeLots: 3, ...changes }),
});
const ownLots = (state: AccountState): number => state.inventory(BTC, MAKER)?.position.sizeLots ?? 0;

describe('a fill of a new ledger that no intent has claimed', () => {
  const spec = aSpec({ sizeLots: 3 });

  test.each([
    ['took, which no closed placement did', { role: 'taker' as const }],
    ['rested at another price', { priceTicks: PRICE - 1 }],
    ['is larger than what was asked for', { sizeLots: 4 }],
  ] as const)("is nobody's where it %s", (_what, changes) => {
    const state = between(spec);
    const fill = fillOf('71', changes);
    const size = 'sizeLots' in changes ? changes.sizeLots : 3;
    expect(toldTo(rebuilt(state, [fill], HELD + size))).toEqual([undefined]);
    expect(ownLots(state)).toBe(HELD);
    expect(state.positionLots(BTC)).toBe(HELD + size);
  });

  test("is nobody's where its order is shown with another label", () => {
    const state = between(spec);
    const order = aWorkingOrder('71', { sizeLots: lots(3), clientOrderId: 'theirs' as ClientOrderId });
    const shown: Fact = { type: 'OrdersReplaced', orders: [order], seq: seq(15), isComplete: true };
    expect(toldTo(rebuilt(state, [shown, fillOf('71')], HELD + 3))).toEqual([undefined]);
    expect(ownLots(state)).toBe(HELD);
  });

  test('is of the strategy whose closed placement could have rested there, and of it alone', () => {
    const state = between(spec);
    expect(toldTo(rebuilt(state, [fillOf('71')], HELD + 3))).toEqual([MAKER]);
    expect(ownLots(state)).toBe(HELD + 3);
  });

  test('is of the strategy whose label its order has', () => {
    const state = between(spec);
    const { clientOrderId } = spec;
    const order = aWorkingOrder('71', { sizeLots: lots(3), clientOrderId });
    const shown: Fact = { type: 'OrdersReplaced', orders: [order], seq: seq(15), isComplete: true };
    expect(toldTo(rebuilt(state, [shown, fillOf('71', { role: 'taker' })], HELD + 3))).toEqual([MAKER]);
    expect(ownLots(state)).toBe(HELD + 3);
  });

  test('is of the strategy whose order works again in a ledger that lost its end', () => {
    const old = aSpec();
    const ref = { symbol: BTC, orderId: '61' as OrderId };
    const ended: Fact = { type: 'OrderEnded', ref, status: 'canceled', seq: seq(12), proof: proof() };
    const state = between(spec, [sent('r2', [old]), accepted(old, '61', { seq: 11 }), ended]);
    expect(toldTo(rebuilt(state, [fillOf('61', { sizeLots: 7 })], HELD + 7))).toEqual([MAKER]);
    expect(ownLots(state)).toBe(HELD + 7);
  });
});
