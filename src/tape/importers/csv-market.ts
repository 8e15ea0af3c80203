/** @module The rows of one market of mapped CSV files as frames of a tape. */
import { formatScaled, must } from '../../core/index.ts';
import { EVENT, type TapeMarket } from '../format/index.ts';
import type { RecordedLevel } from './book-repair.ts';
import { areCandlePrices, CandleChecks } from './candle-checks.ts';
import type { CsvColumns, CsvFileMapping } from './csv-mapping.ts';
import type { CsvRow } from './csv-table.ts';
import { type FrameOrder, type FrameRow, RANK } from './frame-order.ts';
import { SeenIds, tradeIdOf } from './ids.ts';
import type { ImportCounts } from './import-counts.ts';
import { RESET_ROW } from './level-changes.ts';
import { malformed, type Place, priceAt, quoted, sizeAt } from './location.ts';
import { plainDecimal } from './plain-decimal.ts';
import { SnapshotBooks } from './snapshot-books.ts';

/** Rows of a file that happened together. */
export interface CsvGroup {
  /** Symbol of the market. */
  readonly symbol: string;
  /** Exchange time, Unix us. */
  readonly exchangeUs: number;
  /** Receive time, Unix us. */
  readonly receivedUs: number;
  /** Mapping of the file. */
  readonly mapping: CsvFileMapping;
  /** Indexes of its columns. */
  readonly columns: CsvColumns;
  /** Rows of one market and time. */
  readonly rows: readonly CsvRow[];
}

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

const YES = ['1', 'true', 'yes'];
const NO = ['0', 'false', 'no', ''];

/** See the module. */
export class CsvMarket {
  readonly #market: TapeMarket;
  readonly #place: number;
  readonly #counts: ImportCounts;
  readonly #books: SnapshotBooks;
  readonly #ids = new SeenIds();
  /** By the length of the candles, ms. */
  readonly #candles = new Map<number, CandleChecks>();
  #rows = 0;
  #trades = 0;
  #buys = 0;
  #volume = 0n;
  #firstUs = Number.POSITIVE_INFINITY;
  #lastUs = 0;
  #hasBook = false;
  #wasSnapshot = false;
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
  take(group: CsvGroup, order: FrameOrder): void {
    this.#rows += group.rows.length;
    this.#firstUs = Math.min(this.#firstUs, group.exchangeUs);
    this.#lastUs = Math.max(this.#lastUs, group.exchangeUs);
    const row = new Cells(must(group.rows[0], 'a row of the group'), group, this.#market);
    if (group.mapping.rows === 'levels') this.#levels(group, order);
    else if (group.mapping.rows === 'trades') this.#trade(row, order);
    else if (group.mapping.rows === 'quotes') this.#quote(row, order);
    else if (group.mapping.rows === 'books') this.#book(row, order);
    else this.#candle(row, order);
  }

  /** All rows were taken. @throws ProtocolError when rows of candles are not as far apart as these are long. */
  end(): void {
    for (const check of this.#candles.values()) check.end();
  }

  #trade(row: Cells, order: FrameOrder): void {
    const price = row.price('price');
    const size = row.size('size');
    const isBuy = this.#takerOf(row, price);
    this.#trades++;
    this.#volume += BigInt(size);
    if (isBuy === true) this.#buys++;
    const id = row.text('id');
    if (id !== undefined && this.#ids.isRepeated(id)) this.#counts.add('duplicatesDropped');
    else if (size === 0) this.#counts.add('tradesWithoutSize');
    else if (isBuy === undefined) this.#counts.add('tradesWithoutSide');
    else {
      const number = id === undefined ? this.#trades : tradeIdOf(id, this.#trades, this.#counts);
      const kind = isBuy ? EVENT.buyTrade : EVENT.sellTrade;
      this.#add(order, RANK.trade, row.group, [[kind, price, size, number]]);
    }
  }

  /** The recorded side of the taker, else the direction of the price; undefined while neither is known. */
  #takerOf(row: Cells, price: number): boolean | undefined {
    if (this.#lastPrice !== 0 && price !== this.#lastPrice) this.#lastMove = price > this.#lastPrice;
    this.#lastPrice = price;
    const side = row.side(row.text('side') ?? '');
    if (side !== undefined) return side === 'buy';
    if (this.#lastMove !== undefined) this.#counts.add('aggressorsByTick');
    return this.#lastMove;
  }

  #quote(row: Cells, order: FrameOrder): void {
    const rows: readonly FrameRow[] = [
      [EVENT.bestBid, row.price('bidPrice'), row.size('bidSize'), 0],
      [EVENT.bestAsk, row.price('askPrice'), row.size('askSize'), 0],
    ];
    if (this.#market.depth === 'bbo') order.sawBook(this.#place, row.group.exchangeUs, row.group.receivedUs);
    this.#add(order, RANK.best, row.group, rows);
  }

  #book(row: Cells, order: FrameOrder): void {
    const { exchangeUs, receivedUs } = row.group;
    const sides = { bids: row.levels('bidPrice', 'bidSize', -1), asks: row.levels('askPrice', 'askSize', 1) };
    this.#books.add(sides, { exchangeUs, receivedUs }, order);
  }

  /** Single changes. A snapshot that follows changes makes all before it void; changes before the first are dropped. */
  #levels(group: CsvGroup, order: FrameOrder): void {
    const cells = group.rows.map((row) => new Cells(row, group, this.#market));
    const hasSnapshots = group.columns.roles['snapshot'] !== undefined;
    let rows: FrameRow[] = [];
    for (const cell of cells) {
      const isSnapshot = hasSnapshots && cell.flag('snapshot');
      const isReset = isSnapshot && !this.#wasSnapshot;
      this.#wasSnapshot = isSnapshot;
      if (hasSnapshots && !isSnapshot && !this.#hasBook) {
        this.#counts.add('beforeSnapshot');
        continue;
      }
      if (isReset && this.#hasBook) this.#counts.add('resets');
      if (isReset) rows = [];
      if (isReset || !this.#hasBook) rows.push(RESET_ROW);
      this.#hasBook = true;
      const side = must(cell.side(cell.text('side') ?? '', true), 'a side of the book');
      rows.push([
        side === 'buy' ? EVENT.bidLevel : EVENT.askLevel,
        cell.price('price'),
        cell.size('size'),
        0,
      ]);
    }
    if (rows.length === 0) return;
    order.sawBook(this.#place, group.exchangeUs, group.receivedUs);
    this.#add(order, RANK.levels, group, rows);
  }

  /** Its group's time is its end. */
  #candle(row: Cells, order: FrameOrder): void {
    const lengthMs = must(row.group.mapping.intervalMs, 'the length of a bar');
    const { exchangeUs, receivedUs, rows: recorded } = row.group;
    const check =
      this.#candles.get(lengthMs) ??
      new CandleChecks({ lengthMs, market: this.#place, counts: this.#counts, hasHoles: true });
    this.#candles.set(lengthMs, check);
    const place = must(recorded[0], 'the row of a candle').place;
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
    this.#add(order, RANK.levels, row.group, rows);
  }

  #add(
    order: FrameOrder,
    rank: (typeof RANK)[keyof typeof RANK],
    { exchangeUs, receivedUs }: Pick<CsvGroup, 'exchangeUs' | 'receivedUs'>,
    rows: readonly FrameRow[],
  ): void {
    order.add({ exchangeUs, receivedUs, rank, market: this.#place, rows });
  }
}

/** The cells of one row by role. */
class Cells {
  readonly group: CsvGroup;
  readonly #row: CsvRow;
  readonly #market: TapeMarket;

  constructor(row: CsvRow, group: CsvGroup, market: TapeMarket) {
    this.group = group;
    this.#row = row;
    this.#market = market;
  }

  /** The text of a role; `undefined` when the mapping has no column for it. */
  text(role: string): string | undefined {
    const index = this.group.columns.roles[role]?.[0];
    return index === undefined ? undefined : (this.#row.cells[index] ?? '');
  }

  price(role: string): number {
    return this.#priceOf(this.text(role) ?? '', role);
  }

  size(role: string): number {
    return this.#sizeOf(this.text(role) ?? '', role);
  }

  /** The side that `word` means; any other word is an error where a side is needed. */
  side(word: string, isNeeded = false): 'buy' | 'sell' | undefined {
    const { buy, sell } = this.group.mapping.sides;
    const isWord = (one: string) => one.toLowerCase() === word.toLowerCase();
    if (buy.some(isWord)) return 'buy';
    if (sell.some(isWord)) return 'sell';
    if (!isNeeded) return undefined;
    throw malformed(this.#place, `a side of ${[...buy, ...sell].join(', ')}`, quoted(word));
  }

  flag(role: string): boolean {
    const text = (this.text(role) ?? '').toLowerCase();
    if (YES.includes(text) || NO.includes(text)) return YES.includes(text);
    throw malformed(this.#place, `${role} as true or false`, quoted(text));
  }

  /** Levels of a whole book; bids fall (-1), asks rise (1). Empty cells and levels without size are left out. */
  levels(prices: string, sizes: string, direction: 1 | -1): readonly RecordedLevel[] {
    const { roles } = this.group.columns;
    const levels: RecordedLevel[] = [];
    for (const [at, cell] of (roles[prices] ?? []).entries()) {
      const price = this.#row.cells[cell] ?? '';
      const size = this.#row.cells[roles[sizes]?.[at] ?? -1] ?? '';
      if (price === '' && size === '') continue;
      const level = { priceTicks: this.#priceOf(price, prices, at), sizeLots: this.#sizeOf(size, sizes, at) };
      const before = levels.at(-1);
      if (before !== undefined && (level.priceTicks - before.priceTicks) * direction <= 0)
        throw malformed(this.#place, 'levels from best to worst', `${quoted(price)} in column ${cell + 1}`);
      if (level.sizeLots > 0) levels.push(level);
    }
    return levels;
  }

  get #place(): Place {
    return this.#row.place;
  }

  #priceOf(text: string, role: string, level = 0) {
    return priceAt(this.#place, plainDecimal(text), this.#market.priceDecimals, this.#columnOf(role, level));
  }

  #sizeOf(text: string, role: string, level = 0) {
    return sizeAt(this.#place, plainDecimal(text), this.#market.sizeDecimals, this.#columnOf(role, level));
  }

  /** The name of a role's column; its number where there is no header. */
  #columnOf(role: string, level: number): string {
    const { columns } = this.group;
    const index = columns.roles[role]?.[level] ?? 0;
    return columns.header?.[index] ?? `${index + 1}`;
  }
}
