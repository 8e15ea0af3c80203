/**
 * @module The price levels of one book: FIFO queues of order slots, found by price in O(1). Prices are cut into pages
 * of 256 ticks; a page is a row in flat typed arrays with a bitmap of its filled levels, and the pages in use are in a
 * list sorted by price. So neighboring prices are array steps and far ones cost a lookup, without a window to move.
 *
 * Both sides share the pages: a book is never crossed, so all filled levels below the best ask are bids. Knows nothing
 * of orders but their slot numbers.
 */
const PAGE_BITS = 8;
const PAGE_LEVELS = 1 << PAGE_BITS;
const OFFSET_MASK = PAGE_LEVELS - 1;
const WORDS_PER_PAGE = PAGE_LEVELS >>> 5;
/** Pages that are found without a lookup, a power of two: the prices of a book are on a few dozen. */
const KNOWN_PAGES = 64;
/** This many pages may be in use without a filled level. */
const LEFT_MAX = 8;

/** Queues by price. A level is an index: page << 8 | offset; it stays valid while the level is filled. */
export class PriceLevels {
  /** First and last order slot of each level; -1: none. */
  head: Int32Array<ArrayBufferLike>;
  tail: Int32Array<ArrayBufferLike>;
  /** Sum of lots of each level. */
  lots: Float64Array<ArrayBufferLike>;
  #bits: Int32Array<ArrayBufferLike>;
  /** Price of the first level of each page. */
  #firstPrice: Float64Array<ArrayBufferLike>;
  #filledLevels: Int32Array<ArrayBufferLike>;
  readonly #pageOf = new Map<number, number>();
  /** Pages in use by rising price. */
  readonly #sorted: number[] = [];
  readonly #freePages: number[] = [];
  /** Pages in use that were left by their last filled level; they may have one again. */
  readonly #left: number[] = [];
  #pageCount = 0;
  /** Of the pages looked for last, one for each place: its number and its page. */
  readonly #knownNumbers = new Int32Array(KNOWN_PAGES).fill(-1);
  readonly #knownPages = new Int32Array(KNOWN_PAGES);

  constructor(pages = 16) {
    this.head = new Int32Array(pages * PAGE_LEVELS).fill(-1);
    this.tail = new Int32Array(pages * PAGE_LEVELS).fill(-1);
    this.lots = new Float64Array(pages * PAGE_LEVELS);
    this.#bits = new Int32Array(pages * WORDS_PER_PAGE);
    this.#firstPrice = new Float64Array(pages);
    this.#filledLevels = new Int32Array(pages);
  }

  /** The level of a price. The caller fills it at once when it is empty. */
  levelAt(price: number): number {
    const number = price >>> PAGE_BITS;
    const place = number & (KNOWN_PAGES - 1);
    if (number !== this.#knownNumbers[place])
      this.#know(number, this.#pageOf.get(number) ?? this.#openPage(number));
    return ((this.#knownPages[place] ?? 0) << PAGE_BITS) | (price & OFFSET_MASK);
  }

  /** The level of a price; -1 when it is on no page: nothing is filled there. */
  find(price: number): number {
    const number = price >>> PAGE_BITS;
    const place = number & (KNOWN_PAGES - 1);
    if (number !== this.#knownNumbers[place]) {
      const page = this.#pageOf.get(number);
      if (page === undefined) return -1;
      this.#know(number, page);
    }
    return ((this.#knownPages[place] ?? 0) << PAGE_BITS) | (price & OFFSET_MASK);
  }

  /** The price of a level. */
  priceOf(level: number): number {
    return (this.#firstPrice[level >>> PAGE_BITS] ?? 0) + (level & OFFSET_MASK);
  }

  /** Marks a level as filled. */
  fill(level: number): void {
    const word = level >>> 5;
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (level & 31));
    const page = level >>> PAGE_BITS;
    this.#filledLevels[page] = (this.#filledLevels[page] ?? 0) + 1;
  }

  /** Marks a level as empty and, some time after the last one, gives its page back. */
  empty(level: number): void {
    const word = level >>> 5;
    this.#bits[word] = (this.#bits[word] ?? 0) & ~(1 << (level & 31));
    const page = level >>> PAGE_BITS;
    const left = (this.#filledLevels[page] ?? 0) - 1;
    this.#filledLevels[page] = left;
    if (left === 0) this.#leavePage(page);
  }

  /** The next filled level below `level`; -1 when there is none. */
  below(level: number): number {
    const page = level >>> PAGE_BITS;
    const found = this.#highest(page, level >>> 5, (1 << (level & 31)) - 1);
    if (found >= 0) return found;
    for (let rank = this.#rankOf(this.#firstPrice[page] ?? 0) - 1; rank >= 0; rank--) {
      const previous = this.#sorted[rank] ?? 0;
      if (this.#filledLevels[previous] !== 0) return this.#highest(previous, lastWord(previous), -1);
    }
    return -1;
  }

  /** The next filled level above `level`; -1 when there is none. */
  above(level: number): number {
    const page = level >>> PAGE_BITS;
    // Two shifts: a shift by 32 would be one by 0.
    const found = this.#lowest(page, level >>> 5, (-1 << (level & 31)) << 1);
    if (found >= 0) return found;
    for (let rank = this.#rankOf(this.#firstPrice[page] ?? 0) + 1; rank < this.#sorted.length; rank++) {
      const next = this.#sorted[rank] ?? 0;
      if (this.#filledLevels[next] !== 0) return this.#lowest(next, next * WORDS_PER_PAGE, -1);
    }
    return -1;
  }

  #highest(page: number, fromWord: number, mask: number): number {
    const first = page * WORDS_PER_PAGE;
    let bits = (this.#bits[fromWord] ?? 0) & mask;
    for (let word = fromWord; ; bits = this.#bits[word] ?? 0) {
      if (bits !== 0) return (word << 5) | (31 - Math.clz32(bits));
      if (--word < first) return -1;
    }
  }

  #lowest(page: number, fromWord: number, mask: number): number {
    const last = lastWord(page);
    let bits = (this.#bits[fromWord] ?? 0) & mask;
    for (let word = fromWord; ; bits = this.#bits[word] ?? 0) {
      if (bits !== 0) return (word << 5) | (31 - Math.clz32(bits & -bits));
      if (++word > last) return -1;
    }
  }

  /** The index of the page that begins at `firstPrice` in the sorted list, or where it belongs. */
  #rankOf(firstPrice: number): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#firstPrice[this.#sorted[middle] ?? 0] ?? 0) < firstPrice) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #openPage(number: number): number {
    const page = this.#freePages.pop() ?? this.#pageCount++;
    if (page >= this.#filledLevels.length) this.#grow();
    const firstPrice = number * PAGE_LEVELS;
    this.#firstPrice[page] = firstPrice;
    this.#sorted.splice(this.#rankOf(firstPrice), 0, page);
    this.#pageOf.set(number, page);
    return page;
  }

  /** What was left is mostly filled again soon: a few empty pages stay where they are, then all of them go. */
  #leavePage(page: number): void {
    const left = this.#left;
    if (!left.includes(page)) left.push(page);
    if (left.length <= LEFT_MAX) return;
    for (const one of left) if (this.#filledLevels[one] === 0) this.#closePage(one);
    left.length = 0;
  }

  #closePage(page: number): void {
    const firstPrice = this.#firstPrice[page] ?? 0;
    this.#sorted.splice(this.#rankOf(firstPrice), 1);
    this.#pageOf.delete(firstPrice / PAGE_LEVELS);
    this.#freePages.push(page);
    this.#knownNumbers[(firstPrice / PAGE_LEVELS) & (KNOWN_PAGES - 1)] = -1;
  }

  #know(number: number, page: number): void {
    const place = number & (KNOWN_PAGES - 1);
    this.#knownNumbers[place] = number;
    this.#knownPages[place] = page;
  }

  #grow(): void {
    const pages = this.#filledLevels.length * 2;
    this.head = enlarged(this.head, new Int32Array(pages * PAGE_LEVELS).fill(-1));
    this.tail = enlarged(this.tail, new Int32Array(pages * PAGE_LEVELS).fill(-1));
    this.lots = enlarged(this.lots, new Float64Array(pages * PAGE_LEVELS));
    this.#bits = enlarged(this.#bits, new Int32Array(pages * WORDS_PER_PAGE));
    this.#firstPrice = enlarged(this.#firstPrice, new Float64Array(pages));
    this.#filledLevels = enlarged(this.#filledLevels, new Int32Array(pages));
  }
}

/** `larger` with the content of `array` at its beginning. */
export function enlarged<T extends Int32Array | Float64Array>(array: T, larger: T): T {
  larger.set(array);
  return larger;
}

function lastWord(page: number): number {
  return page * WORDS_PER_PAGE + WORDS_PER_PAGE - 1;
}
