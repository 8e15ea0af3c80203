/**
 * Symptom: a market was halted, the cancel of its orders was refused, and nobody asked for it again: they rested for as
 * long as the halt lasted, or until they were filled.
 */
import { expect, test } from 'vitest';
import type { TradingScope } from '../../src/bot/risk/index.ts';
import { must } from '../../src/core/index.ts';
import { lots, type MarketSymbol, type OrderId, ticks } from '../../src/domain/index.ts';
import { aRig, setupOf, strategyOf } from '../support/bot-rig.ts';
import { BTC, ETH, MAKER, proof } from '../support/trading-builders.ts';

/** Longer than the guard's period. */
const LOOK_MS = 600;
const SCOPES: readonly TradingScope[] = [
  { kind: 'account' },
  { kind: 'market', symbol: BTC },
  { kind: 'strategy', strategyId: MAKER },
];

const LEVEL = { priceTicks: ticks(999_980), sizeLots: lots(10) } as const;

/** A maker with a bid in both markets; what is canceled from here on is taken and not carried out. */
function aMaker() {
  const maker = strategyOf((context) => ({
    onBook: ({ symbol }) => context.quote(symbol, { bids: [LEVEL], asks: [] }),
    onTimer: () =>
      void context.place({
        ...{ symbol: BTC, side: 'sell', priceTicks: ticks(1_000_020), sizeLots: lots(10) },
        ...{ timeInForce: 'gtc', reduceOnly: true },
      }),
  }));
  const rig = aRig([setupOf(maker)]);
  for (const symbol of [BTC, ETH]) rig.book(999_990, 1_000_010, symbol);
  const orderOf = (symbol: MarketSymbol): OrderId =>
    must(rig.bot.account.workingOrders(symbol)[0], 'a working order').orderId;
  const cancelsOf = (orderId: OrderId) =>
    rig.venue.safety.filter(
      (one) => one.kind === 'cancel' && one.orders.some((ref) => ref.orderId === orderId),
    );
  return { rig, orderOf, cancelsOf };
}

test.each(SCOPES)(
  'orders of a halted $kind are canceled again when their cancel is refused (I23)',
  (scope) => {
    const { rig, orderOf, cancelsOf } = aMaker();
    const orderId = orderOf(BTC);
    rig.venue.isInstant = false;
    rig.bot.setTrading(scope, 'halted', { actor: 'test', reason: 'enough' });
    rig.clock.advance(LOOK_MS);
    expect(cancelsOf(orderId)).toHaveLength(1);
    rig.feed({ type: 'CancelRejected', ref: { symbol: BTC, orderId }, reason: 'Refused', proof: proof() });
    rig.clock.advance(LOOK_MS);
    expect(cancelsOf(orderId)).toHaveLength(2);
    rig.clock.advance(LOOK_MS);
    expect(cancelsOf(orderId)).toHaveLength(2);
  },
);

test('orders of a market that is not halted stay', () => {
  const { rig, orderOf, cancelsOf } = aMaker();
  const orderId = orderOf(ETH);
  rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'halted', { actor: 'test', reason: 'enough' });
  rig.clock.advance(LOOK_MS);
  expect(cancelsOf(orderId)).toHaveLength(0);
});

test('an order that reduces the position of a halted market stays', () => {
  const { rig, orderOf, cancelsOf } = aMaker();
  rig.fill(orderOf(BTC));
  rig.bot.setTrading({ kind: 'market', symbol: BTC }, 'halted', { actor: 'test', reason: 'enough' });
  rig.feed({ type: 'TimerFired', intentOwner: MAKER, name: 'close', atMs: rig.clock.nowMs() });
  const closing = must(rig.bot.account.workingOrders(BTC)[0], 'the closing order');
  rig.clock.advance(LOOK_MS);
  expect(closing.reduceOnly).toBe(true);
  expect(cancelsOf(closing.orderId)).toEqual([]);
});
