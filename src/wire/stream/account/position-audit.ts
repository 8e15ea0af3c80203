/**
 * @module
 * Holds positions against fills: at the position of a published size, the fills up to there must add up to it
 * (reconciliation.md). A fill may come a little after the position it made, so a difference becomes a finding
 * only when it lasts.
 */
import { assert, must } from '../../../core/index.ts';
import {
  type AdoptedPosition,
  closesPosition,
  type Fill,
  type LedgerEntry,
  lots,
  type MarketSymbol,
  movesPosition,
  type Position,
  type PositionMove,
  type Quantums,
  quantums,
  type Seq,
  seqOfCursor,
  signedLots,
} from '../../../domain/index.ts';

/** How long a difference may last. */
export const MISMATCH_MS_MAX = 2_000;
/** How long a difference has to stand behind an entry of the ledger that moves positions until it is what was moved. */
export const MOVED_MS = 1_000;
/** Fills that are kept apart until a position frame has covered them. */
const RECENT_FILLS_MAX = 20_000;

/** A difference between what fills add up to and what the exchange says. */
export interface PositionMismatch {
  readonly symbol: MarketSymbol;
  readonly filledLots: number;
  readonly publishedLots: number;
  readonly seq: Seq;
}

interface Line {
  /** Sum of all fills up to the last audited position. */
  settledLots: number;
  /** Fills and other changes behind it, oldest first. */
  recent: { readonly seq: Seq; readonly lots: number }[];
  published: { readonly lots: number; readonly costBasis: Quantums; readonly seq: Seq } | undefined;
  /** Since when they differ, monotonic milliseconds. */
  differsSinceMs: number | undefined;
  /** Entries of the ledger that tell of the cash of a move; how far it went the position tells. */
  moves: readonly LedgerEntry[];
}

const FLAT = { sizeLots: lots(0), costBasis: quantums(0n) } as const;

/** The audit of one account. */
export class PositionAudit {
  readonly #lines = new Map<MarketSymbol, Line>();
  /** Position of the last snapshot: a market it left out was flat there, whenever we first hear of it. */
  #snapshotSeq: Seq | undefined;

  clear(): void {
    this.#lines.clear();
    this.#snapshotSeq = undefined;
  }

  /** The published sizes mean nothing any more until new ones come; the fills stay. */
  interrupt(): void {
    this.#snapshotSeq = undefined;
    for (const line of this.#lines.values()) {
      line.published = undefined;
      line.differsSinceMs = undefined;
    }
  }

  /** A fill was applied. */
  addFill(fill: Fill, nowMs: number): void {
    const line = this.#line(fill.symbol);
    const entry = { seq: seqOfCursor(fill.id), lots: signedLots(fill.side, fill.sizeLots) };
    line.recent.push(entry);
    const before = line.recent.at(-2);
    // Late entries are rare; sums need the order of positions.
    if (before !== undefined && entry.seq < before.seq) line.recent.sort((a, b) => (a.seq < b.seq ? -1 : 1));
    if (line.recent.length > RECENT_FILLS_MAX) line.settledLots += line.recent.shift()?.lots ?? 0;
    this.#compare(line, nowMs);
  }

  /** An entry of the ledger was applied. */
  addEntry(entry: LedgerEntry): void {
    if (entry.symbol === null || !movesPosition(entry)) return;
    const line = this.#line(entry.symbol);
    line.moves = [...line.moves, entry];
  }

  /** A move that was found before the restart. */
  addMove({ symbol, seq, changeLots }: PositionMove): void {
    this.#insert(this.#line(symbol), { seq, lots: changeLots });
  }

  /** Is there an entry whose move is not known yet? */
  get isMoving(): boolean {
    return [...this.#lines.values()].some(({ moves }) => moves.length > 0);
  }

  /** Moves that closed a position whole; right where all fills before them are applied. */
  closed(nowMs: number): readonly PositionMove[] {
    const found: PositionMove[] = [];
    for (const [symbol, line] of this.#lines) {
      for (const entry of line.moves.filter(closesPosition)) {
        const changeLots = -this.#sumUpTo(line, seqOfCursor(entry.id));
        if (changeLots !== 0) found.push(this.#move(line, symbol, { entries: [entry], changeLots }));
      }
      this.#compare(line, nowMs);
    }
    return found;
  }

  /** Differences that have stood for {@link MOVED_MS} behind entries that move positions: they are what was moved. */
  moved(nowMs: number): readonly PositionMove[] {
    const found: PositionMove[] = [];
    for (const [symbol, line] of this.#lines) {
      const { published, differsSinceMs } = line;
      if (published === undefined || differsSinceMs === undefined || nowMs - differsSinceMs < MOVED_MS)
        continue;
      const entries = line.moves.filter(({ id }) => seqOfCursor(id) <= published.seq);
      if (entries.length === 0) continue;
      const changeLots = published.lots - this.#sumUpTo(line, published.seq);
      found.push(this.#move(line, symbol, { entries, changeLots }));
      this.#compare(line, nowMs);
    }
    return found;
  }

  /** The exchange published sizes at `seq`; a snapshot says 0 for what it leaves out. */
  publish(
    positions: readonly Position[],
    at: { readonly seq: Seq; readonly isSnapshot: boolean; readonly nowMs: number },
  ): void {
    const published = new Map(positions.map((position) => [position.symbol, position]));
    if (at.isSnapshot && (this.#snapshotSeq === undefined || at.seq > this.#snapshotSeq))
      this.#snapshotSeq = at.seq;
    for (const symbol of published.keys()) this.#line(symbol);
    for (const [symbol, line] of this.#lines) {
      const position = published.get(symbol) ?? (at.isSnapshot ? FLAT : undefined);
      if (position === undefined) continue;
      if (line.published !== undefined && at.seq < line.published.seq) continue;
      line.published = { lots: position.sizeLots, costBasis: position.costBasis, seq: at.seq };
      this.#compare(line, at.nowMs);
    }
  }

  /** Everything that differs now, and what has differed for longer than {@link MISMATCH_MS_MAX}. */
  findings(nowMs: number): { readonly isClean: boolean; readonly lasting: readonly PositionMismatch[] } {
    const lasting: PositionMismatch[] = [];
    let isClean = true;
    for (const [symbol, line] of this.#lines) {
      if (line.differsSinceMs === undefined || line.published === undefined) continue;
      isClean = false;
      if (nowMs - line.differsSinceMs < MISMATCH_MS_MAX) continue;
      lasting.push({
        symbol,
        filledLots: this.#sumUpTo(line, line.published.seq),
        publishedLots: line.published.lots,
        seq: line.published.seq,
      });
    }
    return { isClean, lasting };
  }

  /**
   * Takes over what fills do not explain: positions older than the history, at the first sync of an epoch. Returns what
   * was taken over.
   */
  adopt(nowMs: number): readonly AdoptedPosition[] {
    return this.findings(nowMs).lasting.map(({ symbol, publishedLots, seq }) => {
      const line = this.#line(symbol);
      const costBasis = must(line.published, 'a published position that differs').costBasis;
      const adopted = { symbol, sizeLots: lots(publishedLots), costBasis, seq };
      line.moves = [];
      this.addAdopted(adopted);
      this.#compare(line, nowMs);
      return adopted;
    });
  }

  /** A position was taken over as published: what all that came before does not explain counts from there on. */
  addAdopted({ symbol, sizeLots, seq }: AdoptedPosition): void {
    const line = this.#line(symbol);
    this.#insert(line, { seq, lots: sizeLots - this.#sumUpTo(line, seq) });
  }

  #compare(line: Line, nowMs: number): void {
    const { published } = line;
    if (published === undefined) return;
    if (this.#sumUpTo(line, published.seq) !== published.lots) {
      line.differsSinceMs ??= nowMs;
      return;
    }
    line.differsSinceMs = undefined;
    line.moves = line.moves.filter(({ id }) => seqOfCursor(id) > published.seq);
    this.#settle(line, published.seq);
  }

  #move(
    line: Line,
    symbol: MarketSymbol,
    { entries, changeLots }: { readonly entries: readonly LedgerEntry[]; readonly changeLots: number },
  ): PositionMove {
    line.moves = line.moves.filter((entry) => !entries.includes(entry));
    const seq = seqOfCursor(must(entries.at(-1), 'an entry that moved a position').id);
    const cash = quantums(entries.reduce((sum, { amount }) => sum + amount, 0n));
    const ofLots = lots(this.#sumUpTo(line, seq));
    const end = entries.some(closesPosition) ? ({ isMarketEnd: true } as const) : {};
    const move = { symbol, changeLots: lots(changeLots), ofLots, cash, seq, ...end };
    this.addMove(move);
    return move;
  }

  #insert(line: Line, change: Line['recent'][number]): void {
    line.recent.push(change);
    line.recent.sort((a, b) => (a.seq < b.seq ? -1 : 1));
  }

  #sumUpTo(line: Line, seq: Seq): number {
    let sum = line.settledLots;
    for (const fill of line.recent) {
      if (fill.seq > seq) break;
      sum += fill.lots;
    }
    assert(Number.isSafeInteger(sum), `a sum of fills that is exact, was ${sum}`);
    return sum;
  }

  /** What a clean audit has covered need not be kept apart any more. */
  #settle(line: Line, seq: Seq): void {
    let covered = 0;
    for (const fill of line.recent) {
      if (fill.seq > seq) break;
      line.settledLots += fill.lots;
      covered++;
    }
    if (covered > 0) line.recent = line.recent.slice(covered);
  }

  #line(symbol: MarketSymbol): Line {
    const known = this.#lines.get(symbol);
    if (known !== undefined) return known;
    const seq = this.#snapshotSeq;
    const published = seq === undefined ? undefined : { lots: 0, costBasis: FLAT.costBasis, seq };
    const line: Line = { settledLots: 0, recent: [], published, differsSinceMs: undefined, moves: [] };
    this.#lines.set(symbol, line);
    return line;
  }
}
