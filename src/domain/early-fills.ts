/**
 * @module
 * The fills that were booked before the account was synced for the first time. What a published position holds beyond
 * the fills up to its own seq is older than the history; fills that came after it explain
 * themselves. What this does not do: booking anything.
 */
import type { AdoptedPosition, Fill, PositionMove } from './account.ts';
import { type MarketSymbol, type Seq, seqOfCursor } from './ids.ts';
import { CostBook } from './pnl.ts';
import { type Lots, lots, type Quantums, quantums } from './units.ts';

/** What changes a position, and what was paid for it, without a fill. */
interface Change {
  readonly symbol: MarketSymbol;
  readonly seq: Seq;
  apply(book: CostBook, perTickLot: bigint): void;
}

/** Remembers fills until the first sync. */
export class EarlyFills {
  #fills: Fill[] | undefined = [];
  /** Oldest first. */
  #changes: Change[] = [];
  /** The last that was taken over in each market: all that happened before is a part of it. */
  readonly #adopted = new Map<MarketSymbol, AdoptedPosition>();

  /** Takes a fill in; after {@link end} it is not remembered. */
  add(fill: Fill): void {
    this.#fills?.push(fill);
  }

  /** Takes in what the exchange moved without a fill. */
  addMove({ symbol, seq, changeLots, cash }: PositionMove): void {
    const apply: Change['apply'] = (book, perTickLot) => book.move(changeLots, cash, perTickLot);
    if (this.#fills !== undefined) this.#changes.push({ symbol, seq, apply });
  }

  /**
   * Takes a position over as it was published: returns what it holds beyond all that came up to its seq, which counts
   * from now on.
   */
  adopt(position: AdoptedPosition, perTickLot: bigint): { readonly sizeLots: Lots; readonly cost: Quantums } {
    const { symbol, sizeLots, costBasis, seq } = position;
    const known = this.#upTo(symbol, seq, perTickLot);
    const missing = { sizeLots: lots(sizeLots - known.sizeLots), cost: quantums(costBasis - known.cost) };
    if (missing.sizeLots !== 0) this.#adopted.set(symbol, position);
    return missing;
  }

  #upTo(symbol: MarketSymbol, seq: Seq, perTickLot: bigint): CostBook {
    const book = new CostBook();
    const adopted = this.#adopted.get(symbol);
    if (adopted !== undefined) book.adopt(adopted.sizeLots, adopted.costBasis, perTickLot);
    const isOfIt = (one: { readonly symbol: MarketSymbol }, at: Seq): boolean =>
      one.symbol === symbol && at <= seq && (adopted === undefined || at > adopted.seq);
    const changes = this.#changes.filter((change) => isOfIt(change, change.seq));
    for (const fill of this.#fills ?? []) {
      const fillSeq = seqOfCursor(fill.id);
      if (!isOfIt(fill, fillSeq)) continue;
      while ((changes[0]?.seq ?? fillSeq) < fillSeq) changes.shift()?.apply(book, perTickLot);
      book.apply(fill, perTickLot);
    }
    for (const change of changes) change.apply(book, perTickLot);
    return book;
  }

  /** The first sync is over. */
  end(): void {
    this.#fills = undefined;
    this.#changes = [];
    this.#adopted.clear();
  }

  /** A new ledger: the next sync is the first one again. */
  begin(): void {
    this.#fills = [];
    this.#changes = [];
    this.#adopted.clear();
  }
}
