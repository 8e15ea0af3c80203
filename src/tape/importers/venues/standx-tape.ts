/**
 * @module StandX recordings as frames of a tape: books as changes, trades at their recorded prices with the aggressor
 * that the quote rule and the tick rule find. Book prices were cut to 0.1 by the recorder, so a third to a half of the
 * books look locked; they are separated by LOCKED_BOOK_RULE unless the import keeps them.
 */
import { EVENT, RECORDING_NAMES, type TapeMarket } from '../../format/index.ts';
import type { Sides } from '../book-repair.ts';
import { findFiles } from '../find-files.ts';
import { type FrameRow, RANK } from '../frame.ts';
import type { FrameOrder } from '../frame-order.ts';
import { SeenTrades } from '../ids.ts';
import type { ImportCounts } from '../import-counts.ts';
import type { ImportRequest, OpenedImport } from '../importer.ts';
import { priceAt, sizeAt } from '../location.ts';
import { mergeStreams } from '../merge-streams.ts';
import { SnapshotBooks } from '../snapshot-books.ts';
import {
  readStandxBooks,
  readStandxTrades,
  STANDX_SCALE,
  type StandxBookRow,
  type StandxTradeRow,
  sidesOf,
} from './standx.ts';
import { AggressorRule, type PrintedBest, STANDX_BOOK_STEP_TICKS } from './standx-aggressor.ts';
import { StandxTally } from './standx-summary.ts';

const NAMES = RECORDING_NAMES.standx;
const EXPECTED_NAME = 'book_<yyyy-mm-dd>_<hh>.csv.gz or trades_<yyyy-mm-dd>_<hh>.csv.gz';
/** The files name no market: this is the one the exchange calls so. */
const SYMBOL = 'BTC-USD';
const SILENCE_MS = 5_000;

/** Looks for the files; their content is read by `run` only. */
export async function openStandxImport(request: ImportRequest, counts: ImportCounts): Promise<OpenedImport> {
  const { files, ignored } = await findFiles({
    paths: request.paths,
    patterns: NAMES,
    expected: EXPECTED_NAME,
    counts,
  });
  const pathsOf = (what: string) =>
    files.filter(({ parts }) => parts['what'] === what).map(({ path }) => path);
  const symbol = request.symbol ?? SYMBOL;
  const depth = pathsOf('book').length > 0 ? 'levels' : 'none';
  const steps = { tickStep: 1, lotStep: 1, bookStep: STANDX_BOOK_STEP_TICKS };
  const market: TapeMarket = { symbol, ...STANDX_SCALE, ...steps, depth };
  const reader = new StandxReader(new SnapshotBooks(0, request.locked, counts), counts);
  return {
    markets: [market],
    files: files.map(({ path }) => path),
    ignored,
    silenceMs: request.silenceMs ?? SILENCE_MS,
    async run(order, records) {
      // Trades first: a book shows what the trades of its millisecond have left.
      const streams = [readStandxTrades(pathsOf('trades')), reader.tallied(readStandxBooks(pathsOf('book')))];
      await records.read(
        mergeStreams<StandxBook | StandxTradeRow>(streams, ({ exchangeUs }) => exchangeUs),
        (row) => reader.take(row, order),
      );
    },
    statistics: () => reader.tally.hours(),
  };
}

/** A book with its levels; a repeated one has none. */
interface StandxBook extends StandxBookRow {
  readonly sides: Sides | undefined;
}

class StandxReader {
  readonly tally = new StandxTally();
  readonly #books: SnapshotBooks;
  readonly #counts: ImportCounts;
  readonly #seen: SeenTrades;
  readonly #aggressors = new AggressorRule();
  #best: PrintedBest = { bidTicks: undefined, askTicks: undefined };
  #trades = 0;

  constructor(books: SnapshotBooks, counts: ImportCounts) {
    this.#books = books;
    this.#counts = counts;
    this.#seen = new SeenTrades(counts);
  }

  /** The books with their levels, counted in the order of the files. */
  async *tallied(books: AsyncGenerator<StandxBookRow>): AsyncGenerator<StandxBook> {
    for await (const row of books) {
      const sides = row.isDuplicate ? undefined : sidesOf(row);
      this.tally.addBook(row, sides);
      yield { ...row, cells: [], sides };
    }
  }

  take(row: StandxBook | StandxTradeRow, order: FrameOrder): void {
    if (row.kind === 'trade') this.#trade(row, order);
    else if (row.sides === undefined) this.#counts.add('duplicatesDropped');
    else this.#book(row, row.sides, order);
  }

  #book(row: StandxBook, sides: Sides, order: FrameOrder): void {
    this.#best = { bidTicks: sides.bids[0]?.priceTicks, askTicks: sides.asks[0]?.priceTicks };
    this.#books.add(sides, row, order);
  }

  #trade(row: StandxTradeRow, order: FrameOrder): void {
    this.tally.addTrade(row);
    const price = priceAt(row.place, row.price, STANDX_SCALE.priceDecimals);
    const size = sizeAt(row.place, row.size, STANDX_SCALE.sizeDecimals);
    this.#trades++;
    if (size === 0) {
      this.#counts.add('tradesWithoutSize');
      return;
    }
    const { side, rule } = this.#aggressors.of(price, this.#best);
    this.#counts.add(rule === 'quote' ? 'aggressorsByQuote' : 'aggressorsByTick');
    const kind = side === 'buy' ? EVENT.buyTrade : EVENT.sellTrade;
    const { exchangeUs, receivedUs } = row;
    const rows: readonly FrameRow[] = [[kind, price, size, this.#trades]];
    this.#seen.take({ id: undefined, exchangeUs, price, size, side }, () =>
      order.add({ exchangeUs, receivedUs, rank: RANK.trade, market: 0, rows }),
    );
  }
}
