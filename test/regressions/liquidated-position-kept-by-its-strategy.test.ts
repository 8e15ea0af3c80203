/**
 * Symptom: the exchange closed a position of the bot's account by force. Its fills are of an order that nobody placed, so they
 * were nobody's: the strategy went on holding lots that were gone and sold them a second time, the account was short, and the
 * end of the run was not proven.
 */
import { describe, expect, test } from 'vitest';
import {
  AccountState,
  type Cursor,
  type Fact,
  type LedgerEntry,
  quantums,
  type StrategyId,
  splitByHolding,
} from '../../src/domain/index.ts';
import { accepted, aFill, aMarket, aSpec, BTC, resolved, sent, seq } from '../support/trading-builders.ts';

const A = 'a' as StrategyId;
const B = 'b' as StrategyId;

function entry(kind: string, id: string): LedgerEntry {
  return { id: id as Cursor, kind, amount: quantums(-7n), symbol: BTC, orderId: null, atMs: null };
}

/** Two strategies hold 20 and 10 lots; then come `facts`. */
function holding(facts: readonly Fact[]): AccountState {
  const state = new AccountState();
  const all: Fact[] = [
    { type: 'MarketChanged', market: aMarket() },
    { type: 'AccountSynced', seq: seq(1) },
  ];
  for (const [at, [strategyId, sizeLots]] of (
    [
      [A, 20],
      [B, 10],
    ] as const
  ).entries()) {
    const spec = aSpec({ strategyId, sizeLots, priceTicks: 1000, intentId: `i-${at}` as never });
    all.push(sent(`r${at}`, [spec]), accepted(spec, `o-${at}` as never));
    all.push(resolved(`r${at}`, 'executed', { seq: 9 }));
    const fill = aFill({ id: `1${at}-0-0` as Cursor, orderId: `o-${at}`, sizeLots, priceTicks: 1000 });
    all.push({ type: 'FillRecorded', fill });
  }
  for (const fact of [...all, ...facts]) state.fold(fact);
  return state;
}

const forced = (sizeLots: number): Fact => ({
  type: 'FillRecorded',
  fill: { ...aFill({ id: '20-0-1' as Cursor, orderId: 'forced', sizeLots, priceTicks: 900 }), side: 'sell' },
});
const paid: Fact = { type: 'LedgerRecorded', entry: entry('liquidation_fee', '20-0-4') };
const lotsOf = (state: AccountState) => [
  state.positionLots(BTC, A),
  state.positionLots(BTC, B),
  state.unownedLots(BTC),
];

describe('a fill by which the exchange closes a position', () => {
  test.each([
    { what: 'in part', sizeLots: 15, left: [10, 5, 0] },
    { what: 'in a part that does not divide', sizeLots: 16, left: [9, 5, 0] },
    { what: 'whole', sizeLots: 30, left: [0, 0, 0] },
  ])('is borne by those that hold it: $what', ({ sizeLots, left }) => {
    expect(lotsOf(holding([forced(sizeLots), paid]))).toEqual(left);
    expect(lotsOf(holding([paid, forced(sizeLots)]))).toEqual(left);
  });

  test('is nobody’s where no entry of the ledger says that it was by force', () => {
    expect(lotsOf(holding([forced(15)]))).toEqual([20, 10, -15]);
    const elsewhere: Fact = { type: 'LedgerRecorded', entry: entry('liquidation_fee', '21-0-4') };
    expect(lotsOf(holding([forced(15), elsewhere]))).toEqual([20, 10, -15]);
  });
});

test('what is split over holders adds up, and the other side bears nothing', () => {
  expect(splitByHolding(-7n, [0n, 2n, 2n, -1n])).toEqual([0n, -4n, -3n, 0n]);
  expect(splitByHolding(10n, [-3n, -3n, -4n])).toEqual([3n, 3n, 4n]);
  expect(splitByHolding(10n, [3n, -3n])).toBeUndefined();
});
