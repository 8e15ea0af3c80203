/**
 * @module
 * The fills that were booked before the account was synced for the first time. What a published position holds beyond
 * the fills up to its own place in the log is older than the history; fills that came after that place explain
 * themselves. What this does not do: booking anything.
 */
import type { Fill } from './account.ts';
import type { MarketSymbol, Seq } from './ids.ts';
import { CostBook } from './pnl.ts';

/** Remembers fills until the first sync. */
export class EarlyFills {
  #fills: Fill[] | undefined = [];

  /** Takes a fill in; after {@link end} it is not remembered. */
  add(fill: Fill): void {
    this.#fills?.push(fill);
  }

  /** What the fills of `symbol` at or before `seq` make. `perTickLot`: the market's quantums per tick and lot. */
  upTo(symbol: MarketSymbol, seq: Seq, perTickLot: bigint): Pick<CostBook, 'sizeLots' | 'cost'> {
    const book = new CostBook();
    for (const fill of this.#fills ?? []) {
      const isBefore = fill.symbol === symbol && BigInt(fill.id.split('-', 1)[0] ?? '') <= seq;
      if (isBefore) book.apply({ ...fill, perTickLot });
    }
    return book;
  }

  /** The first sync is over. */
  end(): void {
    this.#fills = undefined;
  }

  /** A new ledger: the next sync is the first one again. */
  begin(): void {
    this.#fills = [];
  }
}
