/**
 * @module
 * The arithmetic of a position audit: at the seq of a published position, the changes up to there must add up to it
 * (docs/concepts/reconciliation.md). What was filled later belongs to the next one. Pure: it knows no time, so how long a
 * difference may last is its holder's matter. The streams hold one and check what they publish; the account state holds
 * one, for a fact that comes while a turn runs waits, and its books may be a turn later than the streams.
 */
import type { AdoptedPosition, Position } from './account.ts';
import type { MarketSymbol, Seq } from './ids.ts';
import { type Lots, lots, type Quantums } from './units.ts';

/** A market whose published position is not what its fills make: at its own seq, or because nothing was published since. */
export interface PositionMismatch {
  readonly symbol: MarketSymbol;
  /** By the changes up to {@link seq}; by all of them where {@link unpublishedSince} is there. */
  readonly fillLots: Lots;
  readonly publishedLots: Lots;
  /** Of the published position; `undefined`: none was published. */
  readonly seq: Seq | undefined;
  /** The first change that no published position covers yet; `undefined`: they differ at {@link seq}. */
  readonly unpublishedSince: Seq | undefined;
}

/** Above this many remembered changes of a market the oldest counts as covered. */
const CHANGES_MAX = 20_000;

interface Line {
  /** Sum of all changes. */
  totalLots: number;
  /** The last changes, oldest first: all that no published position covers, and those before that are still in doubt. */
  changes: { readonly seq: Seq; readonly lots: number }[];
  position: Position | undefined;
  /** Of {@link position}. */
  seq: Seq | undefined;
  /** Where a position was taken over: what happened before is a part of it. */
  adoptedAt: Seq | undefined;
}

/** What was published of the positions of an account, and what changed them. */
export class PositionAudit {
  readonly #lines = new Map<MarketSymbol, Line>();
  /** Of the newest complete set: a market that it left out was flat there, whenever it is first heard of. */
  #completeAt: Seq | undefined;

  /** The markets that were heard of. */
  get symbols(): Iterable<MarketSymbol> {
    return this.#lines.keys();
  }

  /** The last published position of a market. */
  published(symbol: MarketSymbol): Position | undefined {
    return this.#lines.get(symbol)?.position;
  }

  /** The seq of {@link published}. */
  publishedAt(symbol: MarketSymbol): Seq | undefined {
    return this.#lines.get(symbol)?.seq;
  }

  /** All published positions, each with its seq. */
  *positions(): Iterable<AdoptedPosition> {
    for (const { position, seq } of this.#lines.values())
      if (position !== undefined && seq !== undefined) yield { ...position, seq };
  }

  /** A market was heard of: it is flat where a complete set leaves it out. */
  note(symbol: MarketSymbol): void {
    this.#line(symbol);
  }

  /** A position changed, by a fill or without one. Late changes take their place. */
  add(symbol: MarketSymbol, seq: Seq, changeLots: number): void {
    const line = this.#line(symbol);
    if (line.adoptedAt !== undefined && seq <= line.adoptedAt) return;
    line.totalLots += changeLots;
    const { changes } = line;
    changes.push({ seq, lots: changeLots });
    const before = changes.at(-2);
    if (before !== undefined && seq < before.seq) changes.sort((a, b) => (a.seq < b.seq ? -1 : 1));
    if (changes.length > CHANGES_MAX) changes.shift();
  }

  /** A position was taken over at `seq`: `changeLots` more than is known, and all that is from before and comes later. */
  adopt(symbol: MarketSymbol, seq: Seq, changeLots: number): void {
    const line = this.#line(symbol);
    line.adoptedAt = undefined;
    this.add(symbol, seq, changeLots);
    line.adoptedAt = seq;
  }

  /** True if what happened in a market at `seq` is part of a position that was taken over. */
  isAdopted(symbol: MarketSymbol, seq: Seq): boolean {
    const at = this.#lines.get(symbol)?.adoptedAt;
    return at !== undefined && seq <= at;
  }

  /** One position was published; an older one than is known changes nothing. */
  publish(position: Position, seq: Seq): void {
    const line = this.#line(position.symbol);
    if (line.seq !== undefined && line.seq > seq) return;
    line.position = position;
    line.seq = seq;
  }

  /** All positions that there are: what the set leaves out is flat. */
  replace(positions: readonly Position[], seq: Seq): void {
    if (this.#completeAt === undefined || seq > this.#completeAt) this.#completeAt = seq;
    const present = new Set(positions.map(({ symbol }) => symbol));
    for (const symbol of this.#lines.keys())
      if (!present.has(symbol)) this.publish(flatPosition(symbol), seq);
    for (const position of positions) this.publish(position, seq);
  }

  /** What was published means nothing any more until it is published again; the changes stay. */
  interrupt(): void {
    this.#completeAt = undefined;
    for (const line of this.#lines.values()) {
      line.position = undefined;
      line.seq = undefined;
    }
  }

  /** Forgets all: a new ledger. */
  clear(): void {
    this.#lines.clear();
    this.#completeAt = undefined;
  }

  /** Forgets the changes that the published position of a market covers: what it says is not in doubt. */
  settle(symbol: MarketSymbol): void {
    const line = this.#lines.get(symbol);
    if (line?.seq === undefined) return;
    const { changes, seq } = line;
    // Mostly it covers all. The list is kept for what comes next.
    let left = 0;
    for (const change of changes) if (change.seq > seq) changes[left++] = change;
    while (changes.length > left) changes.pop();
  }

  /** The position of a market at `seq`, by its changes. */
  lotsAt(symbol: MarketSymbol, seq: Seq): Lots {
    const line = this.#line(symbol);
    return sumAt(line, seq, line.totalLots);
  }

  /** The difference at the published seq of a market, if there is one. `totalLots`: by all changes, as the caller books them. */
  mismatchOf(symbol: MarketSymbol, totalLots?: Lots): PositionMismatch | undefined {
    const line = this.#line(symbol);
    const { position, seq } = line;
    const publishedLots = position?.sizeLots ?? lots(0);
    const fillLots = sumAt(line, seq, totalLots ?? line.totalLots);
    if (fillLots === publishedLots) return undefined;
    return { symbol, fillLots, publishedLots, seq, unpublishedSince: undefined };
  }

  /** Where positions and changes differ, at the published seq or since (risk control M3). `bookedLotsOf` is by all changes. */
  mismatches(bookedLotsOf: (symbol: MarketSymbol) => Lots): readonly PositionMismatch[] {
    const mismatches: PositionMismatch[] = [];
    for (const [symbol, { position, seq, changes }] of this.#lines) {
      const bookedLots = bookedLotsOf(symbol);
      const differing = this.mismatchOf(symbol, bookedLots);
      const publishedLots = position?.sizeLots ?? lots(0);
      const first = changes.find((change) => seq === undefined || change.seq > seq);
      if (differing !== undefined) mismatches.push(differing);
      // Changes that cancel each other out leave nothing to be published.
      else if (first !== undefined && bookedLots !== publishedLots)
        mismatches.push({ symbol, fillLots: bookedLots, publishedLots, seq, unpublishedSince: first.seq });
    }
    return mismatches;
  }

  #line(symbol: MarketSymbol): Line {
    const known = this.#lines.get(symbol);
    if (known !== undefined) return known;
    const seq = this.#completeAt;
    const position = seq === undefined ? undefined : flatPosition(symbol);
    const line: Line = { totalLots: 0, changes: [], position, seq, adoptedAt: undefined };
    this.#lines.set(symbol, line);
    return line;
  }
}

/** Of `totalLots`, what came up to `seq`; nothing, where that is not known. */
function sumAt({ changes }: Line, seq: Seq | undefined, totalLots: number): Lots {
  let sum = totalLots;
  for (let at = changes.length - 1; at >= 0; at--) {
    const change = changes[at];
    if (change === undefined || (seq !== undefined && change.seq <= seq)) break;
    sum -= change.lots;
  }
  return lots(sum);
}

function flatPosition(symbol: MarketSymbol): Position {
  const zero = 0n as Quantums;
  return { symbol, sizeLots: 0 as Lots, costBasis: zero, unrealizedPnl: zero, accruedFunding: zero };
}
