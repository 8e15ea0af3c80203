/**
 * @module One market's book as the bot sees it in a replay: levels are kept by price, and the sorted arrays that
 * strategies read are filled only when they are read. As deep as the book channel of the gateway shows it.
 */
import type { UnixMs, VirtualClock } from '../../../core/index.ts';
import {
  ASK_KEY_TOP,
  type Book,
  EVENT,
  LevelSide,
  type Lots,
  type MarketSymbol,
  type Side,
} from '../../../domain/index.ts';

/** Levels of one side that are shown: those of the gateway's book channel. */
const BOOK_LEVELS_SHOWN = 20;

/** The two sides, by the kinds of rows that set a level of them: one bit each. */
const BIDS = EVENT.bidLevel;
const ASKS = EVENT.askLevel;
/** By a name of this module: what another one exports is looked up and checked with every row. */
const TOP = ASK_KEY_TOP;

/** See the module. The same object each time; the arrays are overwritten by the next frame. */
export class ReplayBook implements Book {
  readonly symbol: MarketSymbol;
  /** A mark of the clock: the time is computed when it is read. */
  receivedMark = Number.NaN;
  isFresh = false;
  /** By the keys of a side: a greater one is the better price. */
  readonly bids = new LevelSide();
  readonly asks = new LevelSide();
  readonly #bidTicks = new Float64Array(BOOK_LEVELS_SHOWN);
  readonly #bidLots = new Float64Array(BOOK_LEVELS_SHOWN);
  readonly #askTicks = new Float64Array(BOOK_LEVELS_SHOWN);
  readonly #askLots = new Float64Array(BOOK_LEVELS_SHOWN);
  #bidCount = 0;
  #askCount = 0;
  /** By the kinds of rows that set a level. */
  readonly #sides: readonly LevelSide[] = [this.bids, this.bids, this.asks];
  /** What was read of the levels and is not what they are any more, by a bit each. */
  #old = 0;
  readonly #clock: Pick<VirtualClock, 'timeOf'>;

  constructor(symbol: MarketSymbol, clock: Pick<VirtualClock, 'timeOf'>) {
    this.#clock = clock;
    this.symbol = symbol;
  }

  /**
   * Sets the total size at a price of a row of kind `bidLevel` or `askLevel`; 0 removes the level. The side of a row is
   * unpredictable, for a processor too: it is looked up, without a branch.
   */
  set(kind: number, priceTicks: number, sizeLots: number): void {
    const key = priceTicks > TOP ? keyOf(kind, priceTicks) : priceTicks ^ (TOP * (kind >> 1));
    this.#old |= kind;
    (this.#sides[kind] as LevelSide).set(key, sizeLots as Lots);
  }

  /** Adds to the size at a price, or takes from it. */
  add(side: Side, priceTicks: number, changeLots: number): void {
    const kind = side === 'buy' ? BIDS : ASKS;
    const before = (this.#sides[kind] as LevelSide).get(keyOf(kind, priceTicks));
    this.set(kind, priceTicks, Math.max(0, before + changeLots));
  }

  /** True if the best bid reaches the best ask. A method: compilers take it in before any getter. */
  isCrossed(): boolean {
    const { bids, asks } = this;
    return bids.count > 0 && asks.count > 0 && bids.bestKey >= TOP - asks.bestKey;
  }

  /** Removes all levels. */
  clear(): void {
    this.#old = BIDS | ASKS;
    this.bids.clear();
    this.asks.clear();
  }

  get receivedAtMs(): UnixMs {
    return this.#clock.timeOf(this.receivedMark);
  }

  get topBidTicks(): number {
    return this.bids.count === 0 ? 0 : this.bids.bestKey;
  }

  get topAskTicks(): number {
    return this.asks.count === 0 ? 0 : TOP - this.asks.bestKey;
  }

  get bidCount(): number {
    if ((this.#old & BIDS) !== 0) this.#readBids();
    return this.#bidCount;
  }

  get bidTicks(): Float64Array {
    if ((this.#old & BIDS) !== 0) this.#readBids();
    return this.#bidTicks;
  }

  get bidLots(): Float64Array {
    if ((this.#old & BIDS) !== 0) this.#readBids();
    return this.#bidLots;
  }

  get askCount(): number {
    if ((this.#old & ASKS) !== 0) this.#readAsks();
    return this.#askCount;
  }

  get askTicks(): Float64Array {
    if ((this.#old & ASKS) !== 0) this.#readAsks();
    return this.#askTicks;
  }

  get askLots(): Float64Array {
    if ((this.#old & ASKS) !== 0) this.#readAsks();
    return this.#askLots;
  }

  #readBids(): void {
    this.#old &= ~BIDS;
    this.#bidCount = this.bids.fill(this.#bidTicks, this.#bidLots);
  }

  #readAsks(): void {
    this.#old &= ~ASKS;
    const askTicks = this.#askTicks;
    this.#askCount = this.asks.fill(askTicks, this.#askLots);
    for (let at = 0; at < this.#askCount; at++) askTicks[at] = TOP - (askTicks[at] ?? 0);
  }
}

function keyOf(kind: number, priceTicks: number): number {
  return kind === ASKS ? TOP - priceTicks : priceTicks;
}
