/**
 * @module
 * One market's book as the bot sees it in a replay: levels are kept by price, and the sorted arrays that strategies read
 * are filled only when somebody reads them (performance C13). As deep as the book channel of the gateway shows it.
 */
import type { UnixMs } from '../../core/index.ts';
import {
  ASK_KEY_TOP,
  type Book,
  LevelSide,
  type Lots,
  type MarketSymbol,
  type Side,
} from '../../domain/index.ts';

/** Levels of one side that are shown: those of the gateway's book channel. */
export const BOOK_LEVELS_SHOWN = 20;

/** See the module. The same object each time; the arrays are overwritten by the next frame. */
export class ReplayBook implements Book {
  readonly symbol: MarketSymbol;
  receivedAtMs = 0 as UnixMs;
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
  #areBidsOld = false;
  #areAsksOld = false;

  constructor(symbol: MarketSymbol) {
    this.symbol = symbol;
  }

  /** Sets the total size at a price; 0 removes the level. */
  setBid(priceTicks: number, sizeLots: number): void {
    this.#areBidsOld = true;
    this.bids.set(priceTicks, sizeLots as Lots);
  }

  /** As {@link setBid}. */
  setAsk(priceTicks: number, sizeLots: number): void {
    this.#areAsksOld = true;
    this.asks.set(ASK_KEY_TOP - priceTicks, sizeLots as Lots);
  }

  /** Adds to the size at a price, or takes from it. */
  add(side: Side, priceTicks: number, changeLots: number): void {
    if (side === 'buy') this.setBid(priceTicks, Math.max(0, this.bids.get(priceTicks) + changeLots));
    else this.setAsk(priceTicks, Math.max(0, this.asks.get(ASK_KEY_TOP - priceTicks) + changeLots));
  }

  /** Does the best bid reach the best ask? */
  get isCrossed(): boolean {
    const [bids, asks] = [this.bids, this.asks];
    return bids.count > 0 && asks.count > 0 && bids.bestKey >= ASK_KEY_TOP - asks.bestKey;
  }

  /** Removes all levels. */
  clear(): void {
    this.#areBidsOld = true;
    this.#areAsksOld = true;
    this.bids.clear();
    this.asks.clear();
  }

  get topBidTicks(): number {
    return this.bids.count === 0 ? 0 : this.bids.bestKey;
  }

  get topAskTicks(): number {
    return this.asks.count === 0 ? 0 : ASK_KEY_TOP - this.asks.bestKey;
  }

  get bidCount(): number {
    if (this.#areBidsOld) this.#readBids();
    return this.#bidCount;
  }

  get bidTicks(): Float64Array {
    if (this.#areBidsOld) this.#readBids();
    return this.#bidTicks;
  }

  get bidLots(): Float64Array {
    if (this.#areBidsOld) this.#readBids();
    return this.#bidLots;
  }

  get askCount(): number {
    if (this.#areAsksOld) this.#readAsks();
    return this.#askCount;
  }

  get askTicks(): Float64Array {
    if (this.#areAsksOld) this.#readAsks();
    return this.#askTicks;
  }

  get askLots(): Float64Array {
    if (this.#areAsksOld) this.#readAsks();
    return this.#askLots;
  }

  #readBids(): void {
    this.#areBidsOld = false;
    this.#bidCount = this.bids.fill(this.#bidTicks, this.#bidLots);
  }

  #readAsks(): void {
    this.#areAsksOld = false;
    const askTicks = this.#askTicks;
    this.#askCount = this.asks.fill(askTicks, this.#askLots);
    for (let at = 0; at < this.#askCount; at++) askTicks[at] = ASK_KEY_TOP - (askTicks[at] ?? 0);
  }
}
