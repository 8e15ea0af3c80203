import { expect, test } from 'vitest';
import { prove } from '../../src/bot/live/proof/proof.ts';
import { type Cursor, type LedgerEntry, lots, quantums } from '../../src/domain/index.ts';

function deposited(amount: string): LedgerEntry {
  return {
    id: '7-0-0' as Cursor,
    kind: 'deposit',
    amount: quantums(0n),
    otherToken: { token: 1, amount },
    symbol: null,
    orderId: null,
    atMs: null,
  };
}

function differencesOf(own: LedgerEntry, shown: LedgerEntry): readonly string[] {
  return prove({
    snapshot: {
      epoch: 'e',
      openOrders: 0,
      fills: [],
      ledger: [shown],
      positions: [],
      account: undefined,
    },
    baseline: { fills: undefined, ledger: undefined, equity: quantums(0n) },
    books: { fills: [], ledger: [own], openOrders: 0, positionLots: () => lots(0) },
    markets: new Map(),
    symbols: [],
    collateralDecimals: 6,
  }).differences;
}

test('a ledger entry of another token with another amount is a difference of the books', () => {
  const entry = deposited('0.250000000000000000');
  const reordered = { ...entry, otherToken: { amount: '0.250000000000000000', token: 1 } };
  expect(differencesOf(entry, reordered)).toEqual([]);
  expect(differencesOf(deposited('0.300000000000000000'), entry)).toEqual([
    'ledger entry 7-0-0: the contents differ',
  ]);
});
