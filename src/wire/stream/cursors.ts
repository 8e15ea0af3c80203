/**
 * @module
 * Positions in history as numbers: the log position of a cursor or a bound, and the set of what was applied already
 * (obligations O102, O110).
 */
import { type Cursor, compareCursors } from '../../domain/index.ts';

/** True if `text` is a position in history: three numbers. */
export function isCursor(text: string): text is Cursor {
  return /^[0-9]{1,20}-[0-9]{1,10}-[0-9]{1,10}$/.test(text);
}

/** Above this many remembered ids the older half moves below the floor. */
const RECENT_MAX = 20_000;

/**
 * What of one history was applied: everything up to a floor, and single ids above it. A live entry may be late by a
 * little; below the floor it cannot be new, because the history was read without a gap up to there. Only here are entries
 * recognized that come again: each is a fact once.
 */
export class AppliedIds {
  #floor: Cursor | undefined;
  #newest: Cursor | undefined;
  readonly #recent = new Set<Cursor>();
  readonly #recentMax: number;

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
    if (this.#recent.size > this.#recentMax) this.#fold();
    return true;
  }

  /** The history was read without a gap up to the newest id: nothing below it can be new any more. */
  settle(): void {
    if (this.#newest !== undefined) this.#foldUpTo(this.#newest);
  }

  /** Starts at a cursor that was stored: all before it is stored too. */
  resumeAt(cursor: Cursor | undefined): void {
    this.#recent.clear();
    this.#floor = cursor;
    this.#newest = cursor;
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
