/** @module An order that was filled while frames were lost is told as filled, not as canceled for want of better (I30, O21). */
import { describe, expect, test } from 'vitest';
import { AccountState, type Cursor, type Fact, lots, type OrderId } from '../../src/domain/index.ts';
import { takeChanges } from '../support/changes.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  aWorkingOrder,
  BTC,
  resolved,
  sent,
  seq,
} from '../support/trading-builders.ts';

const spec = aSpec({ sizeLots: 10 });
const snapshot = (at: number, orders: Extract<Fact, { type: 'OrdersReplaced' }>['orders'] = []): Fact => ({
  type: 'OrdersReplaced',
  orders,
  seq: seq(at),
  isComplete: true,
});
const lagged: Fact = { type: 'AccountDegraded', reason: 'lagged' };
const synced = (at: number): Fact => ({ type: 'AccountSynced', seq: seq(at) });

/** A working order 7, then `facts`; the statuses that were told of it. */
function standingsAfter(...facts: readonly Fact[]): { state: AccountState; statuses: readonly string[] } {
  const state = new AccountState();
  const before: readonly Fact[] = [
    { type: 'MarketChanged', market: aMarket() },
    synced(1),
    sent('r1', [spec]),
    accepted(spec, '7'),
    resolved('r1', 'executed', { seq: 5 }),
    lagged,
  ];
  for (const fact of [...before, ...facts]) state.fold(fact);
  const statuses = takeChanges(state).flatMap((change) =>
    change.type === 'OrderChanged' ? [change.status] : [],
  );
  return { state, statuses };
}

describe('an order that the snapshot after a lag does not show', () => {
  test('was filled, when the history says so, and counted until then', () => {
    const { state } = standingsAfter(snapshot(9));
    expect(state.exposure(BTC).buyLots).toBe(10);
    const fill: Fact = {
      type: 'FillRecorded',
      fill: aFill({ id: '7-0-0' as Cursor, orderId: '7', sizeLots: 10 }),
    };
    expect(standingsAfter(snapshot(9), fill, synced(9)).statuses).toEqual(['working', 'filled']);
  });

  test('was canceled, when the history is booked and says nothing, or tells of a part alone', () => {
    const part: Fact = {
      type: 'FillRecorded',
      fill: aFill({ id: '7-0-0' as Cursor, orderId: '7', sizeLots: 4 }),
    };
    for (const facts of [[], [part]]) {
      const { state, statuses } = standingsAfter(snapshot(9), ...facts, synced(9));
      expect(statuses.at(-1)).toBe('canceled');
      expect(state.endOf('7' as OrderId)).toBe('canceled');
      expect(state.exposure(BTC).buyLots).toBe(0);
    }
  });

  test('works on when a newer state shows it', () => {
    const order = aWorkingOrder('7', { remainingLots: lots(10) });
    const again: Fact = { type: 'OrderOpened', order, seq: seq(12) };
    const shown = [
      [snapshot(9), again, synced(12)],
      [snapshot(9), snapshot(12, [order]), synced(12)],
    ];
    for (const facts of shown) expect(standingsAfter(...facts).state.workingOrders(BTC)).toHaveLength(1);
  });
});

describe('an order of a write without an answer that the snapshot does not show', () => {
  const shown: Fact = { type: 'OrderOpened', order: aWorkingOrder('7', { sizeLots: lots(10) }), seq: seq(5) };
  const fill = (sizeLots: number): Fact => ({
    type: 'FillRecorded',
    fill: aFill({ id: '7-0-0' as Cursor, orderId: '7', sizeLots }),
  });
  const answered = [accepted(spec, '7'), resolved('r1', 'executed', { seq: 5 })];

  /** The order is seen before the answer says whose it is, and frames are lost; the statuses told of it. */
  function statuses(...facts: readonly Fact[]): readonly string[] {
    const state = new AccountState();
    const before = [synced(1), sent('r1', [spec]), shown, lagged, snapshot(9)];
    for (const fact of [{ type: 'MarketChanged', market: aMarket() } as const, ...before, ...facts])
      state.fold(fact);
    expect(state.exposure(BTC).buyLots).toBe(0);
    return takeChanges(state).flatMap((change) => (change.type === 'OrderChanged' ? [change.status] : []));
  }

  test('was filled, when the history says so, whichever of answer and sync comes first', () => {
    expect(statuses(fill(10), synced(9), ...answered)).not.toContain('canceled');
    expect(statuses(fill(10), ...answered, synced(9)).at(-1)).toBe('filled');
    expect(statuses(...answered, fill(10), synced(9)).at(-1)).toBe('filled');
  });

  test('was canceled, when the history says nothing, or tells of a part alone', () => {
    for (const facts of [[], [fill(4)]]) {
      expect(statuses(...facts, synced(9), ...answered)).not.toContain('filled');
      expect(statuses(...facts, ...answered, synced(9)).at(-1)).toBe('canceled');
    }
  });
});
