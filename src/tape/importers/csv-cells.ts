/** @module One row of a mapped CSV file: its cells by role, as prices, sizes, sides and flags. */
import type { TapeMarket } from '../format/index.ts';
import type { RecordedLevel } from './book-repair.ts';
import type { CsvColumns, CsvFileMapping } from './csv-mapping.ts';
import type { RecordedTrade } from './ids.ts';
import { malformed, type Place, priceAt, quoted, sizeAt } from './location.ts';
import { plainDecimal } from './plain-decimal.ts';
import type { Recorded } from './recorded.ts';

/** A file and how it is read. */
export interface CsvSource {
  /** Path of the file. */
  readonly path: string;
  /** The market that its name says; `undefined`: none. */
  readonly symbol: string | undefined;
  /** Mapping of the file. */
  readonly mapping: CsvFileMapping;
  /** Indexes of its columns. */
  readonly columns: CsvColumns;
}

/** One row of a file with its times. */
export interface CsvRecord extends Recorded {
  /** Index of its source. */
  readonly source: number;
  /** Symbol of the market. */
  readonly symbol: string;
  /** Cells of the row. */
  readonly cells: readonly string[];
}

const YES = ['1', 'true', 'yes'];
const NO = ['0', 'false', 'no', ''];

/** The cells of one row by role. */
export class Cells {
  readonly source: CsvSource;
  readonly place: Place;
  readonly exchangeUs: number;
  /** The exchange's time where the recording has no other. */
  readonly receivedUs: number;
  readonly #row: CsvRecord;
  readonly #market: TapeMarket;

  constructor(row: CsvRecord, source: CsvSource, market: TapeMarket) {
    this.source = source;
    this.place = row.place;
    this.exchangeUs = row.exchangeUs;
    this.receivedUs = row.receivedUs ?? row.exchangeUs;
    this.#row = row;
    this.#market = market;
  }

  /** True if the mapping has a column for `role`. */
  has(role: string): boolean {
    return this.source.columns.roles[role] !== undefined;
  }

  /** The text of a role; `undefined` when the mapping has no column for it. */
  text(role: string): string | undefined {
    const index = this.source.columns.roles[role]?.[0];
    return index === undefined ? undefined : (this.#row.cells[index] ?? '');
  }

  /** The row as a trade. */
  trade(): RecordedTrade {
    const { exchangeUs } = this;
    const [price, size] = [this.price('price'), this.size('size')];
    return { id: this.text('id'), exchangeUs, price, size, side: this.text('side') ?? '' };
  }

  price(role: string): number {
    return this.#priceOf(this.text(role) ?? '', role);
  }

  size(role: string): number {
    return this.#sizeOf(this.text(role) ?? '', role);
  }

  /** The side that `word` means; any other word is an error where a side is needed. */
  side(word: string, isNeeded = false): 'buy' | 'sell' | undefined {
    const { buy, sell } = this.source.mapping.sides;
    const isWord = (one: string) => one.toLowerCase() === word.toLowerCase();
    if (buy.some(isWord)) return 'buy';
    if (sell.some(isWord)) return 'sell';
    if (!isNeeded) return undefined;
    throw malformed(this.place, `a side of ${[...buy, ...sell].join(', ')}`, quoted(word));
  }

  flag(role: string): boolean {
    const text = (this.text(role) ?? '').toLowerCase();
    if (YES.includes(text) || NO.includes(text)) return YES.includes(text);
    throw malformed(this.place, `${role} as true or false`, quoted(text));
  }

  /** Levels of a whole book; bids fall (-1), asks rise (1). Empty cells and levels without size are left out. */
  levels(prices: string, sizes: string, direction: 1 | -1): readonly RecordedLevel[] {
    const { roles } = this.source.columns;
    const levels: RecordedLevel[] = [];
    for (const [at, cell] of (roles[prices] ?? []).entries()) {
      const price = this.#row.cells[cell] ?? '';
      const size = this.#row.cells[roles[sizes]?.[at] ?? -1] ?? '';
      if (price === '' && size === '') continue;
      const level = { priceTicks: this.#priceOf(price, prices, at), sizeLots: this.#sizeOf(size, sizes, at) };
      const before = levels.at(-1);
      if (before !== undefined && (level.priceTicks - before.priceTicks) * direction <= 0)
        throw malformed(this.place, 'levels from best to worst', `${quoted(price)} in column ${cell + 1}`);
      if (level.sizeLots > 0) levels.push(level);
    }
    return levels;
  }

  #priceOf(text: string, role: string, level = 0) {
    return priceAt(this.place, plainDecimal(text), this.#market.priceDecimals, this.#columnOf(role, level));
  }

  #sizeOf(text: string, role: string, level = 0) {
    return sizeAt(this.place, plainDecimal(text), this.#market.sizeDecimals, this.#columnOf(role, level));
  }

  /** The name of a role's column; its number where there is no header. */
  #columnOf(role: string, level: number): string {
    const { columns } = this.source;
    const index = columns.roles[role]?.[level] ?? 0;
    return columns.header?.[index] ?? `${index + 1}`;
  }
}
