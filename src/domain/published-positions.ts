/**
 * @module
 * The positions as the exchange publishes them, each at its place in the log: a newer one replaces an older one, and
 * what a complete set leaves out is flat. Fills behind that place are no part of it.
 */
import type { AdoptedPosition, Fill, Position } from './account.ts';
import type { PositionMismatch } from './account-view.ts';
import { type MarketSymbol, type Seq, seqOfCursor } from './ids.ts';
import { signedLots } from './side.ts';
import { type Lots, lots, type Quantums } from './units.ts';

/** What changed a position, and where in the log. */
interface Change {
  readonly seq: Seq;
  readonly lots: number;
}

/** The last published positions of an account. */
export class PublishedPositions {
  readonly #bySymbol = new Map<MarketSymbol, { position: Position; seq: Seq }>();
  /** What no published position covers yet. */
  readonly #behind = new Map<MarketSymbol, Change[]>();
  /** The place of the newest complete set: what it left out was flat there. */
  #completeAt: Seq | undefined;

  get(symbol: MarketSymbol): Position | undefined {
    return this.#bySymbol.get(symbol)?.position;
  }

  /** One position changed. */
  publish(position: Position, seq: Seq): void {
    const { symbol } = position;
    const known = this.#bySymbol.get(symbol);
    if (known === undefined) this.#bySymbol.set(symbol, { position, seq });
    else {
      if (known.seq > seq) return;
      known.position = position;
      known.seq = seq;
    }
    const behind = this.#behind.get(symbol);
    if (behind === undefined) return;
    // Mostly it covers all. The list is kept for what comes next.
    let left = 0;
    for (const change of behind) if (change.seq > seq) behind[left++] = change;
    while (behind.length > left) behind.pop();
  }

  /** All positions that there are. */
  replace(positions: readonly Position[], seq: Seq): void {
    const present = new Set(positions.map((position) => position.symbol));
    for (const symbol of this.#symbols()) if (!present.has(symbol)) this.publish(flatPosition(symbol), seq);
    for (const position of positions) this.publish(position, seq);
    if (this.#completeAt === undefined || seq > this.#completeAt) this.#completeAt = seq;
  }

  /** A fill was booked. */
  noteFill({ symbol, id, side, sizeLots }: Fill): void {
    this.noteChange(symbol, seqOfCursor(id), signedLots(side, sizeLots));
  }

  /** A position changed, by a fill or without one. */
  noteChange(symbol: MarketSymbol, seq: Seq, changeLots: number): void {
    const covered = this.#bySymbol.get(symbol)?.seq;
    if (covered !== undefined && seq <= covered) return;
    const behind = this.#behind.get(symbol);
    if (behind === undefined) this.#behind.set(symbol, [{ seq, lots: changeLots }]);
    else behind.push({ seq, lots: changeLots });
  }

  /** Where the published positions are not what was booked (denials.md M3). `bookedLotsOf` is by all fills. */
  mismatches(bookedLotsOf: (symbol: MarketSymbol) => Lots): readonly PositionMismatch[] {
    const mismatches: PositionMismatch[] = [];
    for (const symbol of this.#symbols()) {
      const behind = this.#behind.get(symbol) ?? [];
      const bookedLots = bookedLotsOf(symbol);
      const publishedLots = this.get(symbol)?.sizeLots ?? lots(0);
      const fillLots = lots(behind.reduce((sum, change) => sum - change.lots, bookedLots as number));
      if (fillLots !== publishedLots)
        mismatches.push({ symbol, fillLots, publishedLots, unpublishedSince: undefined });
      // Fills that cancel each other out leave nothing to be published.
      else if (behind[0] !== undefined && bookedLots !== publishedLots)
        mismatches.push({ symbol, fillLots: bookedLots, publishedLots, unpublishedSince: behind[0].seq });
    }
    return mismatches;
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
    this.#behind.clear();
    this.#completeAt = undefined;
  }

  #symbols(): Iterable<MarketSymbol> {
    return new Set([...this.#bySymbol.keys(), ...this.#behind.keys()]);
  }
}

function flatPosition(symbol: MarketSymbol): Position {
  const zero = 0n as Quantums;
  return { symbol, sizeLots: 0 as Lots, costBasis: zero, unrealizedPnl: zero, accruedFunding: zero };
}
