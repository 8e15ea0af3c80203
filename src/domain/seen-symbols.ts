/** @module Markets in which anything of the account was ever open or held. */
import type { MarketSymbol } from './ids.ts';

/** See the module. */
export class SeenSymbols {
  readonly #all = new Set<MarketSymbol>();
  #last: MarketSymbol | undefined;

  get all(): ReadonlySet<MarketSymbol> {
    return this.#all;
  }

  add(symbol: MarketSymbol): void {
    // Mostly it is the market of the last one.
    if (symbol === this.#last) return;
    this.#last = symbol;
    this.#all.add(symbol);
  }
}
