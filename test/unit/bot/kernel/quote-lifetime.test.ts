/** @module Orders with an end: quotes are renewed before it, one by one, and what a strategy states goes before the configuration. */
import { describe, expect, test } from 'vitest';
import { order, type QuoteOptions, type StrategyContext } from '../../../../src/bot/strategy/index.ts';
import type { OrderSpec } from '../../../../src/domain/index.ts';
import { aRig, keepArmed, type Rig, setupOf, strategyOf } from '../../../support/bot-rig.ts';
import { BTC, MAKER, START_MS } from '../../../support/trading-builders.ts';

const LIFETIME_MS = 8_000;
const BID = 99_990_0;
const ASK = 100_010_0;

function quoter(options: QuoteOptions | undefined, rig: Partial<Parameters<typeof setupOf>[1]> = {}): Rig {
  let isDone = false;
  const quoted = strategyOf((context) => ({
    onBook: () => {
      if (isDone) return;
      isDone = true;
      const level = (price: string) => ({ price, size: '0.01' });
      context.quote(BTC, { bids: [level('99990.0')], asks: [level('100010.0')] }, options);
    },
  }));
  const made = aRig([setupOf(quoted, rig)]);
  made.book(BID, ASK);
  return made;
}

const placesOf = ({ venue }: Rig): readonly OrderSpec[] =>
  venue.submitted.flatMap(({ command }) => (command.kind === 'setLeverage' ? [] : command.orders));

/** Lets time pass with the market alive; gives the fewest orders of a side that were there at any instant. */
function pass(rig: Rig, forMs: number): { readonly bids: number; readonly asks: number } {
  let [bids, asks] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let ms = 0; ms < forMs; ms += 50) {
    rig.clock.advance(50);
    keepArmed(rig);
    rig.book(BID, ASK);
    const orders = rig.bot.account.workingOrders(BTC, MAKER);
    bids = Math.min(bids, orders.filter(({ side }) => side === 'buy').length);
    asks = Math.min(asks, orders.filter(({ side }) => side === 'sell').length);
  }
  return { bids, asks };
}

describe('quotes with an end', () => {
  test('each is placed on its own, with the end that the configuration gives', () => {
    const rig = quoter(undefined, { orderLifetimeMs: LIFETIME_MS });
    expect(rig.venue.submitted.map(({ command }) => command.kind)).toEqual(['place', 'place']);
    expect(placesOf(rig).map(({ side }) => side)).toEqual(['buy', 'sell']);
    for (const { expiresAtMs } of placesOf(rig)) expect(expiresAtMs).toBe(START_MS + LIFETIME_MS);
  });

  test('what the strategy states goes before the configuration, also that there is none', () => {
    const own = quoter({ expiresInMs: 4_000 }, { orderLifetimeMs: LIFETIME_MS });
    expect(placesOf(own)[0]?.expiresAtMs).toBe(START_MS + 4_000);
    const none = quoter({ expiresInMs: 'none' }, { orderLifetimeMs: LIFETIME_MS });
    expect(placesOf(none).map(({ expiresAtMs }) => expiresAtMs)).toEqual([0, 0]);
    expect(none.venue.submitted).toHaveLength(1);
  });

  test('they are renewed before they end, without an instant in which a side has no order', () => {
    const rig = quoter(undefined, { orderLifetimeMs: LIFETIME_MS });
    expect(pass(rig, 5 * LIFETIME_MS)).toEqual({ bids: 1, asks: 1 });
    const bids = placesOf(rig).filter(({ side }) => side === 'buy');
    expect(bids.length).toBeGreaterThan(5);
    for (const [at, { expiresAtMs }] of bids.entries()) {
      const next = bids[at + 1];
      // The successor is there before its predecessor has ended.
      if (next !== undefined) expect(next.expiresAtMs - LIFETIME_MS).toBeLessThan(expiresAtMs);
    }
    expect(rig.bot.account.workingOrders(BTC, MAKER)).toHaveLength(2);
  });

  test('a successor without room beside its predecessor takes its place instead', () => {
    const quoted = strategyOf((context) => ({
      onStart: () =>
        context.quote(BTC, { bids: [{ price: '99990.0', size: '0.01' }], asks: [] }, { expiresInMs: 4_000 }),
    }));
    const rig = aRig([setupOf(quoted)], { limits: { openOrdersMax: 1 } });
    rig.book(BID, ASK);
    expect(placesOf(rig)).toHaveLength(1);
    pass(rig, 12_000);
    expect(placesOf(rig).length).toBeGreaterThan(2);
    expect(rig.bot.account.workingOrders(BTC, MAKER)).toHaveLength(1);
  });

  test('a life that is too short is denied by name', () => {
    const codes: string[] = [];
    const short = strategyOf((context) => ({
      onStart: () =>
        context.quote(BTC, { bids: [{ price: '99990.0', size: '0.01' }], asks: [] }, { expiresInMs: 1_999 }),
      onDenied: ({ code, message }) => void codes.push(`${code}: ${message}`),
    }));
    aRig(short);
    expect(codes).toEqual([
      'INTENT_MALFORMED: expected quotes that live for 2000 ms at least, or `none` for no end, got something else',
    ]);
  });
});

describe('single orders', () => {
  const placed = (draft: (context: StrategyContext) => unknown): OrderSpec | undefined => {
    const strategy = strategyOf((context) => ({ onStart: () => void draft(context) }));
    return placesOf(aRig([setupOf(strategy, { orderLifetimeMs: LIFETIME_MS })]))[0];
  };
  const level = { symbol: BTC, side: 'buy', price: '99990.0', size: '0.01' } as const;

  test('what may rest gets the end of the configuration, unless the strategy states another or none', () => {
    expect(placed((context) => context.place(order.postOnly(level)))?.expiresAtMs).toBe(
      START_MS + LIFETIME_MS,
    );
    expect(
      placed((context) => context.place(order.postOnly({ ...level, expiresInMs: 900 })))?.expiresAtMs,
    ).toBe(START_MS + 900);
    expect(
      placed((context) => context.place(order.postOnly({ ...level, expiresInMs: 'none' })))?.expiresAtMs,
    ).toBe(0);
  });

  test('an order that ends by its lifetime has ended as expired', () => {
    const states: string[] = [];
    const strategy = strategyOf((context) => ({
      onStart: () => void context.place(order.postOnly(level)),
      onOrder: ({ status }) => void states.push(status),
    }));
    const rig = aRig([setupOf(strategy, { orderLifetimeMs: LIFETIME_MS })]);
    const [open] = rig.bot.account.workingOrders(BTC, MAKER);
    if (open === undefined) throw new Error('expected an order');
    const proof = { by: 'stream', id: '9' } as const;
    rig.feed({ type: 'OrderEnded', ref: open, status: 'expired', seq: 9n as never, proof });
    expect(states).toEqual(['working', 'expired']);
  });
});
