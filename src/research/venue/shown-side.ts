/**
 * @module One side of a recorded market as its levels show it, and what was taken of them here. What was taken stays
 * taken while the level is shown, at most as much as it shows: liquidity taken once is not there a second time (P13). A
 * level that grows has new liquidity; one that was gone restarts.
 */
import { ASK_KEY_TOP, LevelSide, type Lots, NO_KEY } from '../../domain/index.ts';
import type { LocalOrder } from './local-order.ts';

/** See the module. Prices are ticks, sizes lots. */
export class ShownSide {
  readonly #levels = new LevelSide();
  readonly #isBid: boolean;
  /** Lots taken, by price. */
  readonly #taken = new Map<number, number>();
  #isVoid = false;
  /** True if anything is taken. Checked with every row. */
  #hasTaken = false;
  /** See {@link watch}: by the keys of this side. */
  #reachKey = ASK_KEY_TOP;
  #ownTop = -1;
  #ownLow = 0;

  constructor(isBid: boolean) {
    this.#isBid = isBid;
  }

  /** Shows `lots` at a price, 0: none. Gives what was shown before. */
  set(price: number, lots: number): number {
    const before: number = this.#levels.set(this.#turned(price), lots as Lots);
    if (this.#hasTaken && before !== lots && !this.#isVoid) this.#cap(price, lots);
    return before;
  }

  /**
   * Marks the levels at which orders of this side (`own`) may rest, where levels are shown every `step` ticks, and from
   * which on they reach those of the other side (`other`). Both best first.
   */
  watch(own: readonly LocalOrder[], other: readonly LocalOrder[], step: number): void {
    const best = own[0]?.terms.priceTicks;
    // An index below the first one would be looked for as a name.
    const worst = own[Math.max(0, own.length - 1)]?.terms.priceTicks;
    const reached = other[0]?.terms.priceTicks;
    this.#reachKey = reached === undefined ? ASK_KEY_TOP : this.#turned(reached);
    // A level is at the price of an order or less than a step below it.
    const shift = step - 1;
    this.#ownTop = best === undefined ? -1 : this.#turned(this.#isBid ? best : best - shift);
    this.#ownLow = worst === undefined ? 0 : this.#turned(this.#isBid ? worst - shift : worst);
  }

  /** As {@link set} by the key of a price; false, and nothing was set: it is one of the levels marked by {@link watch}. */
  pass(key: number, lots: number): boolean {
    if (key >= this.#reachKey || (key <= this.#ownTop && key >= this.#ownLow)) return false;
    const before: number = this.#levels.set(key, lots as Lots);
    if (this.#hasTaken && before !== lots) this.#cap(this.#turned(key), lots);
    return true;
  }

  /** What is shown at a price. */
  lotsAt(price: number): number {
    return this.#levels.get(this.#turned(price));
  }

  /** What was taken at a price. */
  takenAt(price: number): number {
    return this.#hasTaken ? (this.#taken.get(price) ?? 0) : 0;
  }

  /** What is shown at a price and not taken. */
  availableAt(price: number): number {
    return Math.max(0, this.lotsAt(price) - this.takenAt(price));
  }

  /** Takes lots at a price. */
  take(price: number, lots: number): void {
    if (lots <= 0) return;
    this.#taken.set(price, this.takenAt(price) + lots);
    this.#hasTaken = true;
  }

  /** True if it is shown as it is, with nothing taken of it. */
  get isWhole(): boolean {
    return !this.#isVoid && !this.#hasTaken;
  }

  /** Shows these levels, by the keys of this side, and no others. To be called while it is whole. */
  copy(levels: LevelSide): void {
    this.#levels.copy(levels);
  }

  /** The best price that is shown; -1: none. */
  get best(): number {
    return this.#levels.count === 0 ? -1 : this.#turned(this.#levels.bestKey);
  }

  /** The level that contains a price, where levels are shown every `step` ticks and hold what rests from theirs up; -1: none. */
  levelOf(price: number, step: number): number {
    for (let at = price; at > price - step && at >= 0; at--) if (this.lotsAt(at) > 0) return at;
    return -1;
  }

  /** True if a level is shown at this price or at a worse one. */
  reachesDownTo(price: number): boolean {
    return this.#levels.nextBelow(this.#turned(price) + 1) !== NO_KEY;
  }

  /** The best price with something left; -1: none. */
  get bestAvailable(): number {
    let price = this.best;
    if (!this.#hasTaken) return price;
    while (price >= 0 && this.availableAt(price) === 0) price = this.nextWorse(price);
    return price;
  }

  /** The next price that is shown after this one; -1: none. */
  nextWorse(price: number): number {
    const key = this.#levels.nextBelow(this.#turned(price));
    return key === NO_KEY ? -1 : this.#turned(key);
  }

  /** What was shown is void: the whole book follows, until {@link settle}. What was taken is remembered meanwhile. */
  void(): void {
    this.#isVoid = true;
    this.#levels.clear();
  }

  /** The whole book was shown. */
  settle(): void {
    this.#isVoid = false;
    for (const price of [...this.#taken.keys()]) this.#cap(price, this.lotsAt(price));
  }

  #cap(price: number, lots: number): void {
    const taken = this.#taken.get(price);
    if (taken === undefined) return;
    if (lots === 0) this.#taken.delete(price);
    else if (taken > lots) this.#taken.set(price, lots);
    this.#hasTaken = this.#taken.size > 0;
  }

  /** The key of a price, and the price of a key. */
  #turned(price: number): number {
    return this.#isBid ? price : ASK_KEY_TOP - price;
  }
}
