/** @module What the exchange says was filled stays in the exposure until the fill is booked, whichever comes first (I10). */
import { describe, expect, test } from 'vitest';
import { AccountState, type Fact, longestLots, lots, type OrderId } from '../../src/domain/index.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  aWorkingOrder,
  BTC,
  MAKER,
  proof,
  resolved,
  sent,
  seq,
} from '../support/trading-builders.ts';

const spec = aSpec({ sizeLots: 10 });
const fill = (sizeLots: number): Fact => ({
  type: 'FillRecorded',
  fill: aFill({ orderId: '7', sizeLots, side: 'buy' }),
});

function aState(...facts: readonly Fact[]): AccountState {
  const state = new AccountState();
  state.fold({ type: 'MarketChanged', market: aMarket() });
  for (const fact of facts) state.fold(fact);
  return state;
}

function reach(state: AccountState): readonly number[] {
  return [longestLots(state.exposure(BTC)), longestLots(state.exposure(BTC, MAKER))];
}

describe('an execution that is known before its fill has come', () => {
  test('counts when the answer to the placement says it', () => {
    const state = aState(sent('r1', [spec]), accepted(spec, '7', { filledLots: 4 }), resolved('r1'));
    expect(reach(state)).toEqual([10, 10]);
    state.fold(fill(4));
    expect(reach(state)).toEqual([10, 10]);
    expect(state.exposure(BTC).buyLots).toBe(6);
  });

  test('counts when the order was filled whole, or filled in part and canceled', () => {
    const ref = { symbol: BTC, orderId: '7' as OrderId };
    const ends: readonly (readonly [Fact, number])[] = [
      [{ type: 'OrderEnded', ref, status: 'filled', seq: seq(9), proof: proof('stream') }, 10],
      [{ type: 'CancelExecuted', ref, canceledLots: lots(6), proof: proof() }, 4],
    ];
    for (const [end, filledLots] of ends) {
      const state = aState(sent('r1', [spec]), accepted(spec, '7'), resolved('r1'), end);
      expect(state.workingOrders(BTC)).toEqual([]);
      expect(reach(state)).toEqual([filledLots, filledLots]);
      state.fold(fill(filledLots));
      expect(reach(state)).toEqual([filledLots, filledLots]);
      expect(state.exposure(BTC).buyLots).toBe(0);
    }
  });

  test('counts when the end of the order comes before the answer and its fill behind it (I10, seed 6864)', () => {
    const ref = { symbol: BTC, orderId: '7' as OrderId };
    const shown = aWorkingOrder('7', { sizeLots: lots(10), remainingLots: lots(6) });
    const end = { type: 'OrderEnded', ref, seq: seq(9), proof: proof('stream') } as const;
    const ends: readonly (readonly [readonly Fact[], number])[] = [
      [[{ ...end, status: 'filled' }], 10],
      [[{ ...end, status: 'canceled', remainingLots: lots(6) }], 4],
      [
        [
          { type: 'OrderOpened', order: shown, seq: seq(8) },
          { type: 'OrdersReplaced', orders: [], seq: seq(9), isComplete: true },
        ],
        4,
      ],
    ];
    for (const [facts, filledLots] of ends) {
      const state = aState(sent('r1', [spec]), ...facts);
      expect(reach(state)).toEqual([10, 10]);
      for (const fact of [accepted(spec, '7'), resolved('r1')]) state.fold(fact);
      expect(state.workingOrders(BTC)).toEqual([]);
      expect(reach(state)).toEqual([filledLots, filledLots]);
      state.fold(fill(filledLots));
      expect(reach(state)).toEqual([filledLots, filledLots]);
      expect(state.exposure(BTC).buyLots).toBe(0);
    }
  });

  test('counts when an order event shows less of it', () => {
    const order = aWorkingOrder('7', { remainingLots: lots(3) });
    const state = aState(sent('r1', [spec]), accepted(spec, '7'), resolved('r1'), {
      type: 'OrderOpened',
      order,
      seq: seq(9),
    });
    expect(reach(state)).toEqual([10, 10]);
    expect(state.workingOrders(BTC)[0]?.remainingLots).toBe(3);
  });

  test('counts no longer once the account is synced: the history up to there is booked', () => {
    const state = aState(
      {
        type: 'OrdersReplaced',
        orders: [aWorkingOrder('7', { remainingLots: lots(3) })],
        seq: seq(9),
        isComplete: true,
      },
      { type: 'AccountSynced', seq: seq(9) },
    );
    expect(longestLots(state.exposure(BTC))).toBe(3);
  });
});
