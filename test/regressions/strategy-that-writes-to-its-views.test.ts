/**
 * Symptom: a strategy that wrote into a book, an order or a fill changed what the run and other strategies saw, and nothing
 * said so.
 */
import { describe, expect, test } from 'vitest';
import type { MarketView, StrategyContext, StrategyHandlers } from '../../src/bot/strategy/index.ts';
import { deepFrozen, frozenCopy, type UnixMs } from '../../src/core/index.ts';
import type { AccountSummary, LedgerEntry } from '../../src/domain/index.ts';
import { aRig, setupOf, strategyOf } from '../support/bot-rig.ts';
import { aFill, BTC, usd } from '../support/trading-builders.ts';

/** What the engine says of a write to what is frozen. */
const REFUSED = /threw: .*(?:read.only|not extensible|only a getter|Cannot (?:delete|assign|define))/;

/** `value` as what may be written to. */
const open = (value: unknown) => value as Record<string | number, unknown>;

function failureOf(handlers: (context: StrategyContext) => StrategyHandlers, freezeViews: boolean) {
  const rig = aRig([setupOf(strategyOf(handlers), { freezeViews })]);
  rig.feed({
    type: 'CandleUpdated',
    isHistory: false,
    candle: {
      ...{ symbol: BTC, interval: '1m', startAtMs: 0 as UnixMs, tradeCount: 1 },
      ...{ openTicks: 1, highTicks: 1, lowTicks: 1, closeTicks: 1, volumeLots: 1 },
    } as never,
  });
  rig.book(999_990, 1_000_010);
  return { rig, status: rig.bot.status().strategies[0] };
}

/** Writes of a handler of books into what its view shows. */
const WRITES: readonly (readonly [string, (view: MarketView, context: StrategyContext) => void])[] = [
  ['the book of its view', (view) => Object.assign(open(view.book)['bidTicks'] as object, { 0: 1 })],
  ['the sizes of its book', (view) => (open(view.book)['askLots'] as number[]).fill(7)],
  ['a field of its book', (view) => Object.assign(open(view.book), { bidCount: 0 })],
  ['the list of candles', (view) => (view.candles('1m') as unknown[]).pop()],
  ['a candle', (view) => Object.assign(open(view.candles('1m')[0]), { closeTicks: 5 })],
  ['the view', (view) => Object.assign(view, { isFresh: true })],
];

describe('under freezeViews a strategy fails at the line that writes to', () => {
  test.each(WRITES)('%s', (_what, write) => {
    const seen: number[] = [];
    const { status } = failureOf(
      (context) => ({
        onBook: (view) => {
          seen.push(view.bestBidTicks ?? 0);
          write(view, context);
        },
      }),
      true,
    );
    expect(seen).toEqual([999_990]);
    expect(status).toMatchObject({ state: 'failed', reason: expect.stringMatching(REFUSED) });
  });

  test('the book that its handler is given', () => {
    const { status } = failureOf(() => ({ onBook: (_view, book) => void book.bidTicks.fill(1) }), true);
    expect(status).toMatchObject({ state: 'failed', reason: expect.stringMatching(REFUSED) });
  });
});

describe('what is not too frequent is frozen always', () => {
  test.each([
    [
      'the list of its orders',
      (context: StrategyContext) => (context.market(BTC).orders as unknown[]).push({}),
    ],
    [
      'the definition of a market',
      (context: StrategyContext) => Object.assign(open(context.market(BTC).market), { tickStep: 5 }),
    ],
    ['its markets', (context: StrategyContext) => (context.symbols as unknown[]).push('ETH-USD')],
    ['its account', (context: StrategyContext) => Object.assign(open(context.account), { isSynced: true })],
  ])('%s', (_what, write) => {
    const { status } = failureOf((context) => ({ onBook: () => void write(context) }), false);
    expect(status).toMatchObject({ state: 'failed', reason: expect.stringMatching(REFUSED) });
  });

  test('an order, with its list', () => {
    const { rig } = failureOf(
      (context) => ({
        onBook: (view) =>
          context.quote(BTC, {
            bids: [{ priceTicks: view.bestBidTicks ?? 0, sizeLots: 10 }] as never,
            asks: [],
          }),
        onOrder: () => {
          const [order] = context.market(BTC).orders;
          if (order !== undefined) Object.assign(order, { remainingLots: 0 });
        },
      }),
      false,
    );
    expect(rig.bot.status().strategies[0]).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(REFUSED),
    });
    expect(rig.bot.account.workingOrders(BTC).every(({ remainingLots }) => remainingLots === 10)).toBe(true);
  });

  test('a fill, a ledger entry, balances', () => {
    const fill = aFill();
    const entry = { id: '1-0-0', kind: 'deposit', amount: usd(5), orderId: null } as unknown as LedgerEntry;
    const account = { equity: usd(5) } as unknown as AccountSummary;
    for (const given of [fill, entry, account]) expect(Object.isFrozen(deepFrozen({ ...given }))).toBe(true);
  });
});

test('a frozen copy holds what its owner goes on changing', () => {
  const owner = { levels: new Float64Array([1, 2]), rows: [{ at: 1 }], big: 5n, none: undefined };
  const copy = frozenCopy(owner);
  owner.levels[0] = 9;
  (owner.rows[0] as { at: number }).at = 9;
  expect(copy).toEqual({ levels: [1, 2], rows: [{ at: 1 }], big: 5n, none: undefined });
  for (const part of [copy, copy.levels, copy.rows, copy.rows[0]]) expect(Object.isFrozen(part)).toBe(true);
});
