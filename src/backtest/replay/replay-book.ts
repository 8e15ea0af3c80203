/**
 * @module
 * One market's book as the bot sees it in a replay: levels are kept by price, and the sorted arrays that strategies read
 * are filled only when somebody reads them (performance C13). As deep as the book channel of the gateway shows it.
 */
import type { UnixMs } from '../../core/index.ts';
import {
  type Book,
  LevelBook,
  type Lots,
  type MarketSymbol,
  type Side,
  type Ticks,
} from '../../domain/index.ts';

/** Levels of one side that are shown: those of the gateway's book channel. */
export const BOOK_LEVELS_SHOWN = 20;

/** See the module. The same object each time; the arrays are overwritten by the next frame. */
export class ReplayBook implements Book {
  readonly symbol: MarketSymbol;
  receivedAtMs = 0 as UnixMs;
  isFresh = false;
  readonly #levels = new LevelBook();
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
    this.#levels.set('buy', priceTicks as Ticks, sizeLots as Lots);
  }

  /** As {@link setBid}. */
  setAsk(priceTicks: number, sizeLots: number): void {
    this.#areAsksOld = true;
    this.#levels.set('sell', priceTicks as Ticks, sizeLots as Lots);
  }

  /** Adds to the size at a price, or takes from it. */
  add(side: Side, priceTicks: number, changeLots: number): void {
    const before: number = this.#levels.sizeAt(side, priceTicks as Ticks);
    const sizeLots = Math.max(0, before + changeLots);
    if (side === 'buy') this.setBid(priceTicks, sizeLots);
    else this.setAsk(priceTicks, sizeLots);
  }

  /** Does the best bid reach the best ask? */
  get isCrossed(): boolean {
    return this.#levels.isCrossed;
  }

  /** Removes all levels. */
  clear(): void {
    this.#areBidsOld = true;
    this.#areAsksOld = true;
    this.#levels.clear();
  }

  get topBidTicks(): number {
    return this.#levels.topBidTicks;
  }

  get topAskTicks(): number {
    return this.#levels.topAskTicks;
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
    this.#bidCount = this.#levels.fill('buy', this.#bidTicks, this.#bidLots);
  }

  #readAsks(): void {
    this.#areAsksOld = false;
    this.#askCount = this.#levels.fill('sell', this.#askTicks, this.#askLots);
  }
}
