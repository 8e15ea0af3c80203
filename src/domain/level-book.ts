/**
 * @module
 * A book of total sizes by price, kept by single changes: what a feed of differences is folded into (performance C13,
 * G13). Each side is a window of ticks on typed arrays around its best price, with a bitmap of the filled levels, and a
 * sorted list for the levels that lie deeper than the window. Takes what it is told: it does not judge a crossed book,
 * and it knows no update ids. Books that arrive whole are not for it: see `Book`.
 */
import type { Side } from './side.ts';
import { type Lots, PRICE_TICKS_MAX, type Ticks, ticks } from './units.ts';

/** Ticks in the window of one side: 128 KiB of sizes. */
const SPAN = 16_384;
/** Where the best level stands after the window has moved: room to rise, more room to fall. */
const HOME = (SPAN / 4) * 3;
/** Below this the window follows a falling best level as soon as a level is set beneath it. */
const LOW = SPAN / 4;

/** The bids and asks of one market by price. */
export class LevelBook {
  readonly #bids = new LevelSide();
  readonly #asks = new LevelSide();

  /** Sets the total size at a price; 0 removes the level. */
  set(side: Side, priceTicks: Ticks, sizeLots: Lots): void {
    if (side === 'buy') this.#bids.set(priceTicks, sizeLots);
    else this.#asks.set(PRICE_TICKS_MAX - priceTicks, sizeLots);
  }

  /** The total size at a price; 0 when there is no level. */
  sizeAt(side: Side, priceTicks: Ticks): Lots {
    return side === 'buy' ? this.#bids.get(priceTicks) : this.#asks.get(PRICE_TICKS_MAX - priceTicks);
  }

  /** The highest bid; `undefined` when there is none. */
  get bidTicks(): Ticks | undefined {
    return this.#bids.count === 0 ? undefined : ticks(this.#bids.bestKey);
  }

  /** The lowest ask; `undefined` when there is none. */
  get askTicks(): Ticks | undefined {
    return this.#asks.count === 0 ? undefined : ticks(PRICE_TICKS_MAX - this.#asks.bestKey);
  }

  /** The highest bid; 0 when there is none. */
  get topBidTicks(): number {
    return this.#bids.count === 0 ? 0 : this.#bids.bestKey;
  }

  /** The lowest ask; 0 when there is none. */
  get topAskTicks(): number {
    return this.#asks.count === 0 ? 0 : PRICE_TICKS_MAX - this.#asks.bestKey;
  }

  /** Number of bid levels. */
  get bidCount(): number {
    return this.#bids.count;
  }

  /** Number of ask levels. */
  get askCount(): number {
    return this.#asks.count;
  }

  /** Does the best bid reach the best ask? */
  get isCrossed(): boolean {
    const hasBoth = this.#bids.count > 0 && this.#asks.count > 0;
    return hasBoth && this.#bids.bestKey >= PRICE_TICKS_MAX - this.#asks.bestKey;
  }

  /** Visits the levels of one side, best first, until `visit` gives false. The book must not change meanwhile. */
  forEachLevel(side: Side, visit: (priceTicks: Ticks, sizeLots: Lots) => boolean): void {
    if (side === 'buy') this.#bids.visitLevels((key, size) => visit(ticks(key), size));
    else this.#asks.visitLevels((key, size) => visit(ticks(PRICE_TICKS_MAX - key), size));
  }

  /** Writes the best levels of one side into columns, as many as these hold; how many there were. */
  fill(side: Side, priceTicks: Float64Array, sizeLots: Float64Array): number {
    if (side === 'buy') return this.#bids.fill(priceTicks, sizeLots);
    const count = this.#asks.fill(priceTicks, sizeLots);
    for (let at = 0; at < count; at++) priceTicks[at] = PRICE_TICKS_MAX - (priceTicks[at] ?? 0);
    return count;
  }

  /** Removes all levels. */
  clear(): void {
    this.#bids.clear();
    this.#asks.clear();
  }
}

/**
 * One side by key: a greater key is a better price. The best level is always in the window: what is set above it moves
 * the window, and so does the removal of its last level.
 */
class LevelSide {
  count = 0;
  /** Sizes by key minus base; 0: no level. */
  readonly #sizes = new Float64Array(SPAN);
  /** One bit a filled level of the window. */
  readonly #filled = new Int32Array(SPAN / 32);
  #base = 0;
  /** Index of the best level, -1 without levels. */
  #best = -1;
  /** Levels below the window by rising key. */
  #farKeys: number[] = [];
  #farSizes: number[] = [];

  get bestKey(): number {
    return this.#base + this.#best;
  }

  set(key: number, size: Lots): void {
    const index = key - this.#base;
    if (index < 0 || index >= SPAN) {
      this.#setOutside(key, size);
      return;
    }
    // Without branches but one: what a feed does to a book is beyond any prediction.
    const isFilled = Number(size !== 0);
    const change = Number((this.#sizes[index] ?? 0) !== 0) ^ isFilled;
    const word = index >> 5;
    this.#sizes[index] = size;
    this.#filled[word] = (this.#filled[word] ?? 0) ^ (change << (index & 31));
    this.count += change * (2 * isFilled - 1);
    if (index >= this.#best) this.#setBest(index, size);
  }

  get(key: number): Lots {
    const index = key - this.#base;
    if (index >= 0 && index < SPAN) return (this.#sizes[index] ?? 0) as Lots;
    const at = this.#rankOf(key);
    return (this.#farKeys[at] === key ? (this.#farSizes[at] ?? 0) : 0) as Lots;
  }

  visitLevels(visit: (key: number, size: Lots) => boolean): void {
    for (let index = this.#best; index >= 0; index = this.#below(index)) {
      if (!visit(this.#base + index, (this.#sizes[index] ?? 0) as Lots)) return;
    }
    for (let at = this.#farKeys.length - 1; at >= 0; at--) {
      if (!visit(this.#farKeys[at] ?? 0, (this.#farSizes[at] ?? 0) as Lots)) return;
    }
  }

  fill(keys: Float64Array, sizes: Float64Array): number {
    const countMax = Math.min(this.count, keys.length);
    let at = 0;
    for (let index = this.#best; index >= 0 && at < countMax; index = this.#below(index)) {
      keys[at] = this.#base + index;
      sizes[at] = this.#sizes[index] ?? 0;
      at++;
    }
    for (let far = this.#farKeys.length - 1; far >= 0 && at < countMax; far--) {
      keys[at] = this.#farKeys[far] ?? 0;
      sizes[at] = this.#farSizes[far] ?? 0;
      at++;
    }
    return at;
  }

  clear(): void {
    this.#emptyWindow();
    this.#farKeys = [];
    this.#farSizes = [];
    this.count = 0;
  }

  /** A level at or above the best one was set or removed. */
  #setBest(index: number, size: Lots): void {
    if (size !== 0) {
      this.#best = index;
      return;
    }
    if (index !== this.#best) return;
    this.#best = this.#below(index);
    const top = this.#farKeys.at(-1);
    if (this.#best < 0 && top !== undefined) this.#moveTo(top);
  }

  #setOutside(key: number, size: Lots): void {
    if (size !== 0) {
      const isAbove = key >= this.#base + SPAN;
      const isFollowing = this.#best < LOW && key >= this.bestKey - HOME;
      if (this.count === 0 || isAbove) this.#moveTo(key);
      else if (isFollowing) this.#moveTo(this.bestKey);
      if (key >= this.#base) {
        this.set(key, size);
        return;
      }
    }
    const at = this.#rankOf(key);
    const isThere = this.#farKeys[at] === key;
    if (isThere && size !== 0) this.#farSizes[at] = size;
    else if (isThere) {
      this.#farKeys.splice(at, 1);
      this.#farSizes.splice(at, 1);
      this.count--;
    } else if (size !== 0) {
      this.#farKeys.splice(at, 0, key);
      this.#farSizes.splice(at, 0, size);
      this.count++;
    }
  }

  /** Moves the window so that `key`, at or above every level, stands at home. */
  #moveTo(key: number): void {
    const keys = this.#farKeys;
    const sizes = this.#farSizes;
    for (let index = this.#above(-1); index >= 0; index = this.#above(index)) {
      keys.push(this.#base + index);
      sizes.push(this.#sizes[index] ?? 0);
    }
    this.#emptyWindow();
    this.#base = key - HOME;
    const inside = this.#rankOf(this.#base);
    this.count = inside;
    const nearKeys = keys.splice(inside);
    const nearSizes = sizes.splice(inside);
    for (const [at, near] of nearKeys.entries()) this.set(near, (nearSizes[at] ?? 0) as Lots);
  }

  /** By the bitmap: a feed of whole books does this with every frame, and a window is mostly empty. */
  #emptyWindow(): void {
    const sizes = this.#sizes;
    const filled = this.#filled;
    for (let word = 0; word < filled.length; word++) {
      if (filled[word] === 0) continue;
      filled[word] = 0;
      sizes.fill(0, word << 5, (word + 1) << 5);
    }
    this.#best = -1;
  }

  /** The place of `key` among the far levels, or where it belongs. */
  #rankOf(key: number): number {
    let low = 0;
    let high = this.#farKeys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#farKeys[middle] ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The filled level of the window next below `index`; -1: none. */
  #below(index: number): number {
    let word = index >> 5;
    let bits = (this.#filled[word] ?? 0) & ((1 << (index & 31)) - 1);
    while (bits === 0) {
      if (--word < 0) return -1;
      bits = this.#filled[word] ?? 0;
    }
    return (word << 5) | (31 - Math.clz32(bits));
  }

  /** The filled level of the window next above `index`; -1: none. */
  #above(index: number): number {
    let word = (index + 1) >> 5;
    let bits = (this.#filled[word] ?? 0) & (-1 << ((index + 1) & 31));
    while (bits === 0) {
      if (++word >= SPAN / 32) return -1;
      bits = this.#filled[word] ?? 0;
    }
    return (word << 5) | (31 - Math.clz32(bits & -bits));
  }
}
