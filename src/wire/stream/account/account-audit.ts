/**
 * @module
 * Compares positions with fills as the streams bring them: at the seq of a published size, the fills up to there must add
 * up to it (reconciliation.md). A fill may come a little after the position it made, so a difference becomes a finding
 * only when it lasts. What the exchange moved without a fill its ledger reports, and the position says how far. One frame
 * is no proof of a size: what fills do not explain is followed only where the exchange says the same when it is asked.
 */
import { must } from '../../../core/index.ts';
import {
  type AdoptedPosition,
  closesPosition,
  type Fill,
  type LedgerEntry,
  lots,
  type MarketSymbol,
  movesPosition,
  type Position,
  PositionAudit,
  type PositionMismatch,
  type PositionMove,
  quantums,
  type Seq,
  seqOfCursor,
  signedLots,
} from '../../../domain/index.ts';

/** How long a difference may last. */
export const MISMATCH_MS_MAX = 2_000;
/** How long, ms, a difference has to last after an entry of the ledger that moves positions until it is what was moved. */
export const MOVED_MS = 1_000;

/** The audit of one account. */
export class AccountAudit {
  readonly #positions = new PositionAudit();
  /** Since when position and fills of a market differ, monotonic milliseconds. */
  readonly #differsSinceMs = new Map<MarketSymbol, number>();
  /** Entries of the ledger that report the cash of a move; the position shows how far it went. */
  readonly #moves = new Map<MarketSymbol, readonly LedgerEntry[]>();
  /** The newest entry of each market that moved its position. */
  readonly #lastMoving = new Map<MarketSymbol, LedgerEntry>();
  /** By how many lots the exchange differed from the fills when it was last asked; where it did not, nothing. */
  readonly #asked = new Map<MarketSymbol, number>();

  clear(): void {
    this.#positions.clear();
    this.#differsSinceMs.clear();
    this.#moves.clear();
    this.#lastMoving.clear();
    this.#asked.clear();
  }

  /** The published sizes mean nothing any more until new ones come; the fills stay. */
  interrupt(): void {
    this.#positions.interrupt();
    this.#differsSinceMs.clear();
    this.#asked.clear();
  }

  /** The exchange was asked: by how many lots its positions differ from all fills and moves up to there. */
  noteAsked(differences: ReadonlyMap<MarketSymbol, number>): void {
    this.#asked.clear();
    for (const [symbol, differenceLots] of differences) this.#asked.set(symbol, differenceLots);
  }

  /** A fill was applied. */
  addFill({ symbol, id, side, sizeLots }: Fill, nowMs: number): void {
    const seq = seqOfCursor(id);
    if (this.#positions.isAdopted(symbol, seq)) return;
    this.#positions.add(symbol, seq, signedLots(side, sizeLots));
    const last = this.#lastMoving.get(symbol);
    // What it made was counted as moved with all the rest, and its cash is booked.
    if (last !== undefined && seq < seqOfCursor(last.id) && !this.#moves.has(symbol))
      this.#moves.set(symbol, [{ ...last, amount: quantums(0n) }]);
    this.#compare(symbol, nowMs);
  }

  /** A position was moved before the restart. */
  noteMoving(entry: LedgerEntry): void {
    const { symbol, id } = entry;
    if (symbol === null || !movesPosition(entry)) return;
    const known = this.#lastMoving.get(symbol);
    if (known === undefined || seqOfCursor(id) > seqOfCursor(known.id)) this.#lastMoving.set(symbol, entry);
  }

  /** An entry of the ledger was applied. */
  addEntry(entry: LedgerEntry): void {
    if (entry.symbol === null || !movesPosition(entry)) return;
    this.#positions.note(entry.symbol);
    this.noteMoving(entry);
    if (this.#positions.isAdopted(entry.symbol, seqOfCursor(entry.id))) return;
    this.#moves.set(entry.symbol, [...this.#movesOf(entry.symbol), entry]);
  }

  /** A move that was found before the restart. */
  addMove({ symbol, seq, changeLots }: PositionMove): void {
    this.#positions.add(symbol, seq, changeLots);
    this.#asked.delete(symbol);
  }

  /** True while there is an entry whose move is not known yet. */
  get isMoving(): boolean {
    return this.#moves.size > 0;
  }

  /** Moves that closed a full position; right where all fills before them are applied. */
  closed(nowMs: number): readonly PositionMove[] {
    const found: PositionMove[] = [];
    for (const [symbol, moves] of [...this.#moves]) {
      for (const entry of moves.filter(closesPosition)) {
        const changeLots = -this.#positions.lotsAt(symbol, seqOfCursor(entry.id));
        if (changeLots !== 0) found.push(this.#move(symbol, { entries: [entry], changeLots }));
      }
      this.#compare(symbol, nowMs);
    }
    return found;
  }

  /**
   * Differences that have lasted for {@link MOVED_MS} after entries that move positions, and that the exchange confirmed
   * when it was asked: they are what was moved.
   */
  moved(nowMs: number): readonly PositionMove[] {
    const found: PositionMove[] = [];
    for (const [symbol, sinceMs] of [...this.#differsSinceMs]) {
      if (nowMs - sinceMs < MOVED_MS) continue;
      const { publishedLots, fillLots, seq } = this.#differenceOf(symbol);
      const entries = this.#movesOf(symbol).filter(({ id }) => seqOfCursor(id) <= seq);
      const changeLots = publishedLots - fillLots;
      if (entries.length === 0 || !this.#isConfirmed(symbol, changeLots)) continue;
      found.push(this.#move(symbol, { entries, changeLots }));
      this.#compare(symbol, nowMs);
    }
    return found;
  }

  /** The exchange published sizes at `seq`; a snapshot says 0 for what it leaves out. */
  publish(
    positions: readonly Position[],
    at: { readonly seq: Seq; readonly isSnapshot: boolean; readonly nowMs: number },
  ): void {
    if (at.isSnapshot) {
      this.#positions.replace(positions, at.seq);
      for (const symbol of this.#positions.symbols) this.#compare(symbol, at.nowMs);
      return;
    }
    for (const position of positions) {
      this.#positions.publish(position, at.seq);
      this.#compare(position.symbol, at.nowMs);
    }
  }

  /** The markets that were heard of. */
  get symbols(): Iterable<MarketSymbol> {
    return this.#positions.symbols;
  }

  /** The position of a market at `seq`, by fills and moves; later than what was published of it. */
  lotsAt(symbol: MarketSymbol, seq: Seq): number {
    return this.#positions.lotsAt(symbol, seq);
  }

  /** True if positions and fills of a market differ now. */
  get isDiffering(): boolean {
    return this.#differsSinceMs.size > 0;
  }

  /** Everything that differs now, and what has differed for longer than {@link MISMATCH_MS_MAX}. */
  findings(nowMs: number): { readonly isClean: boolean; readonly lasting: readonly PositionMismatch[] } {
    const lasting = Array.from(this.#differsSinceMs)
      .filter(([, sinceMs]) => nowMs - sinceMs >= MISMATCH_MS_MAX)
      .map(([symbol]) => this.#differenceOf(symbol));
    return { isClean: this.#differsSinceMs.size === 0, lasting };
  }

  /**
   * Takes over what fills do not explain: positions older than the history, at the first sync of an epoch. Only what the
   * exchange confirmed when it was asked. Returns what was taken over.
   */
  adopt(nowMs: number): readonly AdoptedPosition[] {
    const confirmed = this.findings(nowMs).lasting.filter(({ symbol, publishedLots, fillLots }) =>
      this.#isConfirmed(symbol, publishedLots - fillLots),
    );
    return confirmed.map(({ symbol, publishedLots, seq }) => {
      const { costBasis } = must(this.#positions.published(symbol), 'a published position that differs');
      const adopted = { symbol, sizeLots: publishedLots, costBasis, seq: must(seq, 'its seq') };
      this.#moves.delete(symbol);
      this.addAdopted(adopted);
      this.#compare(symbol, nowMs);
      return adopted;
    });
  }

  /** A position was taken over as published: what all that came before does not explain counts from there on. */
  addAdopted({ symbol, sizeLots, seq }: AdoptedPosition): void {
    this.#positions.adopt(symbol, seq, sizeLots - this.#positions.lotsAt(symbol, seq));
    this.#asked.delete(symbol);
  }

  /** True if the exchange differed from the fills by as much when it was asked. */
  #isConfirmed(symbol: MarketSymbol, differenceLots: number): boolean {
    return this.#asked.get(symbol) === differenceLots;
  }

  #compare(symbol: MarketSymbol, nowMs: number): void {
    const seq = this.#positions.publishedAt(symbol);
    if (seq === undefined) return;
    if (this.#positions.mismatchOf(symbol) !== undefined) {
      if (!this.#differsSinceMs.has(symbol)) this.#differsSinceMs.set(symbol, nowMs);
      return;
    }
    this.#differsSinceMs.delete(symbol);
    this.#keepMoves(symbol, ({ id }) => seqOfCursor(id) > seq);
    this.#positions.settle(symbol);
  }

  /** The difference of a market that is known to differ. */
  #differenceOf(symbol: MarketSymbol): PositionMismatch & { readonly seq: Seq } {
    const mismatch = must(this.#positions.mismatchOf(symbol), `a difference in ${symbol}`);
    return { ...mismatch, seq: must(mismatch.seq, `a published position of ${symbol}`) };
  }

  #move(
    symbol: MarketSymbol,
    { entries, changeLots }: { readonly entries: readonly LedgerEntry[]; readonly changeLots: number },
  ): PositionMove {
    this.#keepMoves(symbol, (entry) => !entries.includes(entry));
    const seq = seqOfCursor(must(entries.at(-1), 'an entry that moved a position').id);
    const cash = quantums(entries.reduce((sum, { amount }) => sum + amount, 0n));
    const ofLots = this.#positions.lotsAt(symbol, seq);
    const end = entries.some(closesPosition) ? ({ isMarketEnd: true } as const) : {};
    const move = { symbol, changeLots: lots(changeLots), ofLots, cash, seq, ...end };
    this.addMove(move);
    return move;
  }

  #movesOf(symbol: MarketSymbol): readonly LedgerEntry[] {
    return this.#moves.get(symbol) ?? [];
  }

  #keepMoves(symbol: MarketSymbol, isKept: (entry: LedgerEntry) => boolean): void {
    const kept = this.#movesOf(symbol).filter(isKept);
    if (kept.length > 0) this.#moves.set(symbol, kept);
    else this.#moves.delete(symbol);
  }
}
