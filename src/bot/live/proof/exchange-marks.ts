/**
 * @module
 * The prices at which the exchange values the positions of an account. The profit of a run is a change of the exchange's
 * equity: strategies that are priced alike add up to it.
 */
import type { Market, MarketSymbol, Ticks } from '../../../domain/index.ts';
import type { AccountSnapshot } from './proof.ts';

/**
 * The price of each market that the account holds, ticks; nothing where the answers do not make up the equity, and nothing for
 * a market whose value is no whole number of ticks.
 */
export function exchangeMarks(
  { account, positions }: Pick<AccountSnapshot, 'account' | 'positions'>,
  markets: ReadonlyMap<MarketSymbol, Market>,
): ReadonlyMap<MarketSymbol, Ticks> {
  const marks = new Map<MarketSymbol, Ticks>();
  let equity = 0n;
  for (const { symbol, sizeLots, costBasis, unrealizedPnl, accruedFunding } of positions) {
    const value = costBasis + unrealizedPnl;
    equity += value + accruedFunding;
    const perTick = BigInt(sizeLots) * (markets.get(symbol)?.quantumsPerTickLot ?? 0n);
    if (perTick !== 0n && value % perTick === 0n) marks.set(symbol, Number(value / perTick) as Ticks);
  }
  // An answer that names no profit, say, has no price in it.
  return account !== undefined && account.collateral + equity === account.equity ? marks : new Map();
}
