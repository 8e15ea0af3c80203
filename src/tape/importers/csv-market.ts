/** @module The rows of one market of mapped CSV files as frames of a tape. */
import { formatScaled, must } from '../../core/index.ts';
import { EVENT, type TapeMarket } from '../format/index.ts';
import { areCandlePrices, CandleChecks } from './candle-checks.ts';
import { Cells, type CsvRecord, type CsvSource } from './csv-cells.ts';
import { type FrameRow, RANK } from './frame.ts';
import type { FrameOrder } from './frame-order.ts';
import { SeenTrades, tradeIdOf } from './ids.ts';
import type { ImportCounts } from './import-counts.ts';
import { RESET_ROW } from './level-changes.ts';
import { type BookTimes, SnapshotBooks } from './snapshot-books.ts';

/** Levels of one moment that are not a frame yet. */
interface Changes {
  readonly exchangeUs: number;
  readonly receivedUs: number;
  rows: FrameRow[];
}

/** Rows of one frame. */
const FRAME_ROWS_MAX = 1_000_000;

/** The statistics of one market; the volume as decimal text. */
export interface CsvStatistics {
  /** Number of rows. */
  readonly rows: number;
  /** Number of trades. */
  readonly trades: number;
  /** Traded size as decimal text. */
  readonly tradeVolume: string;
  /** Trades with a buying taker. */
  readonly buys: number;
  /** First time, Unix us. */
  readonly firstUs: number;
  /** Last time, Unix us. */
  readonly lastUs: number;
}

/** See the module. */
export class CsvMarket {
  readonly #market: TapeMarket;
  readonly #place: number;
  readonly #counts: ImportCounts;
  readonly #books: SnapshotBooks;
  readonly #seen: SeenTrades;
  /** By the length of the candles, ms. */
  readonly #candles = new Map<number, CandleChecks>();
  #rows = 0;
  #trades = 0;
  #buys = 0;
  #volume = 0n;
  #firstUs = Number.POSITIVE_INFINITY;
  #lastUs = 0;
  #hasBook = false;
  #changes: Changes | undefined;
  /** The snapshot that the latest level belongs to, with receive times by level; `undefined`: it was a change. */
  #snapshot: { readonly exchangeUs: number; readonly levels: Map<string, number> } | undefined;
  #lastPrice = 0;
  #lastMove: boolean | undefined;

  constructor(
    market: TapeMarket,
    place: number,
    { locked, counts }: { readonly locked: 'keep' | 'separate'; readonly counts: ImportCounts },
  ) {
    this.#market = market;
    this.#place = place;
    this.#counts = counts;
    this.#books = new SnapshotBooks(place, locked, counts);
    this.#seen = new SeenTrades(counts);
  }

  statistics(): CsvStatistics {
    return {
      rows: this.#rows,
      trades: this.#trades,
      tradeVolume: formatScaled(this.#volume, this.#market.sizeDecimals),
      buys: this.#buys,
      firstUs: this.#rows === 0 ? 0 : this.#firstUs,
      lastUs: this.#lastUs,
    };
  }

  /** @throws ProtocolError naming file and line when a cell is not what its role says. */
  take(record: CsvRecord, source: CsvSource, order: FrameOrder): void {
    this.#rows++;
    this.#firstUs = Math.min(this.#firstUs, record.exchangeUs);
    this.#lastUs = Math.max(this.#lastUs, record.exchangeUs);
    const row = new Cells(record, source, this.#market);
    const { rows } = source.mapping;
    if (rows === 'levels') this.#level(row, order);
    else if (rows === 'trades') this.#trade(row, order);
    else if (rows === 'quotes') this.#quote(row, order);
    else if (rows === 'books') this.#book(row, order);
    else this.#candle(row, order);
  }

  /** The levels so far are a frame: the next row is of another time. */
  flush(order: FrameOrder): void {
    const changes = this.#changes;
    this.#changes = undefined;
    if (changes === undefined) return;
    order.sawBook(this.#place, changes.exchangeUs, changes.receivedUs);
    this.#add(order, RANK.levels, changes, changes.rows);
  }

  /** After the last row. @throws ProtocolError when rows of candles are not as far apart as these are long. */
  end(order: FrameOrder): void {
    this.flush(order);
    this.#seen.end();
    for (const check of this.#candles.values()) check.end();
  }

  /** True for a trade that was read before, and for a candle, whose checks refuse it. */
  takesLate(record: CsvRecord, source: CsvSource): boolean {
    const { rows } = source.mapping;
    if (rows === 'candles') return true;
    return rows === 'trades' && this.#seen.has(new Cells(record, source, this.#market).trade());
  }

  #trade(row: Cells, order: FrameOrder): void {
    const trade = row.trade();
    const { id, price, size, side } = trade;
    const isBuy = this.#takerOf(row.side(side), price);
    const count = ++this.#trades;
    this.#volume += BigInt(size);
    if (isBuy === true) this.#buys++;
    this.#seen.take(trade, () => {
      if (size === 0) this.#counts.add('tradesWithoutSize');
      else if (isBuy === undefined) this.#counts.add('tradesWithoutSide');
      else {
        const number = id === undefined ? count : tradeIdOf(id, count, this.#counts);
        this.#add(order, RANK.trade, row, [[isBuy ? EVENT.buyTrade : EVENT.sellTrade, price, size, number]]);
      }
    });
  }

  /** The recorded side of the taker, else the direction of the price; undefined while neither is known. */
  #takerOf(side: 'buy' | 'sell' | undefined, price: number): boolean | undefined {
    if (this.#lastPrice !== 0 && price !== this.#lastPrice) this.#lastMove = price > this.#lastPrice;
    this.#lastPrice = price;
    if (side !== undefined) return side === 'buy';
    if (this.#lastMove !== undefined) this.#counts.add('aggressorsByTick');
    return this.#lastMove;
  }

  #quote(row: Cells, order: FrameOrder): void {
    const rows: readonly FrameRow[] = [
      [EVENT.bestBid, row.price('bidPrice'), row.size('bidSize'), 0],
      [EVENT.bestAsk, row.price('askPrice'), row.size('askSize'), 0],
    ];
    if (this.#market.depth === 'bbo') order.sawBook(this.#place, row.exchangeUs, row.receivedUs);
    this.#add(order, RANK.best, row, rows);
  }

  #book(row: Cells, order: FrameOrder): void {
    const { exchangeUs, receivedUs } = row;
    const sides = { bids: row.levels('bidPrice', 'bidSize', -1), asks: row.levels('askPrice', 'askSize', 1) };
    this.#books.add(sides, { exchangeUs, receivedUs }, order);
  }

  /**
   * A level of a change, or of a snapshot: the snapshot's first level makes all before it void. Changes before the first
   * snapshot are dropped.
   */
  #level(row: Cells, order: FrameOrder): void {
    const hasSnapshots = row.has('snapshot');
    const isSnapshot = hasSnapshots && row.flag('snapshot');
    if (hasSnapshots && !isSnapshot && !this.#hasBook) {
      this.#counts.add('beforeSnapshot');
      return;
    }
    const side = must(row.side(row.text('side') ?? '', true), 'a side of the book');
    const kind = side === 'buy' ? EVENT.bidLevel : EVENT.askLevel;
    const level: FrameRow = [kind, row.price('price'), row.size('size'), 0];
    const isReset = isSnapshot && !this.#continuesSnapshot(row, `${side} ${level[1]}`);
    if (!isSnapshot) this.#snapshot = undefined;
    const changes = this.#changesAt(row, order);
    if (isReset && this.#hasBook) this.#counts.add('resets');
    if (isReset) changes.rows = [];
    if (isReset || !this.#hasBook) changes.rows.push(RESET_ROW);
    this.#hasBook = true;
    changes.rows.push(level);
  }

  /**
   * Levels of a snapshot have one exchange time, however often the recorder received some of them. What it received
   * again, at another time, is of the next snapshot.
   */
  #continuesSnapshot({ exchangeUs, receivedUs }: Cells, level: string): boolean {
    const known = this.#snapshot;
    const continues =
      known?.exchangeUs === exchangeUs && (known.levels.get(level) ?? receivedUs) === receivedUs;
    const snapshot = continues ? known : { exchangeUs, levels: new Map<string, number>() };
    snapshot.levels.set(level, receivedUs);
    this.#snapshot = snapshot;
    return continues;
  }

  /** The frame that a level with the times of `row` belongs to. */
  #changesAt({ exchangeUs, receivedUs }: Cells, order: FrameOrder): Changes {
    const known = this.#changes;
    const isSame = known?.exchangeUs === exchangeUs && known.receivedUs === receivedUs;
    if (known !== undefined && isSame && known.rows.length < FRAME_ROWS_MAX) return known;
    this.flush(order);
    const changes = { exchangeUs, receivedUs, rows: [] };
    this.#changes = changes;
    return changes;
  }

  /** Its time is its end. */
  #candle(row: Cells, order: FrameOrder): void {
    const lengthMs = must(row.source.mapping.intervalMs, 'the length of a bar');
    const { place, exchangeUs, receivedUs } = row;
    const check =
      this.#candles.get(lengthMs) ?? new CandleChecks({ lengthMs, market: this.#place, hasHoles: true });
    this.#candles.set(lengthMs, check);
    const beginMs = check.take(place, exchangeUs - lengthMs * 1_000, order, receivedUs - exchangeUs);
    const [open, high] = [row.price('open'), row.price('high')];
    const [low, close] = [row.price('low'), row.price('close')];
    if (!areCandlePrices(open, high, low, close)) this.#counts.add('badBars');
    const volume = row.text('volume') === undefined ? 0 : row.size('volume');
    const rows: readonly FrameRow[] = [
      [EVENT.candleOpen, open, 0, lengthMs],
      [EVENT.candleHigh, high, 0, beginMs],
      [EVENT.candleLow, low, 0, 0],
      [EVENT.candleClose, close, volume, 0],
    ];
    this.#add(order, RANK.levels, row, rows);
  }

  #add(
    order: FrameOrder,
    rank: (typeof RANK)[keyof typeof RANK],
    { exchangeUs, receivedUs }: BookTimes,
    rows: readonly FrameRow[],
  ): void {
    order.add({ exchangeUs, receivedUs, rank, market: this.#place, rows });
  }
}
