/**
 * @module
 * The order book core: price-time priority over numbers in typed arrays, nothing allocated per order. An order is a
 * slot; the caller keeps what else belongs to it by slot. The book takes and rests, it knows no time in force, no
 * account and no money: those come in through {@link MakerPolicy} and through who calls it.
 */
import { enlarged, PriceLevels } from './price-levels.ts';

/** Side of the book as a number: 0 bids (buy), 1 asks (sell). */
export type BookSide = 0 | 1;
/** The buying side. */
export const BUY: BookSide = 0;
/** The selling side. */
export const SELL: BookSide = 1;

/** Says how much of each resting order may trade, and hears of it. Must not change the book while it is asked. */
export interface MakerPolicy {
  /** Lots of the order in `slot` that may trade now, at most what rests; 0: it must leave the book. */
  lotsAllowed(slot: number): number;
  /** The order in `slot` traded; the book is already changed, the slot is not yet reused. */
  onFilled(slot: number, lots: number, priceTicks: number): void;
  /** The order in `slot` left the book because nothing of it was allowed to trade. */
  onDropped(slot: number): void;
}

/** A book of one market. Prices are whole ticks from 0 to 2^32 - 1, sizes whole lots. */
export class OrderBook {
  /** Trades and lots traded since the beginning. */
  tradeCount = 0;
  tradedLots = 0;
  #restingCount = 0;
  readonly #levels = new PriceLevels();
  #bestBid = -1;
  #bestAsk = -1;
  #bidPrice = -1;
  #askPrice = Number.POSITIVE_INFINITY;
  #next: Int32Array<ArrayBufferLike>;
  #previous: Int32Array<ArrayBufferLike>;
  #level: Int32Array<ArrayBufferLike>;
  #lots: Float64Array<ArrayBufferLike>;
  #ids: Float64Array<ArrayBufferLike>;
  #freeSlot = -1;
  #usedSlots = 0;

  constructor(orders = 1024) {
    this.#next = new Int32Array(orders);
    this.#previous = new Int32Array(orders);
    this.#level = new Int32Array(orders);
    this.#lots = new Float64Array(orders);
    this.#ids = new Float64Array(orders).fill(-1);
  }

  /** Orders in the book. */
  get restingCount(): number {
    return this.#restingCount;
  }

  /** Best bid in ticks; -1: none. */
  get bidTicks(): number {
    return this.#bidPrice;
  }

  /** Best ask in ticks; infinite: none. */
  get askTicks(): number {
    return this.#askPrice;
  }

  /** True if an order of this side and price would trade at once. */
  crosses(side: BookSide, priceTicks: number): boolean {
    return side === BUY ? priceTicks >= this.#askPrice : priceTicks <= this.#bidPrice;
  }

  /**
   * Takes up to `lots` from the other side at `limitTicks` or better: best price first, earlier time first, at the
   * price of the resting order. Gives the lots left over.
   */
  take(side: BookSide, lots: number, limitTicks: number, policy?: MakerPolicy): number {
    const levels = this.#levels;
    let left = lots;
    while (left > 0) {
      if (side === BUY ? this.#askPrice > limitTicks : this.#bidPrice < limitTicks || this.#bidPrice < 0)
        break;
      const level = side === BUY ? this.#bestAsk : this.#bestBid;
      const price = side === BUY ? this.#askPrice : this.#bidPrice;
      const slot = levels.head[level] ?? 0;
      const resting = this.#lots[slot] ?? 0;
      const allowed = policy === undefined ? resting : policy.lotsAllowed(slot);
      if (allowed === 0) {
        this.#unlink(slot, level);
        policy?.onDropped(slot);
        this.#release(slot);
        continue;
      }
      const traded = allowed < left ? allowed : left;
      left -= traded;
      this.tradeCount++;
      this.tradedLots += traded;
      if (traded === resting) this.#unlink(slot, level);
      else {
        this.#lots[slot] = resting - traded;
        levels.lots[level] = (levels.lots[level] ?? 0) - traded;
      }
      policy?.onFilled(slot, traded, price);
      if (traded === resting) this.#release(slot);
    }
    return left;
  }

  /** Rests an order after those of its price and gives its slot. It must not cross: take first. */
  rest(id: number, side: BookSide, priceTicks: number, lots: number): number {
    const levels = this.#levels;
    const level = levels.levelAt(priceTicks);
    const slot = this.#allocate();
    const tail = levels.tail[level] ?? -1;
    this.#level[slot] = level;
    this.#lots[slot] = lots;
    this.#ids[slot] = id;
    this.#next[slot] = -1;
    this.#previous[slot] = tail;
    levels.tail[level] = slot;
    levels.lots[level] = (levels.lots[level] ?? 0) + lots;
    this.#restingCount++;
    if (tail >= 0) this.#next[tail] = slot;
    else {
      levels.head[level] = slot;
      levels.fill(level);
      if (side === BUY) {
        if (priceTicks > this.#bidPrice) {
          this.#bestBid = level;
          this.#bidPrice = priceTicks;
        }
      } else if (priceTicks < this.#askPrice) {
        this.#bestAsk = level;
        this.#askPrice = priceTicks;
      }
    }
    return slot;
  }

  /** Takes what crosses and rests the remainder: its slot, or -1 when nothing is left. */
  limit(id: number, side: BookSide, priceTicks: number, lots: number): number {
    const left = this.take(side, lots, priceTicks);
    return left > 0 ? this.rest(id, side, priceTicks, left) : -1;
  }

  /** Takes at any price; gives the lots without a counterparty. */
  market(side: BookSide, lots: number): number {
    return this.take(side, lots, side === BUY ? Number.MAX_SAFE_INTEGER : 0);
  }

  /** Removes the order `id` from its slot and gives its lots; 0 when another or none is there. */
  cancel(slot: number, id: number): number {
    if (slot < 0 || this.#ids[slot] !== id) return 0;
    const lots = this.#lots[slot] ?? 0;
    this.#unlink(slot, this.#level[slot] ?? 0);
    this.#release(slot);
    return lots;
  }

  /**
   * Takes up to `lots` of the order `id` away, whose rest keeps its queue position. Gives what was taken; 0 as for
   * {@link cancel}.
   */
  reduce(slot: number, id: number, lots: number): number {
    if (slot < 0 || this.#ids[slot] !== id) return 0;
    const resting = this.#lots[slot] ?? 0;
    if (lots >= resting) return this.cancel(slot, id);
    const level = this.#level[slot] ?? 0;
    this.#lots[slot] = resting - lots;
    this.#levels.lots[level] = (this.#levels.lots[level] ?? 0) - lots;
    return lots;
  }

  /** The number of the order in a slot; -1: none. */
  idIn(slot: number): number {
    return this.#ids[slot] ?? -1;
  }

  /** Lots resting in a slot. */
  lotsIn(slot: number): number {
    return this.#lots[slot] ?? 0;
  }

  /** Visits the levels of one side, best first, until `visit` gives false. */
  forEachLevel(side: BookSide, visit: (priceTicks: number, lots: number) => boolean): void {
    const levels = this.#levels;
    let level = side === BUY ? this.#bestBid : this.#bestAsk;
    while (level >= 0 && visit(levels.priceOf(level), levels.lots[level] ?? 0)) {
      level = side === BUY ? levels.below(level) : levels.above(level);
    }
  }

  /** Visits the orders of one side in priority until `visit` gives false. */
  forEachOrder(side: BookSide, visit: (slot: number, priceTicks: number, lots: number) => boolean): void {
    const levels = this.#levels;
    let level = side === BUY ? this.#bestBid : this.#bestAsk;
    while (level >= 0) {
      const price = levels.priceOf(level);
      for (let slot = levels.head[level] ?? -1; slot >= 0; slot = this.#next[slot] ?? -1) {
        if (!visit(slot, price, this.#lots[slot] ?? 0)) return;
      }
      level = side === BUY ? levels.below(level) : levels.above(level);
    }
  }

  #unlink(slot: number, level: number): void {
    const levels = this.#levels;
    const next = this.#next[slot] ?? -1;
    const previous = this.#previous[slot] ?? -1;
    if (previous < 0) levels.head[level] = next;
    else this.#next[previous] = next;
    if (next < 0) levels.tail[level] = previous;
    else this.#previous[next] = previous;
    levels.lots[level] = (levels.lots[level] ?? 0) - (this.#lots[slot] ?? 0);
    this.#restingCount--;
    if (previous < 0 && next < 0) this.#leaveLevel(level);
  }

  /** The level has no order left: the best price moves on before the level (and perhaps its page) goes. */
  #leaveLevel(level: number): void {
    const levels = this.#levels;
    if (level === this.#bestBid) {
      this.#bestBid = levels.below(level);
      this.#bidPrice = this.#bestBid < 0 ? -1 : levels.priceOf(this.#bestBid);
    } else if (level === this.#bestAsk) {
      this.#bestAsk = levels.above(level);
      this.#askPrice = this.#bestAsk < 0 ? Number.POSITIVE_INFINITY : levels.priceOf(this.#bestAsk);
    }
    levels.empty(level);
  }

  /** A free slot; free ones are chained through `next`. */
  #allocate(): number {
    const slot = this.#freeSlot;
    if (slot >= 0) {
      this.#freeSlot = this.#next[slot] ?? -1;
      return slot;
    }
    if (this.#usedSlots === this.#lots.length) this.#grow();
    return this.#usedSlots++;
  }

  #release(slot: number): void {
    this.#ids[slot] = -1;
    this.#next[slot] = this.#freeSlot;
    this.#freeSlot = slot;
  }

  #grow(): void {
    const orders = this.#lots.length * 2;
    this.#next = enlarged(this.#next, new Int32Array(orders));
    this.#previous = enlarged(this.#previous, new Int32Array(orders));
    this.#level = enlarged(this.#level, new Int32Array(orders));
    this.#lots = enlarged(this.#lots, new Float64Array(orders));
    this.#ids = enlarged(this.#ids, new Float64Array(orders).fill(-1));
  }
}
