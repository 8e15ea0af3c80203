/** @module The statistics of one file of bars, marks or funding that prove a reader right. It does not check them. */
import { formatShort, must } from '../../core/index.ts';

/** Decimals in which sums and extremes are kept: more than any exchange prints. */
export const STATISTIC_DECIMALS = 12;
/** A step longer than this multiple of the usual one is a gap. */
const GAP_FACTOR = 1.5;

/** The statistics of a file; decimals as text without trailing zeros. What a file does not hold is left out. */
export interface CandleStatistics {
  /** Number of rows. */
  readonly rows: number;
  /** First time, Unix ms. */
  readonly firstMs: number;
  /** Last time, Unix ms. */
  readonly lastMs: number;
  /** The usual distance of two rows: the median. */
  readonly stepMs: number;
  /** Steps longer than one and a half of it. */
  readonly gaps: number;
  /** Lowest low as decimal text; absent: no bars. */
  readonly minLow?: string;
  /** Highest high as decimal text; absent: no bars. */
  readonly maxHigh?: string;
  /** Bars whose open or close is outside of low and high. */
  readonly badRows?: number;
  /** Sum of volumes as decimal text; absent: no volumes. */
  readonly sumVolume?: string;
  /** Sum of funding rates as decimal text; absent: no rates. */
  readonly sumRate?: string;
}

/** Counts the rows of one file; amounts are integers of {@link STATISTIC_DECIMALS} decimals. */
export class CandleTally {
  readonly #steps: number[] = [];
  #rows = 0;
  #firstMs = 0;
  #lastMs = 0;
  #minLow: bigint | undefined;
  #maxHigh: bigint | undefined;
  #badRows = 0;
  #volume: bigint | undefined;
  #rate: bigint | undefined;

  addRow(atMs: number): void {
    if (this.#rows++ === 0) this.#firstMs = atMs;
    else this.#steps.push(atMs - this.#lastMs);
    this.#lastMs = atMs;
  }

  addBar({ low, high }: { readonly low: bigint; readonly high: bigint }, isBad: boolean): void {
    if (this.#minLow === undefined || low < this.#minLow) this.#minLow = low;
    if (this.#maxHigh === undefined || high > this.#maxHigh) this.#maxHigh = high;
    if (isBad) this.#badRows++;
  }

  addVolume(volume: bigint): void {
    this.#volume = (this.#volume ?? 0n) + volume;
  }

  addRate(rate: bigint): void {
    this.#rate = (this.#rate ?? 0n) + rate;
  }

  /** The statistics so far. */
  statistics(): CandleStatistics {
    const stepMs = median(this.#steps);
    const hasBars = this.#minLow !== undefined && this.#maxHigh !== undefined;
    return {
      rows: this.#rows,
      firstMs: this.#firstMs,
      lastMs: this.#lastMs,
      stepMs,
      gaps: this.#steps.filter((step) => step > stepMs * GAP_FACTOR).length,
      ...(hasBars
        ? { minLow: textOf(this.#minLow), maxHigh: textOf(this.#maxHigh), badRows: this.#badRows }
        : {}),
      ...(this.#volume === undefined ? {} : { sumVolume: textOf(this.#volume) }),
      ...(this.#rate === undefined ? {} : { sumRate: textOf(this.#rate) }),
    };
  }
}

/** The middle value, the lower of two; 0 of none. */
function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  return must(sorted[Math.floor((sorted.length - 1) / 2)], 'a middle value');
}

function textOf(value: bigint | undefined): string {
  return formatShort(value ?? 0n, STATISTIC_DECIMALS);
}
