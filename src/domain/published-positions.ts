/**
 * @module
 * The positions as the exchange publishes them, each at its place in the log: a newer one replaces an older one, and
 * what a complete set leaves out is flat.
 */
import type { AdoptedPosition, Position } from './account.ts';
import type { MarketSymbol, Seq } from './ids.ts';
import type { Lots, Quantums } from './units.ts';

/** The last published positions of an account. */
export class PublishedPositions {
  readonly #bySymbol = new Map<MarketSymbol, { readonly position: Position; readonly seq: Seq }>();
  /** The place of the newest complete set: what it left out was flat there. */
  #completeAt: Seq | undefined;

  get(symbol: MarketSymbol): Position | undefined {
    return this.#bySymbol.get(symbol)?.position;
  }

  /** All that was published of any market. */
  *all(): Iterable<Position> {
    for (const { position } of this.#bySymbol.values()) yield position;
  }

  /** One position changed. */
  publish(position: Position, seq: Seq): void {
    const known = this.#bySymbol.get(position.symbol);
    if (known === undefined || known.seq <= seq) this.#bySymbol.set(position.symbol, { position, seq });
  }

  /** All positions that there are. */
  replace(positions: readonly Position[], seq: Seq): void {
    const present = new Set(positions.map((position) => position.symbol));
    for (const symbol of [...this.#bySymbol.keys()])
      if (!present.has(symbol)) this.publish(flatPosition(symbol), seq);
    for (const position of positions) this.publish(position, seq);
    if (this.#completeAt === undefined || seq > this.#completeAt) this.#completeAt = seq;
  }

  /** Each position with its place, and that of `symbols` which no set has named. */
  *withPlaces(symbols: Iterable<MarketSymbol>): Iterable<AdoptedPosition> {
    for (const symbol of symbols)
      if (!this.#bySymbol.has(symbol) && this.#completeAt !== undefined)
        this.publish(flatPosition(symbol), this.#completeAt);
    for (const { position, seq } of this.#bySymbol.values()) yield { ...position, seq };
  }

  /** A new ledger. */
  clear(): void {
    this.#bySymbol.clear();
    this.#completeAt = undefined;
  }
}

function flatPosition(symbol: MarketSymbol): Position {
  const zero = 0n as Quantums;
  return { symbol, sizeLots: 0 as Lots, costBasis: zero, unrealizedPnl: zero, accruedFunding: zero };
}
