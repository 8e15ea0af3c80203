/**
 * @module
 * Which entries of a public history were shown: each once, and in order. An entry that was not shown and is yet older than
 * the newest one says that the place of one of the two is false, or that the history is another ledger's. The exchange's own
 * list decides: one wrong number must not hide all that is true after it.
 */

/** Entries that are remembered one by one: what comes twice comes soon, and one false place has true ones shortly before it. */
const RECENT_MAX = 64;
/** Lists that end before the newest entry until its place is not believed: the first ones may be of a replica that is late. */
const LISTS_MAX = 4;

/** What was shown of one history. `K`: the place of an entry in it. */
export class ShownEntries<K> {
  readonly #compare: (one: K, other: K) => number;
  readonly #recent = new Set<K>();
  #newest: K | undefined;
  #isDoubted = false;
  #lists = 0;

  /** `compare`: below 0 if the first of two places is the older one. */
  constructor(compare: (one: K, other: K) => number) {
    this.#compare = compare;
  }

  /** The newest entry that was shown; `undefined`: none was. */
  get newest(): K | undefined {
    return this.#newest;
  }

  /** True while the newest entry may have a false place: the exchange's list is needed. */
  get isDoubted(): boolean {
    return this.#isDoubted;
  }

  /** True for an entry that was shown before. */
  has(place: K): boolean {
    return this.#recent.has(place);
  }

  /** True for an entry that is not newer than all that were shown. */
  isOlder(place: K): boolean {
    return this.#newest !== undefined && this.#compare(place, this.#newest) <= 0;
  }

  /** True for an entry that can be shown; from now on it was. */
  show(place: K): boolean {
    if (this.has(place) || this.isOlder(place)) return false;
    this.#newest = place;
    this.#recent.add(place);
    const [oldest] = this.#recent;
    if (this.#recent.size > RECENT_MAX && oldest !== undefined) this.#recent.delete(oldest);
    return true;
  }

  /** Something speaks against the place of the newest entry. */
  doubt(): void {
    if (this.#newest === undefined || this.#isDoubted) return;
    this.#isDoubted = true;
    this.#lists = 0;
  }

  /**
   * The exchange's own list ends at `end`; `undefined`: it is empty. False: it ends before the newest entry, and must be
   * asked for again. Once it has ended there often enough the newest entry is the last one shown that the list reaches.
   */
  settle(end: K | undefined): boolean {
    if (!this.#isDoubted || this.#newest === undefined) return true;
    const isReached = end !== undefined && this.#compare(end, this.#newest) >= 0;
    if (!isReached && ++this.#lists < LISTS_MAX) return false;
    this.#isDoubted = false;
    if (!isReached) this.#newest = end === undefined ? undefined : this.newestOf(this.#recentUpTo(end));
    return true;
  }

  #recentUpTo(end: K): K[] {
    return [...this.#recent].filter((place) => this.#compare(place, end) <= 0);
  }

  /** The newest of these places, in any order. */
  newestOf(places: Iterable<K>): K | undefined {
    let newest: K | undefined;
    for (const place of places) if (newest === undefined || this.#compare(place, newest) > 0) newest = place;
    return newest;
  }
}
