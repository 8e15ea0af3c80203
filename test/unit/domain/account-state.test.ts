/** @module The fold of facts into the account state, case by case. */
import { describe, expect, test } from 'vitest';
import {
  AccountState,
  type Cursor,
  type Fact,
  lots,
  type OrderId,
  type OrderSpec,
  quantums,
  type RequestId,
  ticks,
} from '../../../src/domain/index.ts';
import { takeChanges } from '../../support/changes.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  aSummary,
  atMs,
  aWorkingOrder,
  BTC,
  LANE,
  MAKER,
  proof,
  resolved,
  START_MS,
  sent,
  seq,
  usd,
} from '../../support/trading-builders.ts';

function aState(...facts: readonly Fact[]): AccountState {
  const state = new AccountState();
  state.fold({ type: 'MarketChanged', market: aMarket() });
  for (const fact of facts) state.fold(fact);
  return state;
}

const synced = (at = 1): Fact => ({ type: 'AccountSynced', seq: seq(at) });
const fillOf = (fill: ReturnType<typeof aFill>): Fact => ({ type: 'FillRecorded', fill });
const opened = (orderId: string, at: number, changes = {}): Fact => ({
  type: 'OrderOpened',
  order: aWorkingOrder(orderId, changes),
  seq: seq(at),
});
const ended = (orderId: string, at: number): Fact => ({
  type: 'OrderEnded',
  ref: { symbol: BTC, orderId: orderId as OrderId },
  status: 'canceled',
  seq: seq(at),
  proof: proof('stream', `${at}`),
});
const idsOf = (state: AccountState) => state.workingOrders(BTC).map((order) => order.orderId);
const kindsOf = (state: AccountState) =>
  takeChanges(state).map((change) => {
    if (change.type === 'OrderChanged') return change.status;
    return change.type === 'AnomalySeen' ? change.kind : change.type;
  });

describe('an intent', () => {
  test('reserves its exposure from approval until its outcome is proven', () => {
    const spec = aSpec({ sizeLots: 10 });
    const state = aState();
    state.reserve({ lane: LANE, places: [spec], cancels: [], atMs: START_MS });
    expect(state.exposure(BTC).buyLots).toBe(10);
    state.fold(sent('r1', [spec]));
    state.fold({ type: 'WriteUnresolved', lane: LANE, requestId: 'r1' as RequestId, why: 'timeout' });
    expect(state.exposure(BTC).buyLots).toBe(10);
    expect([...state.reservations()].map((reservation) => reservation.stage)).toEqual(['unresolved']);
    state.fold({ type: 'OrderNotExecuted', spec, proof: proof('conflict') });
    expect(state.exposure(BTC).buyLots).toBe(0);
  });

  test('becomes a working order that knows its strategy when it is accepted', () => {
    const spec = aSpec();
    const state = aState(sent('r1', [spec]), accepted(spec, '7'), resolved('r1'));
    expect(state.workingOrders(BTC, MAKER)).toMatchObject([
      { orderId: '7', remainingLots: 10, strategyId: MAKER, intentId: spec.intentId },
    ]);
    expect([...state.reservations()]).toEqual([]);
    expect(kindsOf(state)).toEqual(['working']);
  });

  test('ends at once when it was filled whole by its answer, or does not rest', () => {
    const whole = aSpec({ timeInForce: 'ioc' });
    const part = aSpec({ timeInForce: 'ioc' });
    const state = aState(
      sent('r1', [whole, part]),
      accepted(whole, '7', { filledLots: 10, isResting: false }),
      accepted(part, '8', { filledLots: 4, isResting: false }),
    );
    expect(idsOf(state)).toEqual([]);
    expect([state.endOf('7' as OrderId), state.endOf('8' as OrderId)]).toEqual(['filled', 'canceled']);
  });

  test('refused before its nonce was spent stays in the shadow until the nonce is', () => {
    const refused = aSpec({ sizeLots: 10 });
    const next = aSpec({ sizeLots: 3 });
    const state = aState(
      sent('r1', [refused]),
      { type: 'OrderRejected', spec: refused, reason: 'UnknownAgent', proof: proof('refusal', '403') },
      resolved('r1', 'refused'),
    );
    expect(state.exposure(BTC).buyLots).toBe(10);
    state.fold(sent('r2', [next]));
    state.fold(accepted(next, '9'));
    state.fold(resolved('r2'));
    expect(state.exposure(BTC).buyLots).toBe(3);
  });

  test('rejected with its nonce spent frees its exposure', () => {
    const spec = aSpec();
    const state = aState(
      sent('r1', [spec]),
      { type: 'OrderRejected', spec, reason: 'PostOnlyWouldCross', proof: proof('receipt') },
      resolved('r1', 'rejected'),
    );
    expect(state.exposure(BTC).buyLots).toBe(0);
  });

  test('that an executed write says nothing of stays reserved and is reported (O58)', () => {
    const [said, unsaid] = [aSpec(), aSpec({ priceTicks: 999_980 })];
    const state = aState(sent('r1', [said, unsaid]), accepted(said, '7'));
    takeChanges(state);
    state.fold(resolved('r1'));
    expect(kindsOf(state)).toEqual(['missingItem', 'unresolved']);
    expect(state.exposure(BTC).buyLots).toBe(20);
  });

  test('cannot be reserved twice', () => {
    const spec = aSpec();
    const state = aState();
    const reserve = () => state.reserve({ lane: LANE, places: [spec], cancels: [], atMs: START_MS });
    reserve();
    expect(reserve).toThrow(/expected a new intent/);
  });
});

describe('an order', () => {
  test('and its replacement both count while the replace is in flight (O80)', () => {
    const old = aSpec({ sizeLots: 10 });
    const replacement = aSpec({ sizeLots: 4, priceTicks: 999_980 });
    const state = aState(sent('r1', [old]), accepted(old, '7'), resolved('r1'));
    state.fold(sent('r2', [replacement], { cancels: [{ symbol: BTC, orderId: '7' as OrderId }] }));
    expect(state.exposure(BTC).buyLots).toBe(14);
    expect(state.isCancelPending('7' as OrderId)).toBe(true);
    expect(state.hasPendingCancels).toBe(true);
    state.fold({
      type: 'CancelExecuted',
      ref: { symbol: BTC, orderId: '7' as OrderId },
      canceledLots: lots(10),
      proof: proof(),
    });
    expect(state.hasPendingCancels).toBe(false);
    state.fold(accepted(replacement, '8'));
    expect(state.exposure(BTC).buyLots).toBe(4);
  });

  test('stays ended when an older event shows it open (O82)', () => {
    const state = aState(synced(), opened('7', 5), ended('7', 6), opened('7', 5), opened('7', 9));
    expect(idsOf(state)).toEqual([]);
  });

  test('keeps its newest state when events come out of order', () => {
    const state = aState(
      opened('7', 9, { remainingLots: lots(2) }),
      opened('7', 8, { remainingLots: lots(6) }),
    );
    expect(state.workingOrder('7' as OrderId)?.remainingLots).toBe(2);
  });

  test('counts a fill once, whether fill, event or answer speaks of it first', () => {
    const spec = aSpec({ sizeLots: 10 });
    const fill = aFill({ orderId: '7', sizeLots: 4 });
    const event = opened('7', 5, { remainingLots: lots(6) });
    for (const facts of [
      [accepted(spec, '7', { filledLots: 4 }), fillOf(fill), event],
      [fillOf(fill), event, accepted(spec, '7', { filledLots: 4 })],
      [event, accepted(spec, '7', { filledLots: 4 }), fillOf(fill)],
    ]) {
      const state = aState(sent('r1', [spec]), ...facts, resolved('r1'));
      expect(state.workingOrder('7' as OrderId)?.remainingLots).toBe(6);
      expect(state.positionLots(BTC)).toBe(4);
      expect(state.positionLots(BTC, MAKER)).toBe(4);
    }
  });

  test('seen before its answer waits for its intent without an alarm (O120)', () => {
    const spec = aSpec();
    const state = aState(synced(), sent('r1', [spec]));
    takeChanges(state);
    state.fold(opened('7', 5));
    state.fold(fillOf(aFill({ orderId: '7', sizeLots: 3 })));
    expect(kindsOf(state)).toEqual([]);
    expect(state.positionLots(BTC)).toBe(3);
    state.fold(accepted(spec, '7', { filledLots: 0 }));
    expect(kindsOf(state)).toEqual(['working', 'FillApplied']);
    expect(state.workingOrders(BTC, MAKER)).toMatchObject([{ orderId: '7', remainingLots: 7 }]);
    expect(state.positionLots(BTC, MAKER)).toBe(3);
  });

  test('that ended before its answer came is told as ended, not as working', () => {
    const spec = aSpec();
    const state = aState(synced(), sent('r1', [spec]), opened('7', 5), ended('7', 6));
    takeChanges(state);
    state.fold(accepted(spec, '7'));
    expect(kindsOf(state)).toEqual(['canceled']);
    expect(idsOf(state)).toEqual([]);
  });

  test('that no write in flight can own is reported as unknown once the writes are resolved (M10)', () => {
    const spec = aSpec();
    const state = aState(synced(), sent('r1', [spec]), opened('99', 5));
    expect(kindsOf(state)).toEqual([]);
    state.fold(accepted(spec, '7'));
    expect(kindsOf(state)).toEqual(['working', 'unknownOrder', 'working']);
    expect(idsOf(state)).toEqual(['7', '99']);
    expect(state.workingOrders(BTC, MAKER)).toHaveLength(1);
  });

  test('that a complete snapshot leaves out has ended, unless it is newer than the snapshot', () => {
    const spec = aSpec();
    const state = aState(
      opened('7', 5),
      sent('r1', [spec]),
      accepted(spec, '8'),
      resolved('r1', 'executed', { seq: 12 }),
      { type: 'OrdersReplaced', orders: [aWorkingOrder('6')], seq: seq(10), isComplete: true },
    );
    expect(idsOf(state)).toEqual(['8', '6']);
    state.fold({ type: 'OrdersReplaced', orders: [], seq: seq(13), isComplete: true });
    expect(idsOf(state)).toEqual([]);
  });

  test('filled beyond its size is an anomaly (M2)', () => {
    const spec = aSpec({ sizeLots: 10 });
    const state = aState(synced(), sent('r1', [spec]), accepted(spec, '7'));
    takeChanges(state);
    state.fold(fillOf(aFill({ orderId: '7', sizeLots: 8 })));
    state.fold(fillOf(aFill({ orderId: '7', sizeLots: 8 })));
    expect(kindsOf(state)).toEqual(['FillApplied', 'overfill', 'FillApplied', 'filled']);
  });
});

describe('positions and cash', () => {
  test('a fill of nobody moves the account and is reported, once synced (M2)', () => {
    const state = aState(fillOf(aFill({ orderId: '1' })), synced(), fillOf(aFill({ orderId: '2' })));
    expect(state.positionLots(BTC)).toBe(20);
    expect(kindsOf(state)).toEqual(['FillApplied', 'FillApplied', 'fillWithoutOrder']);
  });

  test('what was held before the known history is taken over as published, and audited from then on', () => {
    const position = {
      symbol: BTC,
      sizeLots: lots(30),
      costBasis: usd(3_000),
      unrealizedPnl: usd(0),
      accruedFunding: usd(0),
    };
    const state = aState(
      fillOf(aFill({ id: '2-0-0' as Cursor, sizeLots: 10 })),
      { type: 'PositionsReplaced', positions: [position], seq: seq(3) },
      synced(3),
    );
    expect(state.positionLots(BTC)).toBe(30);
    expect(state.inventory(BTC)?.position.cost).toBe(usd(3_000));
    expect(state.positionMismatches()).toEqual([]);
    state.fold(fillOf(aFill({ id: '7-0-0' as Cursor, sizeLots: 5, side: 'sell' })));
    const difference = { symbol: BTC, fillLots: 25, unpublishedSince: undefined };
    expect(state.positionMismatches()).toMatchObject([
      { ...difference, publishedLots: 30, unpublishedSince: 7n },
    ]);
    state.fold({ type: 'PositionsReplaced', positions: [], seq: seq(9) });
    expect(state.positionMismatches()).toMatchObject([{ ...difference, publishedLots: 0 }]);
  });

  test('a published position is held against the fills up to its own place (M3)', () => {
    const publish = (sizeLots: number, at: number) =>
      state.fold({
        type: 'PositionUpdated',
        position: {
          symbol: BTC,
          sizeLots: lots(sizeLots),
          costBasis: usd(0),
          unrealizedPnl: usd(0),
          accruedFunding: usd(0),
        },
        seq: seq(at),
      });
    const state = aState({ type: 'PositionsReplaced', positions: [], seq: seq(3) }, synced(3));
    for (const at of [4, 6, 8]) state.fold(fillOf(aFill({ id: `${at}-0-0` as Cursor, sizeLots: 10 })));
    const waiting = { symbol: BTC, fillLots: 30 };
    expect(state.positionMismatches()).toMatchObject([
      { ...waiting, publishedLots: 0, unpublishedSince: 4n },
    ]);
    publish(20, 7);
    expect(state.positionMismatches()).toMatchObject([
      { ...waiting, publishedLots: 20, unpublishedSince: 8n },
    ]);
    publish(25, 7);
    expect(state.positionMismatches()).toMatchObject([
      { symbol: BTC, fillLots: 20, publishedLots: 25, unpublishedSince: undefined },
    ]);
    // What comes late belongs to the place it was executed at.
    state.fold(fillOf(aFill({ id: '5-0-0' as Cursor, sizeLots: 5 })));
    expect(state.positionMismatches()).toMatchObject([
      { symbol: BTC, fillLots: 35, publishedLots: 25, unpublishedSince: 8n },
    ]);
    publish(35, 8);
    expect(state.positionMismatches()).toEqual([]);
    state.fold({
      type: 'PositionMoved',
      move: { symbol: BTC, seq: seq(9), changeLots: lots(-35), ofLots: lots(35), cash: usd(0) },
    });
    expect(state.positionMismatches()).toMatchObject([
      { fillLots: 0, publishedLots: 35, unpublishedSince: 9n },
    ]);
    state.fold({ type: 'PositionsReplaced', positions: [], seq: seq(9) });
    expect(state.positionMismatches()).toEqual([]);
    // Bought and sold again within a block: the exchange has no change to publish.
    state.fold(fillOf(aFill({ id: '10-0-0' as Cursor, sizeLots: 3 })));
    state.fold(fillOf(aFill({ id: '11-0-0' as Cursor, sizeLots: 3, side: 'sell' })));
    expect(state.positionMismatches()).toEqual([]);
  });

  test('cash is the sum of the ledger', () => {
    const entry = {
      id: '1-0-0' as ReturnType<typeof aFill>['id'],
      kind: 'deposit',
      amount: usd(5),
      symbol: null,
      orderId: null,
      atMs: null,
    };
    const second = { ...entry, id: '2-0-0' as typeof entry.id, amount: usd(2) };
    const state = aState({ type: 'LedgerRecorded', entry }, { type: 'LedgerRecorded', entry: second });
    expect(state.ledgerSum).toBe(usd(7));
    expect([...state.ledgerByKind()]).toEqual([['deposit', usd(7)]]);
  });

  test('profit is split by strategy and adds up with fees', () => {
    const [mine, other] = [aSpec(), aSpec({ strategyId: 'taker' as OrderSpec['strategyId'] })];
    const state = aState(
      sent('r1', [mine, other]),
      accepted(mine, '7'),
      accepted(other, '8'),
      fillOf(aFill({ orderId: '7', priceTicks: 1_000_000, sizeLots: 10, fee: quantums(-50n) })),
      fillOf(aFill({ orderId: '8', priceTicks: 1_001_000, sizeLots: 10, side: 'sell', fee: quantums(500n) })),
    );
    const mark = () => ticks(1_000_400);
    expect(state.positionLots(BTC)).toBe(0);
    expect(state.pnl(mark)).toEqual({ realized: 1_000_000n, unrealized: 0n, fees: 450n, funding: 0n });
    expect(state.pnl(mark, MAKER)).toEqual({ realized: 0n, unrealized: 400_000n, fees: -50n, funding: 0n });
    expect(state.pnl(mark, other.strategyId)).toMatchObject({ unrealized: 600_000n });
  });

  test('the newest summary wins by its place in the log, not by arrival', () => {
    const state = aState(
      { type: 'AccountUpdated', account: aSummary(200), seq: seq(7) },
      { type: 'AccountUpdated', account: aSummary(100), seq: seq(6) },
    );
    expect(state.summary?.equity).toBe(usd(200));
  });
});

describe('sync and switch', () => {
  test('a new epoch voids everything but intents in flight', () => {
    const spec = aSpec({ sizeLots: 3 });
    const state = aState(
      synced(),
      opened('7', 5),
      fillOf(aFill()),
      { type: 'AccountUpdated', account: aSummary(1), seq: seq(9) },
      sent('r1', [spec]),
      { type: 'EpochChanged', epoch: 'k2' },
    );
    expect(state.sync.kind).toBe('degraded');
    expect(idsOf(state)).toEqual([]);
    expect(state.positionLots(BTC)).toBe(0);
    expect(state.summary).toBeUndefined();
    expect(state.exposure(BTC).buyLots).toBe(3);
  });

  test('a fired switch is not armed any more', () => {
    const state = aState({ type: 'SwitchArmed', triggerAtMs: atMs(20_000), atMs: START_MS });
    expect(state.armedUntilMs).toBe(atMs(20_000));
    state.fold({ type: 'SwitchHeld', reasons: ['H2'] });
    expect(state.switchHeldReasons).toEqual(['H2']);
    state.fold({ type: 'SwitchFired', atMs: atMs(20_000) });
    expect(state.armedUntilMs).toBeUndefined();
    expect(kindsOf(state)).toEqual(['switchFired']);
  });
});
