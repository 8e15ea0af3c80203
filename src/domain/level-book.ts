/**
 * @module
 * A book of total sizes by price, kept by single changes: the state of a feed of differences. Takes what
 * it is given: it does not reject a crossed book, and it knows no update ids. Books that arrive whole are not for it: see
 * `Book`.
 */
import { ASK_KEY_TOP, LevelSide } from './level-side.ts';
import type { Side } from './side.ts';
import { type Lots, type Ticks, ticks } from './units.ts';

/** The bids and asks of one market by price. */
export class LevelBook {
  readonly #bids = new LevelSide();
  readonly #asks = new LevelSide();

  /** Sets the total size at a price; 0 removes the level. */
  set(side: Side, priceTicks: Ticks, sizeLots: Lots): void {
    if (side === 'buy') this.#bids.set(priceTicks, sizeLots);
    else this.#asks.set(ASK_KEY_TOP - priceTicks, sizeLots);
  }

  /** The total size at a price; 0 when there is no level. */
  sizeAt(side: Side, priceTicks: Ticks): Lots {
    return side === 'buy' ? this.#bids.get(priceTicks) : this.#asks.get(ASK_KEY_TOP - priceTicks);
  }

  /** The highest bid; `undefined` when there is none. */
  get bidTicks(): Ticks | undefined {
    return this.#bids.count === 0 ? undefined : ticks(this.#bids.bestKey);
  }

  /** The lowest ask; `undefined` when there is none. */
  get askTicks(): Ticks | undefined {
    return this.#asks.count === 0 ? undefined : ticks(ASK_KEY_TOP - this.#asks.bestKey);
  }

  /** The highest bid; 0 when there is none. */
  get topBidTicks(): number {
    return this.#bids.count === 0 ? 0 : this.#bids.bestKey;
  }

  /** The lowest ask; 0 when there is none. */
  get topAskTicks(): number {
    return this.#asks.count === 0 ? 0 : ASK_KEY_TOP - this.#asks.bestKey;
  }

  /** Number of bid levels. */
  get bidCount(): number {
    return this.#bids.count;
  }

  /** Number of ask levels. */
  get askCount(): number {
    return this.#asks.count;
  }

  /** True if the best bid reaches the best ask. */
  get isCrossed(): boolean {
    const hasBoth = this.#bids.count > 0 && this.#asks.count > 0;
    return hasBoth && this.#bids.bestKey >= ASK_KEY_TOP - this.#asks.bestKey;
  }

  /** Visits the levels of one side, best first, until `visit` gives false. The book must not change meanwhile. */
  forEachLevel(side: Side, visit: (priceTicks: Ticks, sizeLots: Lots) => boolean): void {
    if (side === 'buy') this.#bids.visitLevels((key, size) => visit(ticks(key), size));
    else this.#asks.visitLevels((key, size) => visit(ticks(ASK_KEY_TOP - key), size));
  }

  /** Writes the best levels of one side into columns, as many as these hold; how many there were. */
  fill(side: Side, priceTicks: Float64Array, sizeLots: Float64Array): number {
    if (side === 'buy') return this.#bids.fill(priceTicks, sizeLots);
    const count = this.#asks.fill(priceTicks, sizeLots);
    for (let at = 0; at < count; at++) priceTicks[at] = ASK_KEY_TOP - (priceTicks[at] ?? 0);
    return count;
  }

  /** Removes all levels. */
  clear(): void {
    this.#bids.clear();
    this.#asks.clear();
  }
}
