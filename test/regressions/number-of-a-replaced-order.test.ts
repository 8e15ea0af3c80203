/**
 * @module
 * Where a replacement keeps the number of the order it replaces (ambiguity A10), the two are told apart: neither is too
 * little reserved, nor does a fill of the one count against the size of the other (denials.md M2, invariant I10).
 */
import { describe, expect, test } from 'vitest';
import {
  type AccountChange,
  AccountState,
  type Cursor,
  type Fact,
  type IntentId,
  lots,
  type OrderId,
  ticks,
} from '../../src/domain/index.ts';
import { takeChanges } from '../support/changes.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  aWorkingOrder,
  BTC,
  proof,
  resolved,
  sent,
  seq,
} from '../support/trading-builders.ts';

const ID = '7' as OrderId;
const REF = { symbol: BTC, orderId: ID };
const first = aSpec({ intentId: 'i-1' as IntentId, sizeLots: 10, priceTicks: 1000 });
const second = aSpec({ intentId: 'i-2' as IntentId, sizeLots: 10, priceTicks: 1001 });

const fill = (at: number, sizeLots: number): Fact => ({
  type: 'FillRecorded',
  fill: aFill({ id: `${at}-0-0` as Cursor, orderId: ID, sizeLots }),
});
const shown = (at: number, priceTicks: number, remainingLots: number): Fact => ({
  type: 'OrderOpened',
  order: aWorkingOrder(ID, {
    priceTicks: ticks(priceTicks),
    sizeLots: lots(10),
    remainingLots: lots(remainingLots),
  }),
  seq: seq(at),
});
const listed = (at: number, priceTicks: number, remainingLots = 10): Fact => ({
  type: 'OrdersReplaced',
  orders: [
    aWorkingOrder(ID, {
      priceTicks: ticks(priceTicks),
      sizeLots: lots(10),
      remainingLots: lots(remainingLots),
    }),
  ],
  seq: seq(at),
  isComplete: true,
});
const synced = (at: number): Fact => ({ type: 'AccountSynced', seq: seq(at) });
const canceled: Fact = {
  type: 'CancelExecuted',
  ref: REF,
  canceledLots: lots(2),
  seq: seq(20),
  proof: proof(),
};
const replaceSent = sent('r2', [second], { cancels: [REF] });
const answer: readonly Fact[] = [
  canceled,
  accepted(second, ID, { seq: 20 }),
  resolved('r2', 'executed', { seq: 20 }),
];

/** The first order works with 8 of 10 lots filled, and is being replaced. */
function replacing(...facts: readonly Fact[]): AccountState {
  const placed = [sent('r1', [first]), accepted(first, ID), resolved('r1', 'executed', { seq: 10 })];
  return begun(synced(1), ...placed, fill(15, 8), replaceSent, ...facts);
}

/** A life that begins with these facts. */
function begun(...facts: readonly Fact[]): AccountState {
  const state = new AccountState();
  state.fold({ type: 'MarketChanged', market: aMarket() });
  for (const fact of facts) state.fold(fact);
  return state;
}

const anomalies = (changes: readonly AccountChange[]): readonly string[] =>
  changes.flatMap((change) => (change.type === 'AnomalySeen' ? [change.kind] : []));

describe('a replacement that keeps its number', () => {
  test.each<{ order: string; facts: readonly Fact[] }>([
    { order: 'the answer comes first', facts: [...answer, shown(20, 1001, 10), fill(21, 5)] },
    { order: 'the stream comes first', facts: [shown(20, 1001, 10), fill(21, 5), ...answer] },
    { order: 'its fill comes before everything', facts: [fill(20, 5), shown(20, 1001, 5), ...answer] },
    { order: 'its fill comes before the answer', facts: [fill(20, 5), ...answer, shown(20, 1001, 5)] },
  ])('is another order when $order', ({ facts }) => {
    const state = replacing(...facts);
    expect(anomalies(takeChanges(state))).toEqual([]);
    expect(state.workingOrders(BTC)).toMatchObject([{ intentId: 'i-2', priceTicks: 1001, remainingLots: 5 }]);
    expect(state.exposure(BTC).buyLots).toBe(5);
    expect(state.positionLots(BTC)).toBe(13);
  });

  test('of the same price and size ends the one before, partly filled, also when the stream shows it first', () => {
    const same = aSpec({ intentId: 'i-2' as IntentId, sizeLots: 10, priceTicks: 1000 });
    const state = begun(
      ...[synced(1), sent('r1', [first]), accepted(first, ID), resolved('r1', 'executed', { seq: 10 })],
      ...[shown(10, 1000, 10), fill(15, 8), sent('r2', [same], { cancels: [REF] }), shown(20, 1000, 10)],
      ...[canceled, accepted(same, ID, { seq: 20 }), resolved('r2', 'executed', { seq: 20 })],
    );
    const ends = takeChanges(state).flatMap((change) =>
      change.type === 'OrderChanged' && change.status !== 'working' ? [[change.intentId, change.status]] : [],
    );
    expect(ends).toEqual([['i-1', 'canceled']]);
    expect(state.workingOrders(BTC)).toMatchObject([{ intentId: 'i-2', remainingLots: 10 }]);
    expect(state.positionLots(BTC)).toBe(8);
  });

  test('shown late, without the fills behind its place, is still the same order', () => {
    const state = begun(
      ...[synced(1), sent('r1', [first]), accepted(first, ID), resolved('r1', 'executed', { seq: 10 })],
      ...[shown(10, 1000, 10), fill(15, 8), sent('r2', [second], { cancels: [REF] }), shown(12, 1000, 10)],
    );
    expect(state.workingOrders(BTC)).toMatchObject([{ intentId: 'i-1', remainingLots: 2 }]);
  });

  test('is another order too when a life that began meanwhile knows nobody of the first (seed 1033)', () => {
    const state = begun(replaceSent, ...answer);
    expect(anomalies(takeChanges(state))).toEqual([]);
    expect(state.workingOrders(BTC)).toMatchObject([
      { intentId: 'i-2', priceTicks: 1001, remainingLots: 10 },
    ]);
    expect(state.exposure(BTC).buyLots).toBe(10);
  });

  test('is not canceled when a snapshot behind the write shows it before the answer comes (seed 1033)', () => {
    const state = begun(replaceSent, shown(25, 1001, 10), ...answer);
    expect(state.workingOrders(BTC)).toMatchObject([
      { intentId: 'i-2', priceTicks: 1001, remainingLots: 10 },
    ]);
    expect(state.exposure(BTC).buyLots).toBe(10);
  });

  test('has ended when the stream shows its end before the answer', () => {
    const ended: Fact = {
      type: 'OrderEnded',
      ref: REF,
      status: 'filled',
      seq: seq(21),
      proof: proof('stream', '21'),
    };
    const state = replacing(shown(20, 1001, 10), ended, fill(21, 10), ...answer);
    expect(state.workingOrders(BTC)).toEqual([]);
    expect(state.exposure(BTC).buyLots).toBe(0);
    expect(state.positionLots(BTC)).toBe(18);
    expect(anomalies(takeChanges(state))).toEqual([]);
  });

  test('has ended when the switch took it before the answer (seed 2161)', () => {
    const ended = (at: number): Fact => ({
      type: 'OrderEnded',
      ref: REF,
      status: 'canceled',
      seq: seq(at),
      proof: proof('stream', String(at)),
    });
    const state = replacing(shown(20, 1001, 10), ended(22), ...answer);
    expect(state.workingOrders(BTC)).toEqual([]);
    expect(state.exposure(BTC).buyLots).toBe(0);
    expect(anomalies(takeChanges(state))).toEqual([]);
    // The end of the first at the write's own place is not the end of the second.
    const other = replacing(ended(20), ...answer);
    expect(other.workingOrders(BTC)).toMatchObject([{ intentId: 'i-2', remainingLots: 10 }]);
  });

  test('reserves both while the answer is out, and a late fill of the first is its own', () => {
    const state = replacing();
    expect(state.exposure(BTC).buyLots).toBe(2 + 10);
    for (const fact of [...answer, fill(18, 2)]) state.fold(fact);
    expect(state.exposure(BTC).buyLots).toBe(10);
    expect(anomalies(takeChanges(state))).toEqual([]);
  });

  test('is another order when it is found at a start, whatever its number was filled before (seed 5062)', () => {
    const fills = [fill(15, 8), fill(17, 6), fill(25, 3)];
    const histories = [
      [listed(30, 1001, 7), ...fills],
      [listed(30, 1001, 7), ...fills.toReversed()],
      // What the journal has of them is told before anything is read (seed 471).
      [...fills, listed(30, 1001, 7)],
      [...fills.toReversed(), listed(30, 1001, 7)],
    ];
    for (const history of histories) {
      const state = begun(...history, synced(30));
      expect(anomalies(takeChanges(state))).toEqual([]);
      expect(state.workingOrders(BTC)).toMatchObject([{ priceTicks: 1001, remainingLots: 7 }]);
      expect(state.exposure(BTC).buyLots).toBe(7);
      expect(state.positionLots(BTC)).toBe(17);
      state.fold(fill(31, 8));
      expect(anomalies(takeChanges(state))).toEqual(['overfill']);
    }
  });

  test('is another order when writes that a lost journal knew have replaced it since (seed 723)', () => {
    for (const [priceTicks, ...fills] of [[1002, fill(22, 10)], [1001, fill(22, 10)], [1001]] as const) {
      const found = [fill(15, 8), ...fills, listed(30, priceTicks), synced(30)];
      const state = begun(...found, replaceSent, ...answer);
      expect(anomalies(takeChanges(state))).toEqual([]);
      expect(state.workingOrders(BTC)).toMatchObject([{ priceTicks, remainingLots: 10 }]);
      expect(state.exposure(BTC).buyLots).toBe(10);
      state.fold(fill(31, 10));
      expect(state.workingOrders(BTC)).toEqual([]);
      expect(state.exposure(BTC).buyLots).toBe(0);
    }
  });

  test('keeps apart from it a fill that comes when that one was replaced in its turn', () => {
    const third = aSpec({ intentId: 'i-3' as IntentId, sizeLots: 10, priceTicks: 1002 });
    const by = proof('answer', 'r3');
    const state = replacing(
      // Of ten lots eight are booked, and one was left: one more was filled.
      { ...canceled, canceledLots: lots(1) } as Fact,
      ...answer.slice(1),
      sent('r3', [third], { cancels: [REF] }),
      { type: 'CancelExecuted', ref: REF, canceledLots: lots(10), seq: seq(30), proof: by },
      { ...accepted(third, ID, { seq: 30 }), proof: by } as Fact,
      resolved('r3', 'executed', { seq: 30 }),
    );
    expect(state.exposure(BTC).buyLots).toBe(10 + 1);
    expect(anomalies(takeChanges(state))).toEqual([]);
    state.fold(fill(18, 1));
    expect(takeChanges(state)).toMatchObject([{ type: 'FillApplied', intentId: 'i-1' }]);
    expect(state.workingOrders(BTC)).toMatchObject([{ intentId: 'i-3', remainingLots: 10 }]);
    expect(state.exposure(BTC).buyLots).toBe(10);
  });

  test('may be filled in two parts before its answer: that fills nothing beyond its size', () => {
    const state = replacing(fill(21, 2), fill(22, 4), ...answer);
    expect(anomalies(takeChanges(state))).toEqual([]);
    expect(state.workingOrders(BTC)).toMatchObject([{ intentId: 'i-2', remainingLots: 4 }]);
    expect(state.exposure(BTC).buyLots).toBe(4);
  });

  test('the first is not told filled by fills of the second', () => {
    const state = replacing(fill(21, 2), ...answer);
    const ends = takeChanges(state).flatMap((change) =>
      change.type === 'OrderChanged' && change.status !== 'working' ? [change.status] : [],
    );
    expect(ends).toEqual(['canceled']);
  });

  test('is reserved whole when writes that a lost journal knew have replaced what an answer told', () => {
    const state = begun(replaceSent, ...answer, listed(40, 1002), fill(30, 3), synced(40));
    expect(anomalies(takeChanges(state))).toEqual([]);
    expect(state.workingOrders(BTC)).toMatchObject([{ priceTicks: 1002, remainingLots: 10 }]);
    expect(state.exposure(BTC).buyLots).toBe(10);
  });

  test('is not canceled when a list at the place of the write shows it before the answer comes', () => {
    const state = begun(replaceSent, listed(20, 1001), synced(20), ...answer);
    expect(state.workingOrders(BTC)).toMatchObject([{ intentId: 'i-2', remainingLots: 10 }]);
    expect(state.exposure(BTC).buyLots).toBe(10);
  });

  test('works when the one that it replaces was found at a start, and its answer is the first to tell (seed 770)', () => {
    const state = begun(listed(15, 1000, 2), synced(15), replaceSent, ...answer, shown(20, 1001, 10));
    expect(anomalies(takeChanges(state))).toEqual([]);
    expect(state.workingOrders(BTC)).toMatchObject([
      { intentId: 'i-2', priceTicks: 1001, remainingLots: 10 },
    ]);
    expect(state.exposure(BTC).buyLots).toBe(10);
  });

  test('a replacement whose answer comes in the next life works on when a snapshot behind it has shown it', () => {
    const state = begun(replaceSent, listed(30, 1001), synced(30), ...answer);
    expect(state.workingOrders(BTC)).toMatchObject([{ intentId: 'i-2', remainingLots: 10 }]);
    expect(state.exposure(BTC).buyLots).toBe(10);
  });

  test('an order that is filled beyond its size and was not replaced is told all the same (M2)', () => {
    const state = replacing(
      fill(20, 5),
      { type: 'CancelRejected', ref: REF, reason: 'UnknownOrder', proof: proof() },
      resolved('r2', 'rejected', { seq: 21 }),
    );
    expect(anomalies(takeChanges(state))).toContain('overfill');
  });
});
