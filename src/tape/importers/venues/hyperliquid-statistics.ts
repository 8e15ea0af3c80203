/** @module The statistics of a Hyperliquid recording that prove a reader right. It does not check them. */
import { formatScaled } from '../../../core/index.ts';

/** The statistics of one market; times of the exchange in Unix ms, the volume over all records as decimal text. */
export interface HyperliquidStatistics {
  /** Number of recorded books. */
  readonly bookRows: number;
  /** First exchange time, Unix ms. */
  readonly firstExchMs: number;
  /** Last exchange time, Unix ms. */
  readonly lastExchMs: number;
  /** Longest time between two books, ms. */
  readonly maxGapMs: number;
  /** Books earlier than the one before. */
  readonly outOfOrder: number;
  /** Number of books with the best bid at or above the best ask. */
  readonly crossedOrLocked: number;
  /** Number of trades. */
  readonly trades: number;
  /** Number of different trade ids. */
  readonly distinctTradeIds: number;
  /** Traded size as decimal text. */
  readonly tradeVolume: string;
  /** Trades with a buying taker. */
  readonly buys: number;
  /** Number of best-quote rows. */
  readonly bboRows: number;
  /** Trades earlier than the one before. */
  readonly tradesOutOfOrder: number;
  /** First and last trade time, Unix ms. */
  readonly tradeSpanMs: readonly [first: number, last: number];
}

/** Counts records; what depends on their order is counted in that of their files. */
export class HyperliquidTally {
  bboRows = 0;
  #bookRows = 0;
  #firstExchMs = 0;
  #lastExchMs = 0;
  #maxGapMs = 0;
  #outOfOrder = 0;
  #crossedOrLocked = 0;
  #trades = 0;
  #volume = 0n;
  #buys = 0;
  #tradesOutOfOrder = 0;
  #lastTradeMs = 0;
  #spanMs: [number, number] = [Number.POSITIVE_INFINITY, 0];

  /** The time of a record as its file has it. */
  addTime(what: 'orderbooks' | 'trades', exchangeMs: number): void {
    if (what === 'trades') {
      if (exchangeMs < this.#lastTradeMs) this.#tradesOutOfOrder++;
      this.#lastTradeMs = exchangeMs;
      return;
    }
    if (this.#bookRows++ === 0) this.#firstExchMs = exchangeMs;
    else {
      this.#maxGapMs = Math.max(this.#maxGapMs, exchangeMs - this.#lastExchMs);
      if (exchangeMs < this.#lastExchMs) this.#outOfOrder++;
    }
    this.#lastExchMs = exchangeMs;
  }

  addBook(isCrossedOrLocked: boolean): void {
    if (isCrossedOrLocked) this.#crossedOrLocked++;
  }

  addTrade(exchangeMs: number, isBuy: boolean, sizeLots: number): void {
    this.#trades++;
    this.#volume += BigInt(sizeLots);
    if (isBuy) this.#buys++;
    const [first, last] = this.#spanMs;
    this.#spanMs = [Math.min(first, exchangeMs), Math.max(last, exchangeMs)];
  }

  /** The statistics so far. */
  statistics(distinctTradeIds: number, sizeDecimals: number): HyperliquidStatistics {
    return {
      bookRows: this.#bookRows,
      firstExchMs: this.#firstExchMs,
      lastExchMs: this.#lastExchMs,
      maxGapMs: this.#maxGapMs,
      outOfOrder: this.#outOfOrder,
      crossedOrLocked: this.#crossedOrLocked,
      trades: this.#trades,
      distinctTradeIds,
      tradeVolume: formatScaled(this.#volume, sizeDecimals),
      buys: this.#buys,
      bboRows: this.bboRows,
      tradesOutOfOrder: this.#tradesOutOfOrder,
      tradeSpanMs: this.#trades === 0 ? [0, 0] : this.#spanMs,
    };
  }
}
