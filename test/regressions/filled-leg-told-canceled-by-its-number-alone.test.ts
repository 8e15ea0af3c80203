/**
 * Symptom: the event that a stop-loss was placed was lost; the one that it was filled named its number alone, and was passed by since
 * no open order had that number. Its strategy kept a stop that was gone, canceled it, and was told by the next snapshot that it was
 * canceled (I30, seed 8190).
 */
import { describe, expect, test } from 'vitest';
import { AccountState, type Fact, type MarketSymbol, ticks } from '../../src/domain/index.ts';
import { decodeFrame } from '../../src/wire/protocol/index.ts';
import { OrderFacts } from '../../src/wire/stream/account/order-facts.ts';
import { takeChanges } from '../support/changes.ts';
import { accepted, aFill, aMarket, aSpec, resolved, sent, seq } from '../support/trading-builders.ts';
import { accountFrame, anOrder, MARKETS } from '../unit/wire/stream/scripted.ts';

const symbol = 'BTC-USD' as MarketSymbol;
const leg = aSpec({
  ...{ symbol, side: 'sell', timeInForce: 'gtc', reduceOnly: true },
  trigger: { priceTicks: ticks(999_900), isAbove: false, leg: 'stopLoss' },
});
const resting = aSpec({ symbol, side: 'sell', timeInForce: 'gtc' });

/** An account that is followed from 9 on, by frames of the channel of orders and by other facts. */
function followed() {
  const state = new AccountState();
  const orders = new OrderFacts((fact) => state.fold(fact));
  state.fold({ type: 'MarketChanged', market: aMarket({ symbol }) });
  orders.replace([], seq(9));
  state.fold({ type: 'AccountSynced', seq: seq(9), epoch: 'k1' });
  return {
    state,
    orders,
    hear(at: number, data: object): void {
      const text = JSON.stringify(accountFrame('orders', at, data, { isSnapshot: false }));
      const decoded = decodeFrame(text, MARKETS, { book: () => undefined });
      if (!decoded.ok || decoded.value.channel !== 'orders' || decoded.value.isSnapshot)
        throw new Error(`expected an event of an order: ${text}`);
      for (const one of decoded.value.orders) orders.apply(one, seq(at));
    },
    /** The last word of what became of the order. */
    told: () => takeChanges(state).flatMap((one) => (one.type === 'OrderChanged' ? [one.status] : [])),
  };
}

const answer = (spec = leg, at = 10): readonly Fact[] => [
  accepted(spec, '7', { isResting: spec !== leg, seq: at }),
  resolved('r1', 'executed', { seq: at }),
];
const filledBy: Fact = {
  type: 'FillRecorded',
  fill: aFill({ symbol, orderId: '7', side: 'sell', sizeLots: leg.sizeLots }),
};

describe('an order that the stream never showed, and whose end names its number alone', () => {
  test.each([
    ['filled', leg],
    ['canceled', leg],
    ['expired', resting],
  ])('has ended at once where its answer has come: %s', (status, spec) => {
    const { state, hear, told } = followed();
    for (const fact of [sent('r1', [spec]), ...answer(spec)]) state.fold(fact);
    hear(11, { orderId: '7', status });
    expect(told()).toEqual(['working', status]);
    expect(state.workingOrders(symbol)).toEqual([]);
  });

  test('stays filled when a snapshot shows it no more', () => {
    const { state, orders, hear, told } = followed();
    for (const fact of [sent('r1', [leg]), ...answer()]) state.fold(fact);
    hear(11, { orderId: '7', status: 'filled' });
    state.fold(filledBy);
    orders.replace([], seq(12));
    expect(told()).toEqual(['working', 'filled']);
  });

  test.each([
    ['alone', []],
    ['with its fill', [filledBy]],
  ])('is told as filled once its answer comes later: %s', (_with, between) => {
    const { state, orders, hear, told } = followed();
    state.fold(sent('r1', [leg]));
    hear(11, { orderId: '7', status: 'filled' });
    for (const fact of [...between, ...answer()]) state.fold(fact);
    orders.replace([], seq(12));
    expect(told().at(-1)).toBe('filled');
    expect(state.workingOrders(symbol)).toEqual([]);
  });

  test('is not brought back by a list of before', () => {
    const { state, orders, hear, told } = followed();
    state.fold(sent('r1', [resting]));
    hear(12, { orderId: '7', status: 'filled' });
    const shown = accountFrame(
      'orders',
      11,
      { orders: [anOrder('7', { side: 'sell' })] },
      { isSnapshot: true },
    );
    const decoded = decodeFrame(JSON.stringify(shown), MARKETS, { book: () => undefined });
    if (!decoded.ok || decoded.value.channel !== 'orders' || !decoded.value.isSnapshot)
      throw new Error('expected a list of orders');
    orders.replace(decoded.value.orders, seq(11));
    for (const fact of answer(resting)) state.fold(fact);
    expect(told().at(-1)).toBe('filled');
    expect(state.workingOrders(symbol)).toEqual([]);
  });

  test.each([
    ['that had its number before it was placed (A10)', 'r1', 12],
    ['of the ledger before', 'k2', 10],
  ])('is not one %s', (_which, ledger, at) => {
    const { state, orders, hear, told } = followed();
    state.fold(sent('r1', [resting]));
    hear(11, { orderId: '7', status: 'canceled' });
    if (ledger === 'k2') {
      orders.clear();
      state.fold({ type: 'EpochChanged', epoch: ledger, seq: seq(1) });
    }
    for (const fact of answer(resting, at)) state.fold(fact);
    expect(told().at(-1)).toBe('working');
  });
});
