/**
 * @module The statistics of a Binance USD-M recording that prove a reader right: counts, gaps, final book, volumes,
 * clock offsets. It does not check them.
 */
import { basename } from 'node:path';
import { formatScaled, parseScaled } from '../../../core/index.ts';
import type { Side } from '../../../domain/index.ts';
import { malformed, quoted, type RecordedScale } from '../location.ts';
import type { TextLevel } from './binance-message.ts';
import {
  type BinanceBookTicker,
  type BinanceDiff,
  type BinanceRecord,
  type BinanceSnapshot,
  type BinanceTrade,
  BOOK_TRADE_KIND,
} from './binance-um.ts';
import { BinanceUmBook } from './binance-um-book.ts';

/** The statistics of one symbol; prices, sizes and volumes are decimal text, local times nanoseconds as text. */
export interface BinanceUmSummary {
  /** Names of the files that were read. */
  readonly files: readonly string[];
  /** Number of messages by type. */
  readonly messages: Readonly<Record<string, number>>;
  /** Time from first to last record, s. */
  readonly spanSeconds: number;
  /** First receive time as recorded. */
  readonly firstLocal: string;
  /** Last receive time as recorded. */
  readonly lastLocal: string;
  /** Last update id of the REST snapshot. */
  readonly restSnapshotLastUpdateId: string;
  /** Depth updates that were applied. */
  readonly diffsApplied: number;
  /** Depth updates older than the snapshot. */
  readonly diffsDroppedBeforeSnapshot: number;
  /** Breaks in the chain of update ids. */
  readonly sequenceGaps: number;
  /** Number of book states with the best bid at or above the best ask. */
  readonly crossedStates: number;
  readonly finalLevels: { readonly bids: number; readonly asks: number };
  /** Best bid at the end; `undefined`: none. */
  readonly finalBestBid: TextLevel | undefined;
  /** Best ask at the end; `undefined`: none. */
  readonly finalBestAsk: TextLevel | undefined;
  /** Last update id that was applied. */
  readonly lastUpdateId: string;
  /** Of book trades only, as are notional, vwap and the counts of takers. */
  readonly tradeVolume: string;
  /** Sum of price times size of all trades, as decimal text. */
  readonly tradeNotionalPriceTimesQty: string;
  /** Volume-weighted average price as decimal text. */
  readonly vwap: string;
  /** Trades with a buying taker. */
  readonly takerBuys: number;
  /** Trades with a selling taker. */
  readonly takerSells: number;
  /** Number of trades by kind. */
  readonly tradeKinds: Readonly<Record<string, number>>;
  /** Breaks in the sequence of trade ids. */
  readonly tradeIdGaps: number;
  /** Best-quote frames compared with the book at the same update id. */
  readonly bookTickerSameUpdateIdAgree: number;
  readonly bookTickerSameUpdateIdDisagree: number;
  /** Receive time minus event time over all stream frames, in milliseconds with one decimal. */
  readonly localMinusEventMs: { readonly min: number; readonly max: number };
}

const VWAP_DECIMALS = 6;
/** Best-quote frames that wait for the diff of their update id: at 200 per second, half a minute. */
const TICKERS_MAX = 6_000;

/** Counts the records of one symbol in order of exchange time and keeps its book. */
export class BinanceUmTally {
  readonly #scale: RecordedScale;
  readonly #book: BinanceUmBook;
  readonly #messages: Record<string, number> = {};
  readonly #tradeKinds: Record<string, number> = {};
  readonly #tickers = new Map<number, BinanceBookTicker>();
  #agree = 0;
  #disagree = 0;
  #firstNs: bigint | undefined;
  #lastNs = 0n;
  #offsetMinNs: bigint | undefined;
  #offsetMaxNs: bigint | undefined;
  #volume = 0n;
  #notional = 0n;
  #takerBuys = 0;
  #takerSells = 0;
  #lastTradeId: number | undefined;
  #tradeIdGaps = 0;

  /** `onChanged` hears of each snapshot and of each diff that changed the book. */
  constructor(
    scale: RecordedScale,
    onChanged: (cause: BinanceSnapshot | BinanceDiff) => void = () => undefined,
  ) {
    this.#scale = scale;
    this.#book = new BinanceUmBook(scale, (cause) => {
      this.#compareAt(cause.lastUpdateId);
      onChanged(cause);
    });
  }

  /** The book as the records so far have made it. */
  get book(): BinanceUmBook {
    return this.#book;
  }

  /** @throws ProtocolError naming file and line when the record is malformed. */
  add(record: BinanceRecord): void {
    this.#messages[record.kind] = (this.#messages[record.kind] ?? 0) + 1;
    const ns = record.receivedAtNs;
    if (this.#firstNs === undefined || ns < this.#firstNs) this.#firstNs = ns;
    if (ns > this.#lastNs) this.#lastNs = ns;
    if (record.kind === 'snapshot') this.#book.reset(record);
    else if (record.kind !== 'other' && !('isUntimed' in record)) {
      const offsetNs = record.receivedAtNs - BigInt(record.eventAtUs) * 1_000n;
      if (this.#offsetMinNs === undefined || offsetNs < this.#offsetMinNs) this.#offsetMinNs = offsetNs;
      if (this.#offsetMaxNs === undefined || offsetNs > this.#offsetMaxNs) this.#offsetMaxNs = offsetNs;
    }
    if (record.kind === 'depth') this.#book.apply(record);
    if (record.kind === 'trade') this.#addTrade(record);
    if (record.kind === 'bookTicker') this.#addTicker(record);
  }

  /** The statistics of all records so far. */
  summary(paths: readonly string[]): BinanceUmSummary {
    const { priceDecimals, sizeDecimals } = this.#scale;
    const book = this.#book;
    const firstNs = this.#firstNs ?? 0n;
    return {
      files: paths.map((path) => basename(path)),
      messages: this.#messages,
      spanSeconds: Number(roundedDivision(this.#lastNs - firstNs, 1_000_000n)) / 1_000,
      firstLocal: String(firstNs),
      lastLocal: String(this.#lastNs),
      restSnapshotLastUpdateId: String(book.snapshotUpdateId),
      diffsApplied: book.diffsApplied,
      diffsDroppedBeforeSnapshot: book.diffsDropped,
      sequenceGaps: book.sequenceGaps,
      crossedStates: book.crossedStates,
      finalLevels: { bids: book.levels.bidCount, asks: book.levels.askCount },
      finalBestBid: this.#best('buy'),
      finalBestAsk: this.#best('sell'),
      lastUpdateId: String(book.lastUpdateId),
      tradeVolume: formatScaled(this.#volume, sizeDecimals),
      tradeNotionalPriceTimesQty: formatScaled(this.#notional, priceDecimals + sizeDecimals),
      vwap: this.#vwap(),
      takerBuys: this.#takerBuys,
      takerSells: this.#takerSells,
      tradeKinds: this.#tradeKinds,
      tradeIdGaps: this.#tradeIdGaps,
      bookTickerSameUpdateIdAgree: this.#agree,
      bookTickerSameUpdateIdDisagree: this.#disagree,
      localMinusEventMs: { min: tenthsOfMs(this.#offsetMinNs), max: tenthsOfMs(this.#offsetMaxNs) },
    };
  }

  #addTrade(trade: BinanceTrade): void {
    this.#tradeKinds[trade.tradeKind] = (this.#tradeKinds[trade.tradeKind] ?? 0) + 1;
    if (this.#lastTradeId !== undefined && trade.tradeId !== this.#lastTradeId + 1) this.#tradeIdGaps++;
    this.#lastTradeId = trade.tradeId;
    if (trade.tradeKind !== BOOK_TRADE_KIND) return;
    const price = parseScaled(trade.price, this.#scale.priceDecimals);
    const size = parseScaled(trade.size, this.#scale.sizeDecimals);
    if (price === undefined || size === undefined)
      throw malformed(
        trade.place,
        'price and size as plain decimals',
        `${quoted(trade.price)} and ${quoted(trade.size)}`,
      );
    this.#volume += size;
    this.#notional += price * size;
    if (trade.isBuyerMaker) this.#takerSells++;
    else this.#takerBuys++;
  }

  /** Best quotes run ahead of the diffs: they wait for the diff with their update id. */
  #addTicker(ticker: BinanceBookTicker): void {
    this.#tickers.set(ticker.updateId, ticker);
    const [oldest] = this.#tickers.keys();
    if (this.#tickers.size > TICKERS_MAX && oldest !== undefined) this.#tickers.delete(oldest);
    if (ticker.updateId === this.#book.lastUpdateId) this.#compareAt(ticker.updateId);
  }

  #compareAt(updateId: number): void {
    const ticker = this.#tickers.get(updateId);
    if (ticker === undefined) return;
    this.#tickers.delete(updateId);
    const agrees = isSame(this.#best('buy'), ticker.bid) && isSame(this.#best('sell'), ticker.ask);
    if (agrees) this.#agree++;
    else this.#disagree++;
  }

  #best(side: Side): TextLevel | undefined {
    const { levels } = this.#book;
    const best = side === 'buy' ? levels.bidTicks : levels.askTicks;
    if (best === undefined) return undefined;
    const { priceDecimals, sizeDecimals } = this.#scale;
    return [formatScaled(best, priceDecimals), formatScaled(levels.sizeAt(side, best), sizeDecimals)];
  }

  #vwap(): string {
    if (this.#volume === 0n) return formatScaled(0n, VWAP_DECIMALS);
    const scaled = this.#notional * 10n ** BigInt(VWAP_DECIMALS);
    const divisor = this.#volume * 10n ** BigInt(this.#scale.priceDecimals);
    return formatScaled(roundedDivision(scaled, divisor), VWAP_DECIMALS);
  }
}

function isSame(level: TextLevel | undefined, other: TextLevel): boolean {
  return level !== undefined && level[0] === other[0] && level[1] === other[1];
}

function tenthsOfMs(ns: bigint | undefined): number {
  return Number(roundedDivision(ns ?? 0n, 100_000n)) / 10;
}

/** `value` / `divisor` to the nearest integer, halves away from zero. */
function roundedDivision(value: bigint, divisor: bigint): bigint {
  const half = value < 0n ? -divisor : divisor;
  return (2n * value + half) / (2n * divisor);
}
