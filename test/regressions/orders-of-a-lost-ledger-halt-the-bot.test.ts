/**
 * @module
 * A new ledger while a placement is unresolved: what the placement did is part of the rebuilt state, the bot cancels it
 * and goes on quoting, without a person (obligations O119, invariants I5, I13, I30).
 */
import { describe, expect, test } from 'vitest';
import {
  type AccountChange,
  AccountState,
  type Fact,
  type LaneId,
  lots,
  type OrderId,
  type RequestId,
} from '../../src/domain/index.ts';
import { takeChanges } from '../support/changes.ts';
import { aFill, aMarket, aSpec, aWorkingOrder, BTC, LANE, sent, seq } from '../support/trading-builders.ts';
import { DISTURBED_SETTINGS, disturb, problemsOf, runWholeBot, startOf } from '../support/whole-bot.ts';

const epoch = (name: string): Fact => ({ type: 'EpochChanged', epoch: name });
const synced = (name: string, at: number): Fact => ({ type: 'AccountSynced', seq: seq(at), epoch: name });
const voided = (requestId: string, name: string): Fact => ({
  type: 'WriteVoided',
  lane: LANE as LaneId,
  requestId: requestId as RequestId,
  epoch: name,
});

function stateOf(...facts: readonly Fact[]): AccountState {
  const state = new AccountState();
  state.fold({ type: 'MarketChanged', market: aMarket() });
  for (const fact of facts) state.fold(fact);
  return state;
}

const buyLots = (state: AccountState): number => state.exposure(BTC).buyLots;
const statuses = (changes: readonly AccountChange[]): readonly string[] =>
  changes.flatMap((change) => (change.type === 'OrderChanged' ? [change.status] : []));
const anomalies = (changes: readonly AccountChange[]): readonly string[] =>
  changes.flatMap((change) => (change.type === 'AnomalySeen' ? [change.kind] : []));

describe('a write that a new ledger has closed', () => {
  const spec = aSpec({ sizeLots: 3 });

  test('keeps its exposure until the state of that ledger is rebuilt, no matter who reports it first (O119)', () => {
    const state = stateOf(synced('k1', 9), sent('r1', [spec]), voided('r1', 'k2'));
    expect(buyLots(state)).toBe(3);
    state.fold(synced('k1', 10));
    expect(buyLots(state)).toBe(3);
    state.fold(epoch('k2'));
    expect(buyLots(state)).toBe(3);
    takeChanges(state);
    state.fold(synced('k2', 20));
    expect(buyLots(state)).toBe(0);
    const changes = takeChanges(state);
    expect(changes).toMatchObject([{ status: 'voided', spec, proof: { by: 'epoch', id: 'k2' } }]);
  });

  test('is released at once where that state is there already', () => {
    const state = stateOf(synced('k1', 9), sent('r1', [spec]), epoch('k2'), synced('k2', 20));
    expect(buyLots(state)).toBe(3);
    state.fold(voided('r1', 'k2'));
    expect(buyLots(state)).toBe(0);
  });

  test('makes no anomaly of its order and its fill, which came before the sync and are claimed by none (M2, M10)', () => {
    const order = aWorkingOrder('70', { sizeLots: lots(3), remainingLots: lots(3) });
    const state = stateOf(synced('k1', 9), sent('r1', [spec]), epoch('k2'));
    state.fold({ type: 'OrdersReplaced', orders: [order], seq: seq(15), isComplete: true });
    state.fold({ type: 'FillRecorded', fill: aFill({ orderId: '71' as OrderId }) });
    state.fold(synced('k2', 20));
    state.fold(voided('r1', 'k2'));
    expect(anomalies(takeChanges(state))).toEqual([]);
    expect(state.workingOrders(BTC).map(({ orderId }) => orderId)).toEqual(['70']);
  });

  test('makes none of them either where they came behind the sync, while it was still asked for (M2, M10)', () => {
    const order = aWorkingOrder('70', { sizeLots: lots(3), remainingLots: lots(3) });
    const state = stateOf(synced('k1', 9), sent('r1', [spec]), epoch('k2'), synced('k2', 20));
    state.fold({ type: 'OrderOpened', order, seq: seq(21) });
    state.fold({ type: 'FillRecorded', fill: aFill({ orderId: '71' as OrderId }) });
    state.fold(voided('r1', 'k2'));
    expect(anomalies(takeChanges(state))).toEqual([]);
    expect(state.workingOrders(BTC).map(({ orderId }) => orderId)).toEqual(['70']);
    expect(state.exposure(BTC).buyLots).toBe(3);
  });

  test('excuses nothing that it cannot have placed (M2, M10)', () => {
    const order = aWorkingOrder('70', { sizeLots: lots(3), remainingLots: lots(3), side: 'sell' });
    const state = stateOf(synced('k1', 9), sent('r1', [spec]), epoch('k2'), synced('k2', 20));
    state.fold({ type: 'OrderOpened', order, seq: seq(21) });
    state.fold({ type: 'FillRecorded', fill: aFill({ orderId: '71' as OrderId, side: 'sell' }) });
    state.fold(voided('r1', 'k2'));
    expect(anomalies(takeChanges(state))).toEqual(['unknownOrder', 'fillWithoutOrder']);
  });

  test('and the orders that rested before are told to be void, not forgotten (I6)', () => {
    const state = stateOf(synced('k1', 9), { type: 'OrderOpened', order: aWorkingOrder('7'), seq: seq(10) });
    takeChanges(state);
    state.fold(epoch('k2'));
    expect(statuses(takeChanges(state))).toEqual(['voided']);
  });
});

describe('a whole bot whose ledger is begun again while placements are unresolved', () => {
  test.each([
    { what: 'answers are lost', kind: 'errors after commit', strength: 0.84, keeps: 0.2 },
    { what: 'results are pending', kind: 'results pending', strength: 0.5, keeps: 0.9 },
    { what: 'requests arrive late', kind: 'requests late after loss', strength: 0.7, keeps: 0.79 },
  ] as const)('quotes again and ends proven when $what (I13)', async ({ kind, strength, keeps }) => {
    const run = await runWholeBot({
      seed: 37,
      forMs: 40_000,
      latency: { requestMs: 24, answerMs: 17, frameMs: 26, journalMs: 4 },
      settings: DISTURBED_SETTINGS,
      prepare: (world) =>
        disturb(world, [
          { kind, atMs: 8_114, forMs: 5_000, strength },
          { kind: 'new epoch', atMs: 8_345, forMs: 0, strength: keeps },
        ]),
    });
    expect(problemsOf(run)).toEqual([]);
    expect(run.observed.placedAtMs.at(-1)).toBeGreaterThan(startOf(run.world) + 35_000);
  });
});
