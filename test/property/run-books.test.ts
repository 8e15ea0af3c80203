/** @module Books of a run under any history: three strategies on one market, strangers' fills, fees, rebates, funding, transfers. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AccountState,
  type Cursor,
  type Fact,
  type IntentId,
  MarketState,
  type OrderId,
  quantums,
  type RunPnl,
  type StrategyId,
  totalOf,
} from '../../src/domain/index.ts';
import { RunBooks } from '../../src/report/collect/run-books.ts';
import { takeChanges } from '../support/changes.ts';
import { aFill, aMarket, BTC, START_MS, seq, somePrices } from '../support/trading-builders.ts';

const STRATEGIES = ['a', 'b', 'c'].map((id) => id as StrategyId);
/** Orders 0 to 2 are of the strategies, 3 is nobody's. */
const OWNERS = STRATEGIES.map((strategyId, at) => ({
  orderId: `${at}` as OrderId,
  strategyId,
  intentId: `intent-${at}` as IntentId,
}));

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('fill' as const),
      order: fc.integer({ min: 0, max: 3 }),
      isBuy: fc.boolean(),
      price: fc.integer({ min: 900_000, max: 1_100_000 }),
      size: fc.integer({ min: 1, max: 50 }),
      fee: fc.bigInt({ min: -500n, max: 2_000n }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('funding' as const),
      amount: fc.bigInt({ min: -9_999n, max: 9_999n }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      name: fc.constantFrom('deposit', 'withdrawal', 'send_asset', 'insurance'),
      amount: fc.bigInt({ min: -5_000_000n, max: 5_000_000n }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('mark' as const),
      price: fc.integer({ min: 900_000, max: 1_100_000 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

class World {
  readonly account = new AccountState();
  readonly markets = new MarketState();
  readonly books = new RunBooks({
    account: this.account,
    markets: this.markets,
    strategies: STRATEGIES,
    symbols: [BTC],
  });
  #count = 0;

  constructor() {
    const market = { type: 'MarketChanged', market: aMarket() } as const;
    this.account.fold(market);
    this.markets.fold(market);
    this.account.recallOwners(OWNERS);
    this.account.fold({ type: 'AccountSynced', seq: seq(1), epoch: 'k1' });
  }

  take(one: Step): void {
    const { account, markets } = this;
    if (one.kind === 'mark') {
      markets.fold({ type: 'PricesUpdated', prices: somePrices(one.price) });
    } else if (one.kind === 'funding') this.#entry('funding', one.amount);
    else if (one.kind === 'transfer') this.#entry(one.name, one.amount);
    else {
      const side = one.isBuy ? 'buy' : 'sell';
      const cash = BigInt(one.price) * BigInt(one.size) * 100n * (one.isBuy ? -1n : 1n);
      const fill = aFill({
        ...{ id: this.#id(), orderId: `${one.order}`, side, priceTicks: one.price, sizeLots: one.size },
        fee: quantums(one.fee),
      });
      account.fold({ type: 'FillRecorded', fill });
      this.#entry('trade', cash);
      this.#entry(one.fee < 0n ? 'maker_rebate' : 'taker_fee', -one.fee);
    }
    takeChanges(account);
  }

  beginEpoch(epoch: string): void {
    this.books.leaveEpoch();
    this.account.fold({ type: 'EpochChanged', epoch });
    this.account.recallOwners(OWNERS);
    this.account.fold({ type: 'PositionsReplaced', positions: [], seq: seq(2) });
    this.account.fold({ type: 'AccountSynced', seq: seq(2), epoch });
    this.books.enterEpoch();
  }

  #id(): Cursor {
    return `${++this.#count + 2}-0-0` as Cursor;
  }

  #entry(kind: string, amount: bigint): void {
    const entry = {
      id: this.#id(),
      kind,
      amount: quantums(amount),
      symbol: BTC,
      orderId: null,
      atMs: START_MS,
    };
    this.account.fold({ type: 'LedgerRecorded', entry } satisfies Fact);
  }
}

/** What must hold at any moment. */
function check({ account, books }: World): void {
  const totals = books.totals();
  expect(totals.residual).toBe(0n);
  const profit = totalOf(totals.pnl);
  expect(totals.equityEnd - totals.equityStart - totals.transfers).toBe(profit);
  expect(books.equity()).toBe(totals.equityStart + profit);
  const sum = (of: (row: RunPnl) => bigint) => totals.byStrategy.reduce((all, row) => all + of(row), 0n);
  for (const field of ['realized', 'unrealized', 'fees', 'funding'] as const)
    expect(sum((row) => row[field])).toBe(totals.pnl[field]);
  expect(sum((row) => BigInt(row.finalLots))).toBe(BigInt(account.positionLots(BTC)));
}

const history = fc.array(step, { maxLength: 40 });

test('the residual is 0 and strategies add up to the account after every step, whatever came before (I3)', () => {
  fc.assert(
    fc.property(history, history, (before, after) => {
      const world = new World();
      for (const one of before) world.take(one);
      world.books.begin();
      for (const one of after) {
        world.take(one);
        check(world);
      }
    }),
    { seed: 7, numRuns: 60 },
  );
});

test('what a ledger that is gone has shown is kept, and a new one goes on from there', () => {
  fc.assert(
    fc.property(history, history, (before, after) => {
      const world = new World();
      world.books.begin();
      for (const one of before) world.take(one);
      const { pnl, transfers } = world.books.totals();
      world.beginEpoch('k2');
      expect(world.books.totals()).toMatchObject({ pnl, transfers, residual: 0n });
      for (const one of after) world.take(one);
      expect(world.books.totals().residual).toBe(0n);
    }),
    { seed: 8, numRuns: 40 },
  );
});
