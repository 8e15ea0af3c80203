/** @module Equity of a series of returns, for statistics that are taken of equity. */
import { deepestFallOf } from '../../src/report/series.ts';

/** The maximum drawdown of returns: the deepest fall of the equity that begins at 1. A missing return changes nothing. */
export function maxDrawdown(returns: readonly number[]): number {
  let equity = 1;
  const curve = returns.map((change) => {
    if (!Number.isNaN(change)) equity *= 1 + change;
    return equity;
  });
  return deepestFallOf(Float64Array.from([1, ...curve]));
}
