/**
 * @module
 * A replacement cancels first: when the new order is refused, the old one is gone with its place. This was written nowhere.
 * Each refusal of docs/reference/exchange.md is met here at the engine, by a replace and by a modify.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type CanonicalOrder, quantums, ticks } from '../../src/domain/index.ts';
import { aMarket, anOrder, Desk, type OrderTerms } from '../unit/exchange/engine/desk.ts';

const PAGE = readFileSync('docs/reference/exchange.md', 'utf8');
const OLD = { price: 90, size: 10 };

interface Scene {
  /** What is true when the replacement arrives; gives its terms. */
  readonly next: (desk: Desk, account: number) => CanonicalOrder;
  /** Orders that are placed for the one that is canceled. Default 1. */
  readonly count?: number;
  readonly goodTilMs?: number;
  /** Only what one of the two commands can say. */
  readonly only?: 'replace' | 'modify';
}

const buy = (price: number, size: number, terms?: OrderTerms) => anOrder('buy', price, size, terms);

/** Someone else's order at 100. */
function ask(desk: Desk, size: number): void {
  desk.mustPlace(desk.trader(), 'sell', 100, size);
}

const SCENES: Readonly<Record<string, Scene>> = {
  PostOnlyWouldCross: {
    next: (desk) => {
      ask(desk, 1);
      return buy(100, 10, { tif: 'postOnly' });
    },
  },
  FokInsufficientLiquidity: {
    next: (desk) => {
      ask(desk, 1);
      return buy(100, 10, { tif: 'fok' });
    },
  },
  ReduceOnlyNoPosition: { next: () => buy(90, 10, { reduceOnly: true }) },
  ReduceOnlyWrongSide: {
    next: (desk, account) => {
      ask(desk, 1);
      desk.mustPlace(account, 'buy', 100, 1);
      return buy(90, 10, { reduceOnly: true });
    },
  },
  InsufficientMargin: { next: () => buy(90, 1_000_000_000) },
  EquityTierLimitExceeded: { next: () => buy(90, 10), count: 3, only: 'replace' },
  OrderNotAligned: { next: () => buy(91, 10) },
  BelowMinNotional: { next: () => buy(2, 1) },
  OrderTooLarge: { next: () => buy(100, Number.MAX_SAFE_INTEGER) },
  OrderExpired: { next: () => buy(90, 10), goodTilMs: 1, only: 'modify' },
  MarketNotTrading: {
    next: (desk) => {
      desk.venue.setMarketStatus(0, 'CancelOnly', desk.at);
      return buy(90, 10);
    },
  },
  UnknownMarket: { next: () => buy(90, 10, { market: 7 }), only: 'replace' },
};

function aDesk(): { desk: Desk; account: number; old: bigint } {
  const market = { ...aMarket({ tickStep: ticks(2), minNotional: quantums(5_000n) }) };
  const desk = new Desk({ markets: [{ market, indexTicks: ticks(100) }], openOrdersMax: 2 });
  const account = desk.trader();
  desk.block(1);
  return { desk, account, old: desk.mustPlace(account, 'buy', OLD.price, OLD.size) };
}

function replaced(command: 'replace' | 'modify', { next, count = 1, goodTilMs = 0 }: Scene) {
  const { desk, account, old } = aDesk();
  const order = next(desk, account);
  const orderId = { market: 0, orderSeq: old };
  const { items } =
    command === 'replace'
      ? desk.execute({
          kind: 'BatchReplace',
          ...{ account, nowMs: 0, cancels: [orderId], orders: Array.from({ length: count }, () => order) },
        })
      : desk.execute({ kind: 'ModifyOrder', account, orderId, ...order, goodTilMs, nowMs: 0 });
  const reasons = items.flatMap((item) => ('reason' in item && item.reason ? [item.reason] : []));
  return { reasons, isOldOpen: desk.venue.openOrder(0, old) !== undefined };
}

describe('a replacement whose new order is refused', () => {
  const rows = Object.entries(SCENES).flatMap(([reason, scene]) =>
    (['replace', 'modify'] as const)
      .filter((command) => scene.only === undefined || scene.only === command)
      .map((command) => ({ reason, command, scene })),
  );
  test.each(rows)('$reason: the old order is gone ($command)', ({ reason, command, scene }) => {
    expect(replaced(command, scene)).toEqual({ reasons: [reason], isOldOpen: false });
  });

  test('is on the page, each reason and no other', () => {
    const section = PAGE.split('### Refused replacements')[1]?.split('\nTwo refusals')[0] ?? '';
    const named = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
      [...(cell ?? '').matchAll(/`(\w+)`/g)].map(([, reason]) => reason),
    );
    expect(named.sort()).toEqual(Object.keys(SCENES).sort());
  });
});

describe('a replacement that keeps what was there', () => {
  test('UnknownOrder: a replace places on top of what was filled, a modify does not', () => {
    for (const [command, open] of [
      ['BatchReplace', 1],
      ['ModifyOrder', 0],
    ] as const) {
      const { desk, account, old } = aDesk();
      desk.mustPlace(desk.trader(), 'sell', OLD.price, OLD.size);
      expect(desk.lotsOf(account)).toBe(OLD.size);
      const orderId = { market: 0, orderSeq: old };
      const order = buy(90, 10);
      if (command === 'BatchReplace')
        desk.execute({ kind: command, account, nowMs: 0, cancels: [orderId], orders: [order] });
      else desk.execute({ kind: command, account, orderId, ...order, goodTilMs: 0, nowMs: 0 });
      expect(desk.venue.openOrders(account)).toHaveLength(open);
    }
  });

  test('BatchTooLarge: the old order rests as before', () => {
    const { desk, account, old } = aDesk();
    const cancels = Array.from({ length: 65_537 }, () => ({ market: 0, orderSeq: old }));
    const outcome = desk.execute({ kind: 'BatchReplace', account, nowMs: 0, cancels, orders: [] });
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'BatchTooLarge' });
    expect(desk.venue.openOrder(0, old)).toBeDefined();
  });
});
