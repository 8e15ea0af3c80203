import { describe, expect, test } from 'vitest';
import { exchangeMarks } from '../../../../../src/bot/live/proof/exchange-marks.ts';
import {
  type AccountSummary,
  lots,
  type MarketSymbol,
  type Position,
  ppm,
  quantums,
} from '../../../../../src/domain/index.ts';
import { aMarket } from '../../../../support/trading-builders.ts';

const BTC = 'BTC-USD' as MarketSymbol;
const markets = new Map([[BTC, aMarket({ symbol: BTC, quantumsPerTickLot: 10n })]]);

function anAccount(equity: bigint): AccountSummary {
  const zero = quantums(0n);
  return {
    ...{ collateral: quantums(1_000n), equity: quantums(equity), initialMargin: zero },
    ...{ maintenanceMargin: zero, withdrawable: zero, takerFeePpm: ppm(500), makerFeePpm: ppm(0) },
  };
}

function aPosition(sizeLots: number, costBasis: bigint, unrealizedPnl: bigint): Position {
  return {
    ...{ symbol: BTC, sizeLots: lots(sizeLots), costBasis: quantums(costBasis) },
    ...{ unrealizedPnl: quantums(unrealizedPnl), accruedFunding: quantums(-3n) },
  };
}

describe('exchangeMarks', () => {
  test.each([
    ['long', 5, 4_900n, 100n, 100],
    ['short', -5, -4_900n, -100n, 100],
  ])('gives the price at which a %s position is valued', (_side, sizeLots, cost, profit, price) => {
    const account = anAccount(1_000n + cost + profit - 3n);
    expect(exchangeMarks({ account, positions: [aPosition(sizeLots, cost, profit)] }, markets)).toEqual(
      new Map([[BTC, price]]),
    );
  });

  test('gives nothing where the answers do not make up the equity, as without a profit in them', () => {
    const account = anAccount(1_000n + 5_000n - 3n);
    expect(exchangeMarks({ account, positions: [aPosition(5, 4_900n, 0n)] }, markets).size).toBe(0);
    expect(exchangeMarks({ account: undefined, positions: [aPosition(5, 4_900n, 100n)] }, markets).size).toBe(
      0,
    );
  });

  test('leaves out a market that is flat, unknown, or valued between two ticks', () => {
    const value = (position: Position) =>
      exchangeMarks(
        {
          account: anAccount(1_000n + position.costBasis + position.unrealizedPnl - 3n),
          positions: [position],
        },
        markets,
      ).size;
    expect(value(aPosition(5, 4_900n, 101n))).toBe(0);
    expect(value(aPosition(0, 0n, 0n))).toBe(0);
    expect(value({ ...aPosition(5, 4_900n, 100n), symbol: 'ETH-USD' as MarketSymbol })).toBe(0);
  });
});
