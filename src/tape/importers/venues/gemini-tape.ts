/**
 * @module Gemini history as frames of a tape: the best quote of each second at the second's start, and trades. These
 * files were not received live, so the receive time is the exchange's. A second without a quote means no change or no
 * data, which look the same: only a silence of a minute is a gap.
 */
import { basename, dirname, resolve } from 'node:path';
import { formatScaled } from '../../../core/index.ts';
import { EVENT, RECORDING_NAMES, type TapeMarket } from '../../format/index.ts';
import { type CsvRow, type CsvShape, csvShapeOf, readCsv } from '../csv-table.ts';
import { findFiles, type NamedFile } from '../find-files.ts';
import { RANK } from '../frame.ts';
import type { FrameOrder } from '../frame-order.ts';
import { SeenTrades } from '../ids.ts';
import type { ImportCounts } from '../import-counts.ts';
import type { ImportRequest, OpenedImport } from '../importer.ts';
import { malformed, type Place, priceAt, quoted, sizeAt } from '../location.ts';
import { mergeStreams } from '../merge-streams.ts';
import type { Recorded } from '../recorded.ts';
import { recordedUs } from '../recorded-time.ts';
import { isScaleStated, ScaleScan } from '../scale-scan.ts';

const NAMES = RECORDING_NAMES.gemini;
const EXPECTED_NAME = 'market-depth.csv.gz or trade.csv.gz';
const SILENCE_MS = 60_000;
const SECOND_US = 1_000_000;
const DEPTH = csvShapeOf('time_seconds,bid_price_bid_size,ask_price_ask_size');
const TRADES = csvShapeOf('time_seconds,price,size,is_buyer_maker');

/** The statistics of a recording; volume and notional as decimal text. */
export interface GeminiStatistics {
  /** Number of depth rows. */
  readonly depthRows: number;
  /** First time, Unix s. */
  readonly firstSec: number;
  /** Last time, Unix s. */
  readonly lastSec: number;
  /** Seconds between the first and the last that have no row. */
  readonly secondsWithoutRow: number;
  /** Number of books with the best bid at or above the best ask. */
  readonly crossedOrLocked: number;
  /** Number of trades. */
  readonly trades: number;
  /** Traded size as decimal text. */
  readonly tradeVolume: string;
  /** Traded notional as decimal text. */
  readonly tradeNotional: string;
  /** Trades with a selling taker. */
  readonly buyerIsMaker: number;
}

/** Looks at the files; reads them once for their decimals unless these are given. */
export async function openGeminiImport(request: ImportRequest, counts: ImportCounts): Promise<OpenedImport> {
  const { files, ignored } = await findFiles({
    paths: request.paths,
    patterns: NAMES,
    expected: EXPECTED_NAME,
    counts,
  });
  const scan = new ScaleScan();
  if (!isScaleStated(request)) {
    for (const file of files)
      await scan.add(
        rowsOf(file),
        isDepth(file) ? { prices: [1, 3], sizes: [2, 4] } : { prices: [1], sizes: [2] },
      );
  }
  const market: TapeMarket = {
    symbol: request.symbol ?? folderName(files),
    ...scan.scale(request),
    tickStep: 1,
    lotStep: 1,
    depth: files.some(isDepth) ? 'bbo' : 'none',
    hasOneTime: true,
  };
  const reader = new GeminiReader(market, counts);
  return {
    markets: [market],
    files: files.map(({ path }) => path),
    ignored,
    silenceMs: request.silenceMs ?? SILENCE_MS,
    async run(order, records) {
      // A trade of the very moment of a quote came before it.
      const streams = [...files].sort((a, b) => Number(isDepth(a)) - Number(isDepth(b))).map(itemsOf);
      await records.read(
        mergeStreams(streams, ({ exchangeUs }) => exchangeUs),
        (item) => reader.take(item, order),
      );
    },
    statistics: () => ({ ...reader.statistics() }),
  };
}

function isDepth({ parts }: NamedFile): boolean {
  return parts['what'] === 'market-depth';
}

/** The files name no market: their folder does. */
function folderName(files: readonly NamedFile[]): string {
  return basename(dirname(resolve(files[0]?.path ?? '.'))).toUpperCase();
}

/** Rows of a file; `price_size` of a quote is two cells here. */
async function* rowsOf(file: NamedFile): AsyncGenerator<CsvRow> {
  const shape: CsvShape = isDepth(file) ? DEPTH : TRADES;
  for await (const { place, cells } of readCsv(file.path, shape))
    yield { place, cells: isDepth(file) ? cells.flatMap((cell) => cell.split('_')) : cells };
}

interface Item extends Recorded {
  readonly isDepth: boolean;
  readonly cells: readonly string[];
}

const TIME = { name: 'time_seconds', unit: 's' } as const;

async function* itemsOf(file: NamedFile): AsyncGenerator<Item> {
  for await (const { place, cells } of rowsOf(file))
    yield { isDepth: isDepth(file), exchangeUs: recordedUs(place, cells[0] ?? '', TIME), place, cells };
}

class GeminiReader {
  readonly #market: TapeMarket;
  readonly #counts: ImportCounts;
  readonly #seen: SeenTrades;
  #depthRows = 0;
  #firstUs = 0;
  #lastUs = 0;
  #secondsWithoutRow = 0;
  #crossedOrLocked = 0;
  #trades = 0;
  #buyerIsMaker = 0;
  #volume = 0n;
  #notional = 0n;

  constructor(market: TapeMarket, counts: ImportCounts) {
    this.#market = market;
    this.#counts = counts;
    this.#seen = new SeenTrades(counts);
  }

  statistics(): GeminiStatistics {
    const { priceDecimals, sizeDecimals } = this.#market;
    return {
      depthRows: this.#depthRows,
      firstSec: this.#firstUs / SECOND_US,
      lastSec: this.#lastUs / SECOND_US,
      secondsWithoutRow: this.#secondsWithoutRow,
      crossedOrLocked: this.#crossedOrLocked,
      trades: this.#trades,
      tradeVolume: formatScaled(this.#volume, sizeDecimals),
      tradeNotional: formatScaled(this.#notional, priceDecimals + sizeDecimals),
      buyerIsMaker: this.#buyerIsMaker,
    };
  }

  take(item: Item, order: FrameOrder): void {
    if (item.isDepth) this.#quote(item, order);
    else this.#trade(item, order);
  }

  #quote({ place, cells, exchangeUs: atUs }: Item, order: FrameOrder): void {
    if (cells.length !== 5) throw malformed(place, 'price_size of bid and ask', quoted(cells.join(',')));
    const bid = this.#level(place, cells, 1);
    const ask = this.#level(place, cells, 3);
    if (this.#depthRows++ === 0) this.#firstUs = atUs;
    else this.#secondsWithoutRow += Math.max(0, (atUs - this.#lastUs) / SECOND_US - 1);
    this.#lastUs = atUs;
    if (bid.price >= ask.price) this.#crossedOrLocked++;
    if (bid.price === ask.price) this.#counts.add('lockedBooks');
    if (bid.price > ask.price) this.#counts.add('crossedBooks');
    order.sawBook(0, atUs, atUs);
    const rows = [
      [EVENT.bestBid, bid.price, bid.size, 0],
      [EVENT.bestAsk, ask.price, ask.size, 0],
    ] as const;
    order.add({ exchangeUs: atUs, receivedUs: atUs, rank: RANK.best, market: 0, rows });
  }

  #level(place: Place, cells: readonly string[], at: number) {
    return {
      price: priceAt(place, cells[at] ?? '', this.#market.priceDecimals),
      size: sizeAt(place, cells[at + 1] ?? '', this.#market.sizeDecimals),
    };
  }

  #trade({ place, cells, exchangeUs: atUs }: Item, order: FrameOrder): void {
    const { price, size } = this.#level(place, cells, 1);
    const maker = cells[3] ?? '';
    if (maker !== '0' && maker !== '1') throw malformed(place, 'is_buyer_maker as 0 or 1', quoted(maker));
    this.#trades++;
    if (maker === '1') this.#buyerIsMaker++;
    this.#volume += BigInt(size);
    this.#notional += BigInt(price) * BigInt(size);
    if (size === 0) {
      this.#counts.add('tradesWithoutSize');
      return;
    }
    const kind = maker === '1' ? EVENT.sellTrade : EVENT.buyTrade;
    const rows = [[kind, price, size, this.#trades]] as const;
    this.#seen.take({ id: undefined, exchangeUs: atUs, price, size, side: maker }, () =>
      order.add({ exchangeUs: atUs, receivedUs: atUs, rank: RANK.trade, market: 0, rows }),
    );
  }
}
