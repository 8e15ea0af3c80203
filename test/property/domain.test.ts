/** @module Laws of the account state over any history: order of arrival, exact profit, full attribution. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AccountState,
  CostBook,
  type Cursor,
  type Fact,
  type Fill,
  isTradeEntry,
  type LedgerEntry,
  lots,
  notionalOf,
  type OrderId,
  type OrderSpec,
  quantums,
  type StrategyId,
  ticks,
  totalOf,
} from '../../src/domain/index.ts';
import {
  accepted,
  aFill,
  aMarket,
  aSpec,
  BTC,
  resolved,
  sent,
  seq,
  sideOf,
} from '../support/trading-builders.ts';

const execution = fc.record({
  isBuy: fc.boolean(),
  priceTicks: fc.integer({ min: 1, max: 4_000_000 }),
  sizeLots: fc.integer({ min: 1, max: 1_000_000 }),
});

describe('average cost', () => {
  test('realized + unrealized is value minus net notional paid, digit-exact, for any history and price (I3)', () => {
    fc.assert(
      fc.property(
        fc.array(execution, { maxLength: 40 }),
        fc.integer({ min: 1, max: 4_000_000 }),
        (runs, mark) => {
          const book = new CostBook();
          let paid = 0n;
          for (const { isBuy, priceTicks, sizeLots } of runs) {
            book.apply(
              {
                side: sideOf(isBuy),
                priceTicks: ticks(priceTicks),
                sizeLots: lots(sizeLots),
              },
              100n,
            );
            paid += BigInt(isBuy ? 1 : -1) * BigInt(priceTicks) * BigInt(sizeLots) * 100n;
          }
          const value = book.valueAt(ticks(mark));
          expect(book.realized + book.unrealizedAt(ticks(mark))).toBe(value - paid);
        },
      ),
    );
  });

  test('what was taken over is explained to the last unit by executions that come to light later, in any order', () => {
    const held = fc.record({ execution, isHidden: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(held, { minLength: 1, maxLength: 12 }),
        fc.array(execution, { maxLength: 8 }),
        fc.func(fc.nat()),
        (before, after, order) => {
          const [full, book] = [new CostBook(), new CostBook()];
          const add = (to: CostBook, by: 'apply' | 'explain', run: (typeof after)[number]): void => {
            const { isBuy, priceTicks, sizeLots } = run;
            to[by]({ side: sideOf(isBuy), priceTicks: ticks(priceTicks), sizeLots: lots(sizeLots) }, 100n);
          };
          for (const one of before) {
            add(full, 'apply', one.execution);
            if (!one.isHidden) add(book, 'apply', one.execution);
          }
          const missingLots = lots(full.sizeLots - book.sizeLots);
          fc.pre(missingLots !== 0);
          book.adopt(missingLots, quantums(full.cost - book.cost), 100n);
          const late = before
            .filter(({ isHidden }) => isHidden)
            .map((one) => ({ ...one, at: order(one.execution) }))
            .toSorted((a, b) => a.at - b.at);
          for (const run of after) {
            add(full, 'apply', run);
            add(book, 'apply', run);
            const next = late.shift();
            if (next !== undefined) add(book, 'explain', next.execution);
          }
          for (const one of late) add(book, 'explain', one.execution);
          const shown = ({ sizeLots, cost, realized }: CostBook) => ({ sizeLots, cost, realized });
          expect(shown(book)).toEqual(shown(full));
        },
      ),
    );
  });

  test('a flat position has no cost left', () => {
    fc.assert(
      fc.property(fc.array(execution, { minLength: 1, maxLength: 20 }), (runs) => {
        const book = new CostBook();
        for (const { isBuy, priceTicks, sizeLots } of runs)
          book.apply(
            {
              side: sideOf(isBuy),
              priceTicks: ticks(priceTicks),
              sizeLots: lots(sizeLots),
            },
            1n,
          );
        if (book.sizeLots !== 0)
          book.apply(
            {
              side: sideOf(book.sizeLots < 0),
              priceTicks: ticks(7),
              sizeLots: lots(Math.abs(book.sizeLots)),
            },
            1n,
          );
        expect(book.cost).toBe(0n);
      }),
    );
  });
});

/** A history of orders of two strategies: what the exchange would say of it, in one order. */
const orderPlan = fc.record({
  isBuy: fc.boolean(),
  strategy: fc.constantFrom('a', 'b'),
  priceTicks: fc.integer({ min: 900_000, max: 1_100_000 }),
  fills: fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 4 }),
  restLots: fc.integer({ min: 0, max: 20 }),
  isCanceled: fc.boolean(),
});

interface History {
  readonly sends: readonly Fact[];
  readonly facts: readonly Fact[];
  readonly fills: readonly Fill[];
}

function historyOf(plans: readonly (typeof orderPlan extends fc.Arbitrary<infer T> ? T : never)[]): History {
  const sends: Fact[] = [];
  const facts: Fact[] = [];
  const fills: Fill[] = [];
  for (const [index, plan] of plans.entries()) {
    const filled = plan.fills.reduce((sum, size) => sum + size, 0);
    const sizeLots = filled + plan.restLots;
    if (sizeLots === 0) continue;
    const side = sideOf(plan.isBuy);
    const { priceTicks } = plan;
    const strategyId = plan.strategy as StrategyId;
    const spec: OrderSpec = aSpec({ side, priceTicks, sizeLots, strategyId });
    const orderId = `${1000 + index}`;
    sends.push(sent(`r${index}`, [spec]));
    facts.push(accepted(spec, orderId), resolved(`r${index}`, 'executed', { seq: 10 * index }));
    for (const [part, size] of plan.fills.entries()) {
      const fill = aFill({ id: `${index}-${part}-0` as Cursor, orderId, side, priceTicks, sizeLots: size });
      fills.push({ ...fill, fee: quantums(BigInt(size)) });
      facts.push({ type: 'FillRecorded', fill: { ...fill, fee: quantums(BigInt(size)) } });
    }
    if (plan.isCanceled || plan.restLots === 0)
      facts.push({
        type: 'OrderEnded',
        ref: { symbol: BTC, orderId: orderId as OrderId },
        status: plan.restLots === 0 ? 'filled' : 'canceled',
        seq: seq(10 * index + 5),
        proof: { by: 'stream', id: `${index}` },
      });
  }
  return { sends, facts, fills };
}

function stateAfter(facts: readonly Fact[]): AccountState {
  const state = new AccountState();
  state.fold({ type: 'MarketChanged', market: aMarket() });
  for (const fact of facts) state.fold(fact);
  return state;
}

function pictureOf(state: AccountState): unknown {
  const mark = () => ticks(1_000_000);
  for (const owner of [undefined, ...state.strategyIds()])
    for (const markOf of [mark, () => undefined])
      expect(BigInt(state.pnlTotal(markOf, owner))).toBe(totalOf(state.pnl(markOf, owner)));
  return {
    working: [...state.workingOrders(BTC)].sort((a, b) => Number(a.orderId) - Number(b.orderId)),
    exposure: state.exposure(BTC),
    position: state.positionLots(BTC),
    byStrategy: ['a', 'b'].map((id) => state.positionLots(BTC, id as StrategyId)),
    fees: state.pnl(mark).fees,
  };
}

describe('the account state', () => {
  test('comes to the same orders, exposure and positions in whatever order facts arrive (O82, O120)', () => {
    fc.assert(
      fc.property(fc.array(orderPlan, { maxLength: 8 }), fc.infiniteStream(fc.nat()), (plans, chance) => {
        const { sends, facts } = historyOf(plans);
        const shuffled = facts
          .map((fact) => ({ fact, key: chance.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ fact }) => fact)
          .filter((fact) => fact.type !== 'WriteResolved');
        const closing = facts.filter((fact) => fact.type === 'WriteResolved');
        const inOrder = stateAfter([...sends, ...facts]);
        const outOfOrder = stateAfter([...sends, ...shuffled, ...closing]);
        expect(pictureOf(outOfOrder)).toEqual(pictureOf(inOrder));
      }),
    );
  });

  test('positions and profit of all strategies add up to the account after every history', () => {
    fc.assert(
      fc.property(fc.array(orderPlan, { maxLength: 10 }), (plans) => {
        const { sends, facts } = historyOf(plans);
        const state = stateAfter([...sends, ...facts]);
        const mark = () => ticks(1_000_000);
        const parts = [...state.strategyIds()];
        const lotsSum = parts.reduce((sum, id) => sum + state.positionLots(BTC, id), 0);
        const total = parts.reduce((sum, id) => sum + totalOf(state.pnl(mark, id)), 0n);
        expect(lotsSum).toBe(state.positionLots(BTC));
        expect(total).toBe(totalOf(state.pnl(mark)));
      }),
    );
  });

  test('equity by the ledger equals equity by profit and loss, fees and funding included (I3)', () => {
    fc.assert(
      fc.property(
        fc.array(orderPlan, { maxLength: 8 }),
        fc.array(fc.bigInt({ min: -1_000_000n, max: 1_000_000n }), { maxLength: 4 }),
        (plans, fundings) => {
          const { sends, facts, fills } = historyOf(plans);
          const state = stateAfter([...sends, ...facts]);
          const enter = (id: string, kind: string, amount: bigint, orderId: Fill['orderId'] | null) => {
            const entry: LedgerEntry = {
              id: id as Cursor,
              kind,
              amount: quantums(amount),
              symbol: BTC,
              orderId,
              atMs: null,
            };
            state.fold({ type: 'LedgerRecorded', entry });
            return isTradeEntry(entry);
          };
          for (const fill of fills) {
            const cash = notionalOf(aMarket(), fill.priceTicks, fill.sizeLots);
            enter(`1-${fill.id}`, 'trade', fill.side === 'buy' ? -cash : cash, fill.orderId);
            enter(`2-${fill.id}`, 'taker_fee', -(fill.fee ?? 0n), fill.orderId);
          }
          for (const [index, amount] of fundings.entries()) enter(`3-${index}-0`, 'funding', amount, null);
          const mark = ticks(1_000_000);
          const value = state.inventory(BTC)?.position.valueAt(mark) ?? 0n;
          expect(state.ledgerSum + value).toBe(totalOf(state.pnl(() => mark)));
        },
      ),
    );
  });
});
