import { describe, expect, test } from 'vitest';
import { isProven, type RunReport } from '../../../../../src/bot/live/index.ts';
import { type ProofParts, prove } from '../../../../../src/bot/live/proof/proof.ts';
import type { UnixMs } from '../../../../../src/core/index.ts';
import {
  type AccountSummary,
  type Cursor,
  type Fill,
  type LedgerEntry,
  lots,
  type MarketSymbol,
  type OrderId,
  ppm,
  type Quantums,
  quantums,
  ticks,
} from '../../../../../src/domain/index.ts';
import { aMarket } from '../../../../support/trading-builders.ts';

const BTC = 'BTC-USD' as MarketSymbol;
const market = aMarket({ symbol: BTC, sizeDecimals: 4, quantumsPerTickLot: 10n, minNotional: quantums(0n) });

function aFill(id: string, parts: Partial<Fill> = {}): Fill {
  return {
    id: id as Cursor,
    orderId: '1' as OrderId,
    symbol: BTC,
    side: 'buy',
    role: 'maker',
    priceTicks: ticks(1_000_000),
    sizeLots: lots(10),
    fee: quantums(-5n),
    atMs: 1 as UnixMs,
    ...parts,
  };
}

function anEntry(id: string, kind: string, amount: bigint): LedgerEntry {
  return { id: id as Cursor, kind, amount: quantums(amount), symbol: BTC, orderId: null, atMs: 1 as UnixMs };
}

function anAccount(collateral: bigint, equity: bigint): AccountSummary {
  const zero = 0n as Quantums;
  return {
    collateral: quantums(collateral),
    equity: quantums(equity),
    initialMargin: zero,
    maintenanceMargin: zero,
    withdrawable: zero,
    takerFeePpm: ppm(500),
    makerFeePpm: ppm(0),
  };
}

/** A run that began with a deposit of 1000 and bought 0.001 BTC at 100,000.0. */
function parts(
  changes: { snapshot?: Partial<ProofParts['snapshot']>; books?: Partial<ProofParts['books']> } = {},
): ProofParts {
  const fills = [aFill('9-0-1')];
  const ledger = [
    anEntry('9-0-2', 'trade', -100_000_000n),
    anEntry('9-0-3', 'maker_rebate', 5n),
    anEntry('10-0-0', 'funding', -7n),
  ];
  const deposit = anEntry('1-0-0', 'deposit', 1_000_000_000n);
  return {
    snapshot: {
      epoch: 'e',
      openOrders: 0,
      fills,
      ledger: [deposit, ...ledger],
      positions: [
        {
          symbol: BTC,
          sizeLots: lots(10),
          costBasis: quantums(100_000_000n),
          unrealizedPnl: quantums(0n),
          accruedFunding: quantums(0n),
        },
      ],
      account: anAccount(899_999_998n, 1_000_000_098n),
      ...changes.snapshot,
    },
    baseline: { fills: undefined, ledger: deposit.id, equity: quantums(1_000_000_000n) },
    books: { fills, ledger, openOrders: 0, positionLots: () => lots(10), ...changes.books },
    markets: new Map([[BTC, market]]),
    symbols: [BTC],
    collateralDecimals: 6,
  };
}

describe('prove', () => {
  test('takes all figures from the exchange', () => {
    expect(prove(parts())).toEqual({
      openOrders: 0,
      reconciled: true,
      differences: [],
      ledgerResidual: '0',
      fills: 1,
      buyFills: 1,
      sellFills: 0,
      makerFills: 1,
      volume: '100',
      feesPaid: '-0.000005',
      fundingPaid: '0.000007',
      pnl: '0.000098',
      position: { 'BTC-USD': '0.001' },
    });
  });

  test.each([
    ['a fill the bot lost', { books: { fills: [] } }, 'fill 9-0-1: the bot does not have it'],
    [
      'a fill the bot has twice',
      { books: { fills: [aFill('9-0-1'), aFill('9-0-1')] } },
      'fill 9-0-1: the bot has it twice',
    ],
    [
      'a fill the bot made up',
      { books: { fills: [aFill('9-0-1'), aFill('9-0-9')] } },
      'fill 9-0-9: the exchange does not have it',
    ],
    [
      'a fill of another size',
      { books: { fills: [aFill('9-0-1', { sizeLots: lots(11) })] } },
      'fill 9-0-1: the contents differ',
    ],
    [
      'a fee that was not known',
      { books: { fills: [aFill('9-0-1', { fee: null })] } },
      'fill 9-0-1: the contents differ',
    ],
    [
      'a position that differs',
      { books: { positionLots: () => lots(0) } },
      'position BTC-USD: the exchange has 10 lots, the bot 0',
    ],
    [
      'an order the bot forgot',
      { snapshot: { openOrders: 1 } },
      'open orders: the exchange has 1, the bot 0',
    ],
    ['a missing ledger entry', { books: { ledger: [] } }, 'ledger entry 9-0-2: the bot does not have it'],
  ])('names %s', (_what, changes, difference) => {
    const proof = prove(parts(changes));
    expect(proof.reconciled).toBe(false);
    expect(proof.differences).toContain(difference);
  });

  test('shows a balance that its ledger does not explain to the last unit', () => {
    expect(prove(parts({ snapshot: { account: anAccount(899_999_999n, 0n) } })).ledgerResidual).toBe(
      '0.000001',
    );
  });

  test('leaves what happened before the run out of the comparison', () => {
    const early = aFill('0-0-5');
    const proof = prove({
      ...parts({ snapshot: { fills: [early, aFill('9-0-1')] } }),
      baseline: { fills: early.id, ledger: '1-0-0' as Cursor, equity: quantums(0n) },
    });
    expect(proof.fills).toBe(1);
    expect(proof.reconciled).toBe(true);
  });
});

describe('isProven', () => {
  const good = {
    openOrders: 0,
    openOrdersProof: 'proven',
    unresolved: 0,
    reconciled: true,
    ledgerResidual: '0',
  } as RunReport;

  test.each([
    ['all five hold', {}, true],
    [
      'the stop could not prove that no order is open (I27)',
      { openOrdersProof: 'a write is unresolved' },
      false,
    ],
    ['an order is open', { openOrders: 1 }, false],
    ['a write is unresolved', { unresolved: 1 }, false],
    ['books differ', { reconciled: false }, false],
    ['the ledger does not add up', { ledgerResidual: '-0.000001' }, false],
  ])('when %s', (_when, changes, expected) => {
    expect(isProven({ ...good, ...changes })).toBe(expected);
  });
});
