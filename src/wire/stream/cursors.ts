/**
 * @module
 * Positions in history as numbers: the log position of a cursor or a bound, and the set of what was applied already
 * (obligations O102, O110).
 */
import { type Cursor, compareCursors, type Seq, seqOfCursor } from '../../domain/index.ts';

/** True if `text` is a position in history: three numbers. */
export function isCursor(text: string): text is Cursor {
  return /^[0-9]{1,20}-[0-9]{1,10}-[0-9]{1,10}$/.test(text);
}

/** The later of two positions of the log. */
export function laterOf(one: Seq | undefined, other: Seq): Seq {
  return one === undefined || other > one ? other : one;
}

/** Above this many remembered ids the older half moves below the floor. */
const RECENT_MAX = 20_000;

/**
 * What of one history was applied: everything up to a floor, and single ids above it. A live entry may be late; below the
 * floor it cannot be new. The floor is where what was applied was last found to be what the exchange has: an entry that was
 * lost since is still new when the history is read again from there. Only here are entries recognized that come again: each
 * is a fact once.
 */
export class AppliedIds {
  #floor: Cursor | undefined;
  #newest: Cursor | undefined;
  readonly #recent = new Set<Cursor>();
  readonly #recentMax: number;
  #proven: Cursor | undefined;
  #readTo: Cursor | undefined;
  /** All applied ids are known one by one: none is folded until the history was compared again. */
  #isReopened = false;

  /** `recentMax`: how many single ids are remembered before the older half moves below the floor. */
  constructor(recentMax = RECENT_MAX) {
    this.#recentMax = recentMax;
  }

  /** The highest id applied: the cursor to resume from. */
  get newest(): Cursor | undefined {
    return this.#newest;
  }

  /** True for an entry that was not applied before; from now on it was. */
  take(id: Cursor): boolean {
    if (this.#isApplied(id)) return false;
    this.#recent.add(id);
    if (this.#newest === undefined || compareCursors(id, this.#newest) > 0) this.#newest = id;
    if (this.#recent.size > this.#recentMax && !this.#isReopened) this.#fold();
    return true;
  }

  /** The last entry up to which what was applied is what the exchange has; `undefined`: nothing was compared yet. */
  get proven(): Cursor | undefined {
    return this.#proven;
  }

  /**
   * After this entry a comparison with the exchange begins; `undefined`: at the beginning of the history. Never the newest
   * entry: the stream may have brought that one and not those before it.
   */
  get compareAfter(): Cursor | undefined {
    return this.#proven ?? this.#readTo;
  }

  /** The history was read from its beginning up to `seq`. */
  noteRead(seq: Seq): void {
    this.#readTo = this.#lastUpTo(seq);
  }

  /** What was applied up to `seq` is all that the exchange has: nothing up to there can be new any more. */
  prove(seq: Seq): void {
    this.#isReopened = false;
    const last = this.#lastUpTo(seq);
    if (last === undefined) return;
    this.#proven = last;
    this.#foldUpTo(last);
  }

  /**
   * Only `ids` were applied, and what is known one by one: any other entry of the history is new, however old it is. Until
   * something is proven again comparisons go on from where they did: a page may leave out now what it brings later.
   */
  reopen(ids: Iterable<Cursor>): void {
    this.#floor = undefined;
    this.#readTo = this.compareAfter;
    this.#proven = undefined;
    this.#isReopened = true;
    for (const id of ids) this.#recent.add(id);
  }

  /** Starts at a cursor that was stored: all before it is stored too. */
  resumeAt(cursor: Cursor | undefined): void {
    this.#recent.clear();
    this.#floor = cursor;
    this.#newest = cursor;
    this.#proven = undefined;
    this.#readTo = undefined;
    this.#isReopened = false;
  }

  /**
   * Starts with the entries that were stored, up to `newest`. Of those up to `proven` it is known that they are all that the
   * exchange has; after it one may be missing that is older than the newest.
   */
  resume(stored: {
    readonly ids: readonly Cursor[];
    readonly newest: Cursor | undefined;
    readonly proven: Cursor | undefined;
  }): void {
    const { ids, newest, proven } = stored;
    this.resumeAt(proven);
    this.#proven = proven;
    this.#newest = newest;
    this.#isReopened = true;
    for (const id of ids) if (proven === undefined || compareCursors(id, proven) > 0) this.#recent.add(id);
  }

  /** True for an entry of which it is known on its own that it was applied. */
  remembers(id: Cursor): boolean {
    return this.#recent.has(id);
  }

  /** The last applied entry before `seq`, or the floor: after it is all that may be new from `seq` on. */
  lastBefore(seq: Seq): Cursor | undefined {
    let last = this.#floor;
    for (const id of this.#recent)
      if (seqOfCursor(id) < seq && (last === undefined || compareCursors(id, last) > 0)) last = id;
    return last;
  }

  /** The last applied entry up to `seq`, as far as it is known one by one. */
  #lastUpTo(seq: Seq): Cursor | undefined {
    const last = this.lastBefore((seq + 1n) as Seq);
    return last === undefined || seqOfCursor(last) > seq ? undefined : last;
  }

  #isApplied(id: Cursor): boolean {
    return this.#recent.has(id) || (this.#floor !== undefined && compareCursors(id, this.#floor) <= 0);
  }

  #fold(): void {
    const sorted = [...this.#recent].sort(compareCursors);
    const middle = sorted[Math.floor(this.#recentMax / 2)];
    if (middle !== undefined) this.#foldUpTo(middle);
  }

  #foldUpTo(bound: Cursor): void {
    if (this.#floor === undefined || compareCursors(bound, this.#floor) > 0) this.#floor = bound;
    for (const id of this.#recent) if (compareCursors(id, bound) <= 0) this.#recent.delete(id);
  }
}
