/**
 * @module
 * Raw WebSocket recordings of Binance USD-M as frames of a tape: snapshots, diffs, trades, best quotes, mark and index
 * prices, funding. Several symbols are read on one clock, by their receive times. Times are transaction times of the
 * matching engine (event time for mark prices).
 */
import { parseScaled } from '../../../core/index.ts';
import { EVENT, RECORDING_NAMES, type TapeMarket } from '../../format/index.ts';
import { filesByMarket, findFiles } from '../find-files.ts';
import { type FrameRow, RANK } from '../frame.ts';
import type { FrameOrder } from '../frame-order.ts';
import { type RecordedTrade, SeenTrades, tradeIdOf } from '../ids.ts';
import type { ImportCounts } from '../import-counts.ts';
import type { ImportRequest, OpenedImport } from '../importer.ts';
import { RESET_ROW } from '../level-changes.ts';
import { malformed, priceAt, type RecordedScale, rateAt, roundedPriceAt, sizeAt } from '../location.ts';
import { mergeStreams } from '../merge-streams.ts';
import type { Recorded } from '../recorded.ts';
import type { TextLevel } from './binance-message.ts';
import {
  type BinanceBookTicker,
  type BinanceDiff,
  type BinanceMarkPrice,
  type BinanceOther,
  type BinanceRecord,
  type BinanceSnapshot,
  type BinanceTrade,
  BOOK_TRADE_KIND,
  readBinanceUm,
} from './binance-um.ts';
import { firstSnapshots, printedScaleOf, scaleOf } from './binance-um-scale.ts';
import { BinanceUmTally } from './binance-um-summary.ts';

const NAMES = RECORDING_NAMES['binance-um'];
const EXPECTED_NAME = '<symbol>_<yyyymmdd>.gz, such as btcusdt_20240808.gz';
const SILENCE_MS = 5_000;

/** The recording of one symbol. */
export interface BinanceSeries {
  readonly symbol: string;
  readonly paths: readonly string[];
  /** Scale of the tape. */
  readonly scale: RecordedScale;
  /** Scale in which the recording prints its numbers. */
  readonly printed: RecordedScale;
  readonly depth: TapeMarket['depth'];
  /** True if the exchange's time is the recorder's. */
  readonly hasOneTime?: true;
  /** Reads the files from the beginning. */
  read(): AsyncGenerator<BinanceRecord>;
}

/** Looks at the files of each symbol up to its first snapshot, which says the scale. */
export async function openBinanceUmImport(
  request: ImportRequest,
  counts: ImportCounts,
): Promise<OpenedImport> {
  const { files, ignored } = await findFiles({
    paths: request.paths,
    patterns: NAMES,
    expected: EXPECTED_NAME,
    counts,
  });
  const series: BinanceSeries[] = [];
  for (const [symbol, own] of filesByMarket(files, request.symbol)) {
    const paths = own.map(({ path }) => path);
    const snapshots = await firstSnapshots(paths);
    series.push({
      ...{ symbol: symbol.toUpperCase(), paths, depth: 'levels', read: () => readBinanceUm(paths) },
      ...{ scale: scaleOf(snapshots, request), printed: printedScaleOf(snapshots) },
    });
  }
  return { ...importSeries(series, request, counts), ignored };
}

/** The import of recordings of one symbol each, on one clock. */
export function importSeries(
  series: readonly BinanceSeries[],
  request: ImportRequest,
  counts: ImportCounts,
): Omit<OpenedImport, 'ignored'> {
  const readers = series.map((one, market) => new SymbolReader(one, market, counts));
  return {
    markets: readers.map(({ tapeMarket }) => tapeMarket),
    files: series.flatMap(({ paths }) => paths),
    silenceMs: request.silenceMs ?? SILENCE_MS,
    async run(order, records) {
      const streams = series.map((one, market) => marked(one, market));
      await records.read(
        mergeStreams(streams, ({ record }) => record.receivedAtNs),
        ({ market, record }) => readers[market]?.take(record, order),
        ({ market, record }) => readers[market]?.takesLate(record) === true,
      );
      for (const reader of readers) reader.end();
    },
    statistics: () =>
      Object.fromEntries(readers.map((reader) => [reader.tapeMarket.symbol, reader.statistics()])),
  };
}

interface Marked extends Recorded {
  readonly market: number;
  readonly record: BinanceRecord;
}

async function* marked(series: BinanceSeries, market: number): AsyncGenerator<Marked> {
  let exchangeUs: number | undefined;
  /** Records without a time before the first that has one. */
  const waiting: BinanceRecord[] = [];
  for await (const record of series.read()) {
    if (record.kind !== 'other') exchangeUs = exchangeUsOf(record);
    if (exchangeUs === undefined) waiting.push(record);
    else
      for (const one of [...waiting.splice(0), record])
        yield { market, record: one, place: one.place, exchangeUs, receivedUs: receivedOf(one) };
  }
}

function exchangeUsOf(record: Exclude<BinanceRecord, BinanceOther>): number {
  return record.kind === 'markPrice' ? record.eventAtUs : record.transactAtUs;
}

/** A REST answer was made some time before it came, other streams may have no time: neither shows the clock. */
function receivedOf(record: BinanceRecord): number | undefined {
  const hasClock = record.kind !== 'snapshot' && record.kind !== 'other' && !('isUntimed' in record);
  return hasClock ? usOf(record) : undefined;
}

/** What a frame of a record needs beside its rows. */
type Timed = Pick<BinanceDiff, 'receivedAtNs'>;

/** Turns the records of one symbol into frames. */
class SymbolReader {
  readonly tapeMarket: TapeMarket;
  readonly #series: BinanceSeries;
  readonly #market: number;
  readonly #scale: RecordedScale;
  readonly #counts: ImportCounts;
  readonly #tally: BinanceUmTally;
  #changes: (BinanceSnapshot | BinanceDiff)[] = [];
  #snapshots = 0;
  #gaps = 0;
  #dropped = 0;
  #crossed = 0;
  readonly #seen: SeenTrades;
  #trades = 0;
  #lastTradeId: number | undefined;
  #lastBook: BinanceSnapshot | BinanceDiff | undefined;
  #lastMark: BinanceMarkPrice | undefined;

  constructor(series: BinanceSeries, market: number, counts: ImportCounts) {
    const { symbol, scale, printed, depth, hasOneTime } = series;
    this.#series = series;
    this.#market = market;
    this.#counts = counts;
    this.#scale = scale;
    this.tapeMarket = { symbol, ...scale, tickStep: 1, lotStep: 1, depth, ...(hasOneTime && { hasOneTime }) };
    this.#seen = new SeenTrades(counts);
    this.#tally = new BinanceUmTally(printed, (cause) => this.#changes.push(cause));
  }

  statistics(): unknown {
    return this.#tally.summary(this.#series.paths);
  }

  /** After the last record. */
  end(): void {
    this.#seen.end();
  }

  take(record: BinanceRecord, order: FrameOrder): void {
    if ('symbol' in record && record.symbol !== this.#series.symbol)
      throw malformed(record.place, `a frame of ${this.#series.symbol}, as the file is named`, record.symbol);
    this.#tally.add(record);
    if (record.kind === 'trade') this.#trade(record, order);
    else if (record.kind === 'bookTicker') this.#best(record, order);
    else if (record.kind === 'markPrice') this.#prices(record, order);
    else if (record.kind === 'other') this.#counts.add('othersSkipped');
    else this.#bookChanged(order);
  }

  /** A snapshot can set free many diffs that waited for it; a dropped diff changes nothing. */
  #bookChanged(order: FrameOrder): void {
    const changes = this.#changes;
    this.#changes = [];
    const { book } = this.#tally;
    this.#counts.add('diffsDropped', book.diffsDropped - this.#dropped);
    this.#counts.add('crossedBooks', book.crossedStates - this.#crossed);
    const isBroken = book.sequenceGaps > this.#gaps;
    this.#counts.add('sequenceGaps', book.sequenceGaps - this.#gaps);
    this.#dropped = book.diffsDropped;
    this.#crossed = book.crossedStates;
    this.#gaps = book.sequenceGaps;
    for (const change of changes) {
      const exchangeUs = change.transactAtUs;
      if (change.kind === 'snapshot' && ++this.#snapshots > 1) this.#counts.add('resets');
      const last = this.#lastBook;
      if (isBroken && last !== undefined && change === changes.at(-1))
        order.addHole(this.#market, {
          exchangeUs: last.transactAtUs,
          receivedUs: usOf(last),
          untilUs: exchangeUs,
        });
      this.#lastBook = change;
      order.sawBook(this.#market, exchangeUs, usOf(change));
      const rows = this.#levels(change);
      if (rows.length > 0) this.#add(order, RANK.levels, change, { exchangeUs, rows });
    }
  }

  #levels(change: BinanceSnapshot | BinanceDiff): readonly FrameRow[] {
    const { priceDecimals, sizeDecimals } = this.#scale;
    const rows: FrameRow[] = change.kind === 'snapshot' ? [RESET_ROW] : [];
    const push = (kind: FrameRow[0], levels: readonly TextLevel[]) => {
      for (const [price, size] of levels) {
        const ticks = priceAt(change.place, price, priceDecimals);
        rows.push([kind, ticks, sizeAt(change.place, size, sizeDecimals), 0]);
      }
    };
    push(EVENT.bidLevel, change.bids);
    push(EVENT.askLevel, change.asks);
    return rows;
  }

  /** True for a trade that was read before. */
  takesLate(record: BinanceRecord): boolean {
    return record.kind === 'trade' && this.#seen.has(this.#recorded(record));
  }

  #recorded({ place, tradeId, tradeKind, isBuyerMaker, ...trade }: BinanceTrade): RecordedTrade {
    return {
      id: String(tradeId),
      exchangeUs: trade.transactAtUs,
      // Trades that met no book may have no price.
      price: tradeKind === BOOK_TRADE_KIND ? priceAt(place, trade.price, this.#scale.priceDecimals) : 0,
      size: sizeAt(place, trade.size, this.#scale.sizeDecimals),
      side: isBuyerMaker ? 'sell' : 'buy',
    };
  }

  #trade(trade: BinanceTrade, order: FrameOrder): void {
    const recorded = this.#recorded(trade);
    this.#seen.take(recorded, () => this.#newTrade(trade, recorded, order));
  }

  #newTrade(trade: BinanceTrade, { id = '', price, size }: RecordedTrade, order: FrameOrder): void {
    const lastTradeId = this.#lastTradeId ?? trade.tradeId - 1;
    if (trade.tradeId !== lastTradeId + 1) this.#counts.add('tradeIdGaps');
    this.#lastTradeId = trade.tradeId;
    if (trade.tradeKind !== BOOK_TRADE_KIND) this.#counts.add('tradesOffBook');
    else if (size === 0) this.#counts.add('tradesWithoutSize');
    else {
      const kind = trade.isBuyerMaker ? EVENT.sellTrade : EVENT.buyTrade;
      const rows: readonly FrameRow[] = [[kind, price, size, tradeIdOf(id, ++this.#trades, this.#counts)]];
      this.#add(order, RANK.trade, trade, { exchangeUs: trade.transactAtUs, rows });
    }
  }

  #best(ticker: BinanceBookTicker, order: FrameOrder): void {
    const row = (kind: FrameRow[0], [price, size]: TextLevel): FrameRow => [
      kind,
      priceAt(ticker.place, price, this.#scale.priceDecimals),
      sizeAt(ticker.place, size, this.#scale.sizeDecimals),
      0,
    ];
    const rows = [row(EVENT.bestBid, ticker.bid), row(EVENT.bestAsk, ticker.ask)];
    if (this.tapeMarket.depth === 'bbo') order.sawBook(this.#market, ticker.transactAtUs, usOf(ticker));
    this.#add(order, RANK.best, ticker, { exchangeUs: ticker.transactAtUs, rows });
  }

  #prices(record: BinanceMarkPrice, order: FrameOrder): void {
    const { priceDecimals } = this.#scale;
    const { place, mark, index, eventAtUs, nextFundingAtMs } = record;
    for (const price of [mark, index])
      if (parseScaled(price, priceDecimals) === undefined) this.#counts.add('pricesRounded');
    const rows: readonly FrameRow[] = [
      [EVENT.mark, roundedPriceAt(place, mark, priceDecimals, 'p'), 0, 0],
      [EVENT.index, roundedPriceAt(place, index, priceDecimals, 'i'), 0, 0],
      [EVENT.fundingRate, 0, rateAt(place, record.fundingRate, 'r'), nextFundingAtMs],
    ];
    const last = this.#lastMark;
    if (last !== undefined && last.nextFundingAtMs < nextFundingAtMs) this.#settle(last, order);
    this.#lastMark = record;
    this.#add(order, RANK.price, record, { exchangeUs: eventAtUs, rows });
  }

  /** `last` is the last frame that named its settlement: its rate is the one that was paid, its mark the nearest. */
  #settle(last: BinanceMarkPrice, order: FrameOrder): void {
    this.#counts.add('settlementsInferred');
    const price = roundedPriceAt(last.place, last.mark, this.#scale.priceDecimals, 'p');
    const rows: readonly FrameRow[] = [
      [EVENT.fundingSettled, price, rateAt(last.place, last.fundingRate, 'r'), 0],
    ];
    this.#add(order, RANK.price, last, { exchangeUs: last.nextFundingAtMs * 1_000, rows });
  }

  #add(
    order: FrameOrder,
    rank: (typeof RANK)[keyof typeof RANK],
    record: Timed,
    frame: { readonly exchangeUs: number; readonly rows: readonly FrameRow[] },
  ): void {
    order.add({ ...frame, receivedUs: usOf(record), rank, market: this.#market });
  }
}

/** When `record` was received, in whole microseconds, as its recorder had it. */
function usOf({ receivedAtNs }: Timed): number {
  return Number(receivedAtNs / 1_000n);
}
