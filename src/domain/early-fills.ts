/**
 * @module
 * The fills that were booked before the account was synced for the first time. What a published position holds beyond
 * the fills up to its own place in the log is older than the history; fills that came after that place explain
 * themselves. What this does not do: booking anything.
 */
import type { Fill, PositionMove } from './account.ts';
import type { MarketSymbol, Seq } from './ids.ts';
import { CostBook } from './pnl.ts';

/** Remembers fills until the first sync. */
export class EarlyFills {
  #fills: Fill[] | undefined = [];
  #moves: PositionMove[] = [];

  /** Takes a fill in; after {@link end} it is not remembered. */
  add(fill: Fill): void {
    this.#fills?.push(fill);
  }

  /** Takes in what the exchange moved without a fill. */
  addMove(move: PositionMove): void {
    if (this.#fills !== undefined) this.#moves.push(move);
  }

  /** What the fills of `symbol` at or before `seq` make. `perTickLot`: the market's quantums per tick and lot. */
  upTo(symbol: MarketSymbol, seq: Seq, perTickLot: bigint): Pick<CostBook, 'sizeLots' | 'cost'> {
    const book = new CostBook();
    const moves = this.#moves.filter((move) => move.symbol === symbol && move.seq <= seq);
    for (const fill of this.#fills ?? []) {
      const fillSeq = BigInt(fill.id.split('-', 1)[0] ?? '');
      if (fill.symbol !== symbol || fillSeq > seq) continue;
      while ((moves[0]?.seq ?? fillSeq) < fillSeq) moveIn(book, moves.shift(), perTickLot);
      book.apply({ ...fill, perTickLot });
    }
    for (const move of moves) moveIn(book, move, perTickLot);
    return book;
  }

  /** The first sync is over. */
  end(): void {
    this.#fills = undefined;
    this.#moves = [];
  }

  /** A new ledger: the next sync is the first one again. */
  begin(): void {
    this.#fills = [];
    this.#moves = [];
  }
}

function moveIn(book: CostBook, move: PositionMove | undefined, perTickLot: bigint): void {
  if (move !== undefined) book.move(move.changeLots, move.cash, perTickLot);
}
