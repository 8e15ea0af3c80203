/** @module What depends only on a market's definition and on parameters, worked out once instead of with every quote. */
import type { Lots, Market, MarketSymbol } from '../../../domain/index.ts';
import type { MarketView } from '../context.ts';
import type { SizeParameters } from './parameters.ts';

/**
 * `work`, done once for each definition of a market. Made again when the parameters change.
 * @example const sizeIn = perMarket((view) => view.lotsOf(size))
 */
export function perMarket<Result>(work: (view: MarketView) => Result): (view: MarketView) => Result {
  const known = new Map<MarketSymbol, { readonly market: Market; readonly result: Result }>();
  return (view) => {
    const { market, symbol } = view;
    const before = known.get(symbol);
    if (before?.market === market) return before.result;
    const result = work(view);
    known.set(symbol, { market, result });
    return result;
  };
}

/** The sizes that makers have in common, in lots. */
export interface LotSizes {
  readonly sizeLots: Lots;
  readonly maxLots: Lots;
}

/** Size of an order and greatest inventory in the lots of each market. @throws ConfigError when one does not fit the lot. */
export function lotSizesOf({ size, maxInventory }: SizeParameters): (view: MarketView) => LotSizes {
  return perMarket((view) => ({ sizeLots: view.lotsOf(size), maxLots: view.lotsOf(maxInventory) }));
}
