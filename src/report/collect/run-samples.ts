/**
 * @module
 * State at regular times, in columns that grow. Bounded: when they are full every second sample is left out and the
 * period doubles, so a run of weeks keeps a day's worth of points.
 */
import type { RunSamples } from '../../domain/index.ts';

/** How many samples are kept at most: two days of seconds. */
export const SAMPLES_MAX = 172_800;

/** See the module. Columns: time, equity, then mid and inventory of each market. */
export class SampleColumns {
  readonly #max: number;
  #columns: readonly Float64Array[];
  #rows = 0;
  #periodMs: number;

  constructor(markets: number, periodMs: number, max = SAMPLES_MAX) {
    this.#periodMs = periodMs;
    this.#max = max;
    this.#columns = Array.from({ length: 2 + 2 * markets }, () => new Float64Array(1_024));
  }

  /** Milliseconds between two samples. */
  get periodMs(): number {
    return this.#periodMs;
  }

  /** Adds a row, in which {@link setMarket} fills in the markets' values. */
  add(atMs: number, equity: number): void {
    if (this.#rows === this.#max) this.#halve();
    if (this.#rows === this.#columns[0]?.length) this.#grow();
    const at = this.#rows++;
    this.#set(0, at, atMs);
    this.#set(1, at, equity);
  }

  /** Sets the values of a market in the row that was added last. */
  setMarket(market: number, mid: number, lots: number): void {
    this.#set(2 + 2 * market, this.#rows - 1, mid);
    this.#set(3 + 2 * market, this.#rows - 1, lots);
  }

  /** The samples of the markets at the indexes `kept`. */
  finish(kept: readonly number[]): RunSamples {
    const column = (index: number) => (this.#columns[index] ?? new Float64Array()).slice(0, this.#rows);
    return {
      periodMs: this.#periodMs,
      atMs: column(0),
      equity: column(1),
      midTicks: kept.map((market) => column(2 + 2 * market)),
      inventoryLots: kept.map((market) => column(3 + 2 * market)),
    };
  }

  /** Times, and mid and inventory of each market, of at most `pointsMax` of the newest `rowsMax` samples, the newest among them. */
  newest(rowsMax: number, pointsMax: number): readonly (readonly number[])[] {
    const count = Math.min(rowsMax, this.#rows);
    const step = Math.max(1, Math.ceil(count / pointsMax));
    const rows: number[] = [];
    for (let row = this.#rows - 1; row >= this.#rows - count; row -= step) rows.unshift(row);
    return this.#columns.toSpliced(1, 1).map((column) => rows.map((row) => column[row] ?? Number.NaN));
  }

  #set(column: number, row: number, value: number): void {
    const values = this.#columns[column];
    if (values !== undefined) values[row] = value;
  }

  #grow(): void {
    this.#columns = this.#columns.map((column) => {
      const longer = new Float64Array(Math.min(this.#max, column.length * 2));
      longer.set(column);
      return longer;
    });
  }

  /** Keeps the samples whose time is a multiple of twice the period, and the first. */
  #halve(): void {
    this.#periodMs *= 2;
    const times = this.#columns[0] ?? new Float64Array();
    let kept = 0;
    for (let row = 0; row < this.#rows; row++) {
      if (row > 0 && (times[row] ?? 0) % this.#periodMs !== 0) continue;
      for (const column of this.#columns) column[kept] = column[row] ?? 0;
      kept++;
    }
    this.#rows = kept;
  }
}
