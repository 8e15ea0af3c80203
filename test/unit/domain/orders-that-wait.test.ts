/**
 * @module
 * Orders that wait for the index price, in the state of the account: they work although they do not rest, fire under their
 * number, whatever is heard of first, and what closes a position adds nothing to the worst case while it waits.
 */
import { describe, expect, test } from 'vitest';
import {
  AccountState,
  type Fact,
  lots,
  type OrderId,
  type OrderSpec,
  ticks,
  type WorkingOrder,
} from '../../../src/domain/index.ts';
import { takeChanges } from '../../support/changes.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  aWorkingOrder,
  BTC,
  MAKER,
  resolved,
  sent,
  seq,
} from '../../support/trading-builders.ts';

const ID = '7' as OrderId;
const trigger = { priceTicks: ticks(900_000), isAbove: false };
const market: Fact = { type: 'MarketChanged', market: aMarket() };
const synced: Fact = { type: 'AccountSynced', seq: seq(3) };

const stopOf = (changes: Partial<OrderSpec> = {}): OrderSpec =>
  aSpec({ side: 'sell', sizeLots: lots(10), reduceOnly: true, timeInForce: 'gtc', trigger, ...changes });

const answer = (spec: OrderSpec): Fact =>
  ({ ...accepted(spec, ID), isResting: false, filledLots: lots(0) }) as Fact;

const shownAs = (spec: OrderSpec, changes: Partial<WorkingOrder> = {}): WorkingOrder => {
  const { side, priceTicks, reduceOnly, timeInForce } = spec;
  return aWorkingOrder(ID, {
    side,
    priceTicks,
    reduceOnly,
    timeInForce,
    sizeLots: spec.sizeLots,
    remainingLots: spec.sizeLots,
    ...changes,
  });
};
const replaced = (orders: readonly WorkingOrder[], at: number): Fact => ({
  type: 'OrdersReplaced',
  orders,
  seq: seq(at),
  isComplete: true,
});
const opened = (order: WorkingOrder, at: number): Fact => ({ type: 'OrderOpened', order, seq: seq(at) });

function stateOf(...facts: readonly Fact[]): AccountState {
  const state = new AccountState();
  for (const fact of [market, synced, ...facts]) state.fold(fact);
  return state;
}

const statusesOf = (state: AccountState): readonly string[] =>
  takeChanges(state).flatMap((change) => (change.type === 'OrderChanged' ? [change.status] : []));

describe('an order that waits for its trigger', () => {
  test('works by the answer alone, is told to have fired, and is filled for its strategy', () => {
    const spec = stopOf();
    const state = stateOf(sent('r1', [spec]), answer(spec), resolved('r1', 'executed', { seq: 5 }));
    expect(state.workingOrders(BTC, MAKER)).toMatchObject([{ orderId: ID, trigger, remainingLots: 10 }]);
    expect(state.isRestingOn(BTC, MAKER, 'sell')).toBe(false);
    state.fold(opened(shownAs(spec, { trigger }), 5));
    state.fold(opened(shownAs(spec), 9));
    expect(state.workingOrder(ID)?.trigger).toBeUndefined();
    expect(state.isRestingOn(BTC, MAKER, 'sell')).toBe(true);
    expect(state.isRestingOn(BTC, MAKER, 'buy')).toBe(false);
    state.fold({ type: 'FillRecorded', fill: aFill({ orderId: ID, side: 'sell', sizeLots: 10 }) });
    expect(statusesOf(state)).toEqual(['working', 'fired', 'filled']);
    expect(state.positionLots(BTC, MAKER)).toBe(-10);
  });

  test.each([
    ['shown by the stream before', (spec: OrderSpec, shown: Fact) => [answer(spec), shown]],
    ['shown by the stream before its answer came', (spec: OrderSpec, shown: Fact) => [shown, answer(spec)]],
  ])('that closes a position which is gone has been canceled and not filled: %s', (_when, facts) => {
    const leg = { ...trigger, leg: 'stopLoss' } as const;
    const spec = stopOf({ trigger: leg });
    // As large as the position, which somebody else has closed: nothing is left of it, and nothing was filled.
    const shown = opened(
      shownAs(spec, { trigger: leg, intentId: spec.intentId, sizeLots: lots(0), remainingLots: lots(0) }),
      6,
    );
    const state = stateOf(
      sent('r1', [spec]),
      ...facts(spec, shown),
      resolved('r1', 'executed', { seq: 5 }),
      synced,
    );
    state.fold(replaced([], 8));
    const statuses = statusesOf(state);
    expect(statuses.at(-1)).toBe('canceled');
    expect(statuses).not.toContain('filled');
  });

  test.each([
    ['a read of the open orders shows it so', (leg: WorkingOrder): Fact[] => [replaced([leg], 6)]],
    [
      'it was as large as a position before',
      (leg: WorkingOrder): Fact[] => [
        opened({ ...leg, sizeLots: lots(10), remainingLots: lots(10) }, 6),
        opened(leg, 7),
      ],
    ],
    [
      'a cancel of it is refused',
      (leg: WorkingOrder): Fact[] => [
        opened(leg, 6),
        {
          type: 'CancelRejected',
          ref: { symbol: BTC, orderId: ID },
          reason: 'UnknownOrder',
          proof: { by: 'answer', id: 'r2' },
        } as Fact,
      ],
    ],
  ])('and so it has where %s', (_when, facts) => {
    const leg = { ...trigger, leg: 'stopLoss' } as const;
    const spec = stopOf({ trigger: leg });
    const nothing = { sizeLots: lots(0), remainingLots: lots(0) };
    const shown = shownAs(spec, { trigger: leg, intentId: spec.intentId, ...nothing });
    const state = stateOf(sent('r1', [spec]), answer(spec), resolved('r1', 'executed', { seq: 5 }));
    for (const fact of [...facts(shown), replaced([], 9)]) state.fold(fact);
    const statuses = statusesOf(state);
    expect(statuses.at(-1)).toBe('canceled');
    expect(statuses).not.toContain('filled');
  });

  test('and filled where there is a position again, it fires and all of it is taken', () => {
    const leg = { ...trigger, leg: 'stopLoss' } as const;
    const spec = stopOf({ trigger: leg });
    const { intentId } = spec;
    const state = stateOf(sent('r1', [spec]), answer(spec), resolved('r1', 'executed', { seq: 5 }));
    const nothing = { sizeLots: lots(0), remainingLots: lots(0) };
    state.fold(opened(shownAs(spec, { trigger: leg, intentId, ...nothing }), 6));
    state.fold(opened(shownAs(spec, { intentId, sizeLots: lots(4), remainingLots: lots(4) }), 7));
    state.fold({ type: 'FillRecorded', fill: aFill({ orderId: ID, side: 'sell', sizeLots: 4 }) });
    state.fold(replaced([], 9));
    expect(statusesOf(state)).toEqual(['working', 'working', 'fired', 'filled']);
    expect(state.positionLots(BTC, MAKER)).toBe(-4);
  });

  test('made smaller when it fires it is the same order', () => {
    const spec = stopOf();
    const state = stateOf(sent('r1', [spec]), answer(spec), resolved('r1', 'executed', { seq: 5 }));
    state.fold(opened(shownAs(spec, { sizeLots: lots(4), remainingLots: lots(4) }), 9));
    expect(state.workingOrders(BTC, MAKER)).toMatchObject([{ orderId: ID, sizeLots: 4 }]);
    expect(statusesOf(state)).toEqual(['working', 'fired']);
  });

  test('that fired before its answer came is told as it is', () => {
    const spec = stopOf();
    const state = stateOf(
      sent('r1', [spec]),
      opened(shownAs(spec, { trigger }), 5),
      opened(shownAs(spec), 9),
    );
    for (const fact of [answer(spec), resolved('r1', 'executed', { seq: 5 })]) state.fold(fact);
    expect(state.workingOrders(BTC, MAKER)).toHaveLength(1);
    expect(state.workingOrder(ID)?.trigger).toBeUndefined();
  });

  test.each([
    ['on its way', (spec: OrderSpec) => [sent('r1', [spec])]],
    ['waiting', (spec: OrderSpec) => [sent('r1', [spec]), answer(spec)]],
    ['not claimed yet', (spec: OrderSpec) => [sent('r0', [spec]), opened(shownAs(spec, { trigger }), 5)]],
  ])(
    'adds nothing to the worst case while %s when it only closes, and all it is when it opens',
    (_where, facts) => {
      const closing = stateOf(...facts(stopOf())).exposure(BTC);
      expect([closing.sellLots, closing.sellOrders > 0]).toEqual([0, true]);
      expect(stateOf(...facts(stopOf({ reduceOnly: false }))).exposure(BTC).sellLots).toBeGreaterThanOrEqual(
        10,
      );
    },
  );

  test('filled whole at once, smaller than it was asked for, leaves nothing reserved', () => {
    const spec = stopOf({ timeInForce: 'ioc' });
    const state = stateOf(sent('r1', [spec]), answer(spec), resolved('r1', 'executed', { seq: 5 }));
    const proof = { by: 'stream', id: '9' } as const;
    state.fold({
      type: 'OrderEnded',
      ref: { symbol: BTC, orderId: ID },
      status: 'filled',
      seq: seq(9),
      proof,
    });
    state.fold({ type: 'FillRecorded', fill: aFill({ orderId: ID, side: 'sell', sizeLots: 4 }) });
    expect(state.exposure(BTC).sellLots).toBe(0);
    expect(state.positionLots(BTC, MAKER)).toBe(-4);
  });
});

describe('an order that is worked over time', () => {
  const plan = { slices: 4, intervalMs: 1_000, priceTolerancePpm: 1_000 };
  const spec = stopOf({ side: 'buy', reduceOnly: false, timeInForce: 'ioc', twap: plan });
  const { trigger: _, ...worked } = spec;
  const shown = (slicesDone: number, changes: Partial<WorkingOrder> = {}) =>
    shownAs(worked, { twap: { ...plan, slicesDone, nextSliceAtMs: 0 }, ...changes });
  const begun = (): AccountState =>
    stateOf(sent('r1', [worked]), answer(worked), resolved('r1', 'executed', { seq: 5 }));

  test('works by the answer alone and rests nowhere; its slices are told, its fills are its own', () => {
    const state = begun();
    expect(state.workingOrders(BTC, MAKER)).toMatchObject([{ orderId: ID, twap: { slicesDone: 0 } }]);
    expect(state.isRestingOn(BTC, MAKER, 'buy')).toBe(false);
    expect([state.hasOpenOrders, state.exposure(BTC).buyLots]).toEqual([true, 10]);
    state.fold({ type: 'FillRecorded', fill: aFill({ orderId: ID, side: 'buy', sizeLots: 3 }) });
    expect(state.exposure(BTC)).toMatchObject({ positionLots: 3, buyLots: 7 });
    state.fold(opened(shown(1, { remainingLots: lots(7), priceTicks: ticks(1_000_100) }), 9));
    expect(state.workingOrder(ID)).toMatchObject({ remainingLots: 7, twap: { slicesDone: 1 } });
    expect(state.exposure(BTC)).toMatchObject({ positionLots: 3, buyLots: 7 });
    expect(state.positionLots(BTC, MAKER)).toBe(3);
    expect(statusesOf(state)).toEqual(['working', 'working']);
  });

  test('with another limit, or more of it traded before its fills are heard of, is the same order', () => {
    const state = begun();
    state.fold(opened(shown(2, { remainingLots: lots(5), priceTicks: ticks(1_000_500) }), 9));
    expect(state.workingOrders(BTC, MAKER)).toMatchObject([{ orderId: ID, remainingLots: 5 }]);
    // What was traded counts until its fills have come.
    expect(state.exposure(BTC)).toMatchObject({ positionLots: 0, buyLots: 10 });
    for (const sizeLots of [2, 3])
      state.fold({
        ...{ type: 'FillRecorded' },
        fill: aFill({ id: `8-0-${sizeLots}` as never, orderId: ID, side: 'buy', sizeLots }),
      });
    expect(state.exposure(BTC)).toMatchObject({ positionLots: 5, buyLots: 5 });
  });

  test('shown before its answer waits for the write that could own it, at whatever limit', () => {
    const state = stateOf(sent('r1', [worked]), opened(shown(1, { priceTicks: ticks(900_100) }), 6));
    expect(state.workingOrders(BTC)).toEqual([]);
    for (const fact of [answer(worked), resolved('r1', 'executed', { seq: 5 })]) state.fold(fact);
    expect(state.workingOrders(BTC, MAKER)).toMatchObject([{ orderId: ID, twap: { slicesDone: 1 } }]);
    expect(takeChanges(state).some(({ type }) => type === 'AnomalySeen')).toBe(false);
  });
});

describe('an exit that follows the position', () => {
  const asLeg = { trigger: { ...trigger, leg: 'stopLoss' } } as const;
  const leg = stopOf(asLeg);
  const begun = (acceptedLots = leg.sizeLots): AccountState =>
    stateOf(
      sent('r1', [leg]),
      { ...answer(leg), acceptedLots } as Fact,
      resolved('r1', 'executed', { seq: 5 }),
    );
  const anomalies = (state: AccountState) => takeChanges(state).filter(({ type }) => type === 'AnomalySeen');

  test('may be accepted larger than it was asked for, and be filled beyond what it was seen with', () => {
    const state = begun(lots(14));
    expect(state.workingOrder(ID)).toMatchObject({ sizeLots: 14, remainingLots: 14 });
    for (const [at, sizeLots] of [10, 10].entries())
      state.fold({
        ...{ type: 'FillRecorded' },
        fill: aFill({ id: `8-0-${at}` as never, orderId: ID, side: leg.side, sizeLots }),
      });
    expect(anomalies(state)).toEqual([]);
    // Nothing but the exchange says that nothing is left.
    expect(state.workingOrder(ID)).toBeDefined();
    expect(state.exposure(BTC)).toMatchObject({ buyLots: 0, sellLots: 0 });
  });

  test('is the same order with another size, and a plain one of the size that it has when it fires', () => {
    const state = begun();
    state.fold(opened(shownAs(leg, { sizeLots: lots(25), remainingLots: lots(25), ...asLeg }), 9));
    expect(state.workingOrder(ID)).toMatchObject({ sizeLots: 25 });
    const { trigger: _, ...plain } = leg;
    state.fold(opened(shownAs(plain, { sizeLots: lots(30), remainingLots: lots(12) }), 10));
    expect(statusesOf(state).at(-1)).toBe('fired');
    expect(state.workingOrder(ID)).toMatchObject({ sizeLots: 30, remainingLots: 12 });
    expect(anomalies(state)).toEqual([]);
  });

  test('shown before its answer, whatever its size, waits for the write that could own it', () => {
    const state = stateOf(sent('r1', [leg]), opened(shownAs(leg, { sizeLots: lots(90), ...asLeg }), 6));
    expect(state.workingOrders(BTC)).toEqual([]);
    for (const fact of [answer(leg), resolved('r1', 'executed', { seq: 5 })]) state.fold(fact);
    expect(state.workingOrders(BTC, MAKER)).toMatchObject([{ orderId: ID }]);
    expect(anomalies(state)).toEqual([]);
  });
});
