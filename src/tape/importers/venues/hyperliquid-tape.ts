/**
 * @module Recorded Hyperliquid markets as frames of a tape: 20-level books, best quotes and trades, by the time they
 * were received; or bars and funding, which need no receive time. After a break the recorder receives recent trades
 * again: those it had are dropped by their id, those it missed keep the time they happened at.
 */
import { must } from '../../../core/index.ts';
import { EVENT, RECORDING_NAMES, type TapeMarket } from '../../format/index.ts';
import type { RecordedLevel } from '../book-repair.ts';
import { CANDLE_NAME_EXPECTED, mixedFiles, openCandleFiles } from '../candle-tape.ts';
import { type CsvShape, csvShapeOf, readCsv } from '../csv-table.ts';
import { filesByMarket, findFiles, type NamedFile } from '../find-files.ts';
import { type FrameRow, RANK } from '../frame.ts';
import type { FrameOrder } from '../frame-order.ts';
import { type RecordedTrade, SeenTrades, tradeIdOf } from '../ids.ts';
import type { ImportCounts } from '../import-counts.ts';
import type { ImportRequest, OpenedImport } from '../importer.ts';
import { malformed, type Place, priceAt, quoted, sizeAt } from '../location.ts';
import { mergeStreams } from '../merge-streams.ts';
import { plainDecimal } from '../plain-decimal.ts';
import type { Recorded } from '../recorded.ts';
import { recordedUs } from '../recorded-time.ts';
import { isScaleStated, type ScaledColumns, ScaleScan } from '../scale-scan.ts';
import { type BookTimes, SnapshotBooks } from '../snapshot-books.ts';
import { HyperliquidTally } from './hyperliquid-statistics.ts';

const EXPECTED_NAME = `orderbooks_<market>.csv.gz, prices_<market>.csv.gz, trades_<market>.csv.gz, ${CANDLE_NAME_EXPECTED}`;
const SILENCE_MS = 5_000;
const LEVELS = 20;

type What = 'orderbooks' | 'prices' | 'trades';

const LEVEL_COLUMNS = Array.from(
  { length: LEVELS },
  (_, at) => `bid_price_${at},bid_size_${at},ask_price_${at},ask_size_${at}`,
);
const SHAPES: Readonly<Record<What, CsvShape>> = {
  orderbooks: csvShapeOf(['timestamp,sequence,exchange_timestamp', ...LEVEL_COLUMNS].join(',')),
  prices: csvShapeOf('timestamp,price,size,side,exchange_timestamp'),
  trades: csvShapeOf('timestamp,price,size,side,trade_id,exchange_timestamp'),
};
/** The cells of best bid and best ask; a level takes four cells. */
const BIDS_FROM = 3;
const ASKS_FROM = 5;
const LEVEL_CELLS = 4;
const cellsFrom = (first: number) => Array.from({ length: LEVELS }, (_, at) => first + LEVEL_CELLS * at);
const SCALED: Readonly<Record<What, ScaledColumns>> = {
  orderbooks: {
    prices: [...cellsFrom(BIDS_FROM), ...cellsFrom(ASKS_FROM)],
    sizes: [...cellsFrom(BIDS_FROM + 1), ...cellsFrom(ASKS_FROM + 1)],
  },
  prices: { prices: [1], sizes: [2] },
  trades: { prices: [1], sizes: [2] },
};

/** Looks at the files; reads them once for their decimals unless these are given. */
export async function openHyperliquidImport(
  request: ImportRequest,
  counts: ImportCounts,
): Promise<OpenedImport> {
  const { files, ignored } = await findFiles({
    paths: request.paths,
    patterns: RECORDING_NAMES.hyperliquid,
    expected: EXPECTED_NAME,
    counts,
  });
  const candles = files.filter(({ pattern }) => pattern === 1);
  if (candles.length === files.length) return { ...(await openCandleFiles(files, request, counts)), ignored };
  if (candles.length > 0) throw mixedFiles(files.map(({ path }) => path).join(', '));
  const readers: MarketReader[] = [];
  for (const [symbol, own] of filesByMarket(files, request.symbol)) {
    const market = await marketOf(symbol, own, request);
    readers.push(new MarketReader(market, readers.length, { locked: request.locked, counts }));
  }
  const taken = [...filesByMarket(files, request.symbol).values()];
  return {
    markets: readers.map(({ market }) => market),
    files: taken.flat().map(({ path }) => path),
    ignored,
    silenceMs: request.silenceMs ?? SILENCE_MS,
    async run(order, records) {
      const streams = taken.flatMap((own, place) =>
        own.map((file) => itemsOf(file, place, must(readers[place], 'the reader of a market').tally)),
      );
      await records.read(
        mergeStreams(streams, ({ receivedUs }) => receivedUs),
        (item) => readers[item.market]?.take(item, order),
        (item) => readers[item.market]?.takesLate(item) === true,
      );
      for (const reader of readers) reader.end(order);
    },
    statistics: () =>
      Object.fromEntries(readers.map((reader) => [reader.market.symbol, reader.statistics()])),
  };
}

function whatOf({ parts }: NamedFile): What {
  return parts['what'] as What;
}

async function marketOf(
  symbol: string,
  files: readonly NamedFile[],
  told: ImportRequest,
): Promise<TapeMarket> {
  const scan = new ScaleScan();
  if (!isScaleStated(told))
    for (const file of files) await scan.add(readCsv(file.path, SHAPES[whatOf(file)]), SCALED[whatOf(file)]);
  const kinds = files.map(whatOf);
  const bbo = kinds.includes('prices') ? 'bbo' : 'none';
  const depth = kinds.includes('orderbooks') ? 'levels' : bbo;
  return { symbol, ...scan.scale(told), tickStep: 1, lotStep: 1, depth };
}

/** A row with its file's kind and its receive time. */
interface Item extends Recorded {
  readonly market: number;
  readonly what: What;
  readonly receivedUs: number;
  readonly cells: readonly string[];
}

const RECEIVE_TIME = { name: 'timestamp', unit: 's' } as const;
const EXCHANGE_TIME = { name: 'exchange_timestamp', unit: 'ms' } as const;

async function* itemsOf(file: NamedFile, market: number, tally: HyperliquidTally): AsyncGenerator<Item> {
  const what = whatOf(file);
  const exchangeAt = SHAPES[what].header?.indexOf(EXCHANGE_TIME.name) ?? 0;
  for await (const { place, cells } of readCsv(file.path, SHAPES[what])) {
    const exchangeUs = recordedUs(place, cells[exchangeAt] ?? '', EXCHANGE_TIME);
    const receivedUs = recordedUs(place, cells[0] ?? '', RECEIVE_TIME);
    if (what !== 'prices') tally.addTime(what, exchangeUs / 1_000);
    yield { market, what, exchangeUs, receivedUs, place, cells };
  }
}

/** Turns the rows of one market into frames. */
class MarketReader {
  readonly market: TapeMarket;
  readonly #place: number;
  readonly #counts: ImportCounts;
  readonly #books: SnapshotBooks;
  readonly tally = new HyperliquidTally();
  readonly #seen: SeenTrades;
  #trades = 0;
  /** A best bid that waits for the best ask of the same message. */
  #bestBid: (BookTimes & { readonly row: FrameRow }) | undefined;

  constructor(
    market: TapeMarket,
    place: number,
    { locked, counts }: { readonly locked: 'keep' | 'separate'; readonly counts: ImportCounts },
  ) {
    this.market = market;
    this.#place = place;
    this.#counts = counts;
    this.#books = new SnapshotBooks(place, locked, counts);
    this.#seen = new SeenTrades(counts);
  }

  statistics(): unknown {
    return this.tally.statistics(this.#seen.count, this.market.sizeDecimals);
  }

  take(item: Item, order: FrameOrder): void {
    if (item.what === 'orderbooks') this.#book(item, order);
    else if (item.what === 'trades') this.#trade(item, order);
    else this.#best(item, order);
  }

  /** A best bid whose ask never came is kept without it, a trade that waits is decided. */
  end(order: FrameOrder): void {
    this.#seen.end();
    const bid = this.#bestBid;
    this.#bestBid = undefined;
    if (bid !== undefined) this.#addBest(bid, [bid.row], order);
  }

  #book({ exchangeUs, receivedUs, place, cells }: Item, order: FrameOrder): void {
    const bids = this.#levels(place, cells, BIDS_FROM);
    const asks = this.#levels(place, cells, ASKS_FROM);
    const [bid] = bids;
    const [ask] = asks;
    const hasBoth = bid !== undefined && ask !== undefined;
    this.tally.addBook(hasBoth && bid.priceTicks >= ask.priceTicks);
    this.#books.add({ bids, asks }, { exchangeUs, receivedUs }, order);
  }

  #levels(place: Place, cells: readonly string[], first: number): readonly RecordedLevel[] {
    const levels: RecordedLevel[] = [];
    for (let at = first; at < cells.length; at += LEVEL_CELLS) {
      const price = plainDecimal(cells[at] ?? '');
      const size = plainDecimal(cells[at + 1] ?? '');
      if (price === '' && size === '') continue;
      const sizeLots = sizeAt(place, size, this.market.sizeDecimals);
      const priceTicks = priceAt(place, price, this.market.priceDecimals);
      const before = levels.at(-1);
      const isOrdered =
        before === undefined ||
        (first === BIDS_FROM ? priceTicks < before.priceTicks : priceTicks > before.priceTicks);
      if (!isOrdered)
        throw malformed(place, 'levels from best to worst', `${quoted(price)} in column ${at + 1}`);
      if (sizeLots > 0) levels.push({ priceTicks, sizeLots });
    }
    return levels;
  }

  /** True for a trade that was read before. */
  takesLate(item: Item): boolean {
    return item.what === 'trades' && this.#seen.has(this.#tradeOf(item));
  }

  #tradeOf({ exchangeUs, place, cells }: Item): RecordedTrade {
    return {
      id: cells[4] ?? '',
      exchangeUs,
      price: priceAt(place, plainDecimal(cells[1] ?? ''), this.market.priceDecimals),
      size: sizeAt(place, plainDecimal(cells[2] ?? ''), this.market.sizeDecimals),
      side: sideAt(place, cells[3] ?? '', 'buy', 'sell'),
    };
  }

  #trade(item: Item, order: FrameOrder): void {
    const { exchangeUs, receivedUs } = item;
    const trade = this.#tradeOf(item);
    const { id = '', price, size, side } = trade;
    this.tally.addTrade(exchangeUs / 1_000, side === 'buy', size);
    const count = ++this.#trades;
    this.#seen.take(trade, () => {
      if (size === 0) {
        this.#counts.add('tradesWithoutSize');
        return;
      }
      const kind = side === 'buy' ? EVENT.buyTrade : EVENT.sellTrade;
      const rows: readonly FrameRow[] = [[kind, price, size, tradeIdOf(id, count, this.#counts)]];
      order.add({ exchangeUs, receivedUs, rank: RANK.trade, market: this.#place, rows });
    });
  }

  /** A message gives a row to each side; both are one frame. */
  #best({ exchangeUs, receivedUs, place, cells }: Item, order: FrameOrder): void {
    this.tally.bboRows++;
    const isBid = sideAt(place, cells[3] ?? '', 'bid', 'ask') === 'bid';
    const price = priceAt(place, plainDecimal(cells[1] ?? ''), this.market.priceDecimals);
    const size = sizeAt(place, plainDecimal(cells[2] ?? ''), this.market.sizeDecimals);
    const row: FrameRow = [isBid ? EVENT.bestBid : EVENT.bestAsk, price, size, 0];
    const bid = this.#bestBid;
    this.#bestBid = undefined;
    const isPair = !isBid && bid?.exchangeUs === exchangeUs && bid.receivedUs === receivedUs;
    if (bid !== undefined && !isPair) this.#addBest(bid, [bid.row], order);
    if (isBid) this.#bestBid = { exchangeUs, receivedUs, row };
    else
      this.#addBest({ exchangeUs, receivedUs }, bid !== undefined && isPair ? [bid.row, row] : [row], order);
  }

  #addBest({ exchangeUs, receivedUs }: BookTimes, rows: readonly FrameRow[], order: FrameOrder): void {
    if (this.market.depth === 'bbo') order.sawBook(this.#place, exchangeUs, receivedUs);
    order.add({ exchangeUs, receivedUs, rank: RANK.best, market: this.#place, rows });
  }
}

/** One of two words. @throws ProtocolError naming the location for any other. */
function sideAt(place: Place, text: string, one: string, other: string): string {
  if (text === one || text === other) return text;
  throw malformed(place, `${one} or ${other}`, quoted(text));
}
