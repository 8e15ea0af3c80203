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

  /** What was applied up to `seq` is all that the exchange has: nothing up to there can be new any more. */
  prove(seq: Seq): void {
    this.#isReopened = false;
    let last = this.#floor;
    for (const id of this.#recent)
      if (seqOfCursor(id) <= seq && (last === undefined || compareCursors(id, last) > 0)) last = id;
    if (last === undefined || seqOfCursor(last) > seq) return;
    this.#proven = last;
    this.#foldUpTo(last);
  }

  /** Only `ids` were applied, and what is known one by one: any other entry of the history is new, however old it is. */
  reopen(ids: Iterable<Cursor>): void {
    this.#floor = undefined;
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
    this.#isReopened = false;
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
