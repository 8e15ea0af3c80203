/**
 * @module
 * One side of a book by key: a greater key is a better price. A window of ticks on a typed array around the best level,
 * with a bitmap of its filled levels, and a sorted list for the levels deeper than the window. The best
 * level is always in the window: what is set above it moves the window, and so does the removal of its last level.
 */
import type { Lots } from './units.ts';

/** Ticks in the window of one side: 128 KiB of sizes. */
const SPAN = 16_384;
/** Where the best level is after the window has moved: room to rise, more room to fall. */
const HOME = (SPAN / 4) * 3;
/** Below this the window follows a falling best level as soon as a level is set beneath it. */
const LOW = SPAN / 4;

/** What the key of an ask is left of its price to. So the keys of all prices are integers of 32 bits, which are fast. */
export const ASK_KEY_TOP = 0x7fff_ffff;
/** No level: below the key of every price. */
export const NO_KEY = -0x8000_0001;

/** See the module. Keys are ticks of bids, and {@link ASK_KEY_TOP} less the ticks of asks. */
export class LevelSide {
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

  /** To be read when there is a level. */
  get bestKey(): number {
    return this.#base + this.#best;
  }

  /** Sets the size of a level, 0: none. Gives the size before. */
  set(key: number, size: Lots): Lots {
    const index = key - this.#base;
    if (index < 0 || index >= SPAN) return this.#setOutside(key, size);
    const sizes = this.#sizes;
    const before = sizes[index] as Lots;
    sizes[index] = size;
    // Without branches but one: what a feed does to a book is beyond any prediction.
    const isFilled = +(size !== 0);
    const wasFilled = +(before !== 0);
    const filled = this.#filled;
    const word = index >> 5;
    filled[word] = (filled[word] as number) ^ ((wasFilled ^ isFilled) << (index & 31));
    this.count += isFilled - wasFilled;
    if (index >= this.#best) this.#setBest(index, size);
    return before;
  }

  /** The size of a level, 0: none. */
  get(key: number): Lots {
    const index = key - this.#base;
    if (index >= 0 && index < SPAN) return (this.#sizes[index] ?? 0) as Lots;
    const at = this.#rankOf(key);
    return (this.#farKeys[at] === key ? (this.#farSizes[at] ?? 0) : 0) as Lots;
  }

  /** The next level below a key; {@link NO_KEY}: none. */
  nextBelow(key: number): number {
    const index = Math.min(key - this.#base, this.#best + 1);
    const near = index > 0 ? this.#below(index) : -1;
    return near >= 0 ? this.#base + near : (this.#farKeys[this.#rankOf(key) - 1] ?? NO_KEY);
  }

  /** Visits the levels, best first, until `visit` gives false. */
  visitLevels(visit: (key: number, size: Lots) => boolean): void {
    for (let index = this.#best; index >= 0; index = this.#below(index)) {
      if (!visit(this.#base + index, (this.#sizes[index] ?? 0) as Lots)) return;
    }
    for (let at = this.#farKeys.length - 1; at >= 0; at--) {
      if (!visit(this.#farKeys[at] ?? 0, (this.#farSizes[at] ?? 0) as Lots)) return;
    }
  }

  /** Writes the best levels into arrays, as many as they hold. Gives how many. */
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

  /** Becomes what `other` is. */
  copy(other: LevelSide): void {
    this.#emptyWindow(this.count - this.#farKeys.length);
    this.count = other.count;
    this.#base = other.#base;
    this.#best = other.#best;
    this.#farKeys = other.#farKeys.slice();
    this.#farSizes = other.#farSizes.slice();
    let left = this.count - this.#farKeys.length;
    for (let word = this.#best >> 5; left > 0; word--) {
      const bits = other.#filled[word] ?? 0;
      if (bits === 0) continue;
      this.#filled[word] = bits;
      for (let at = word << 5; at < (word + 1) << 5; at++) this.#sizes[at] = other.#sizes[at] ?? 0;
      left -= bitsIn(bits);
    }
  }

  /** Removes all levels. */
  clear(): void {
    this.#emptyWindow(this.count - this.#farKeys.length);
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

  #setOutside(key: number, size: Lots): Lots {
    if (size !== 0) {
      const isAbove = key >= this.#base + SPAN;
      const isFollowing = this.#best < LOW && key >= this.bestKey - HOME;
      if (this.count === 0 || isAbove) this.#moveTo(key);
      else if (isFollowing) this.#moveTo(this.bestKey);
      if (key >= this.#base) return this.set(key, size);
    }
    const at = this.#rankOf(key);
    const isThere = this.#farKeys[at] === key;
    const before = (isThere ? (this.#farSizes[at] ?? 0) : 0) as Lots;
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
    return before;
  }

  /** Moves the window so that `key`, at or above every level, is at its home position. */
  #moveTo(key: number): void {
    const keys = this.#farKeys;
    const sizes = this.#farSizes;
    const far = keys.length;
    for (let index = this.#above(-1); index >= 0; index = this.#above(index)) {
      keys.push(this.#base + index);
      sizes.push(this.#sizes[index] ?? 0);
    }
    this.#emptyWindow(keys.length - far);
    this.#base = key - HOME;
    const inside = this.#rankOf(this.#base);
    this.count = inside;
    const nearKeys = keys.splice(inside);
    const nearSizes = sizes.splice(inside);
    for (const [at, near] of nearKeys.entries()) this.set(near, (nearSizes[at] ?? 0) as Lots);
  }

  /**
   * Removes the `levels` of the window, from the best one down: a feed of whole books does this with every frame, and they
   * are close together.
   */
  #emptyWindow(levels: number): void {
    const filled = this.#filled;
    let left = levels;
    for (let word = this.#best >> 5; left > 0; word--) {
      const bits = filled[word] ?? 0;
      if (bits === 0) continue;
      filled[word] = 0;
      this.#sizes.fill(0, word << 5, (word + 1) << 5);
      left -= bitsIn(bits);
    }
    this.#best = -1;
  }

  /** The index of `key` among the far levels, or where it belongs. */
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

/** How many bits are set, of 32. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
