/**
 * @module
 * The fewest decimals that hold all prices and all sizes of a recording, found by reading it once before. Nothing is
 * rounded to fit: who knows the decimals names them and saves the reading.
 */
import type { CsvRow } from './csv-table.ts';
import type { RecordedScale } from './location.ts';
import { printedDecimalsOf } from './plain-decimal.ts';

/** Decimals that the reader was given. */
export interface StatedScale {
  /** Decimals of a price; `undefined`: found by reading the data. */
  readonly priceDecimals?: number | undefined;
  /** Decimals of a size; `undefined`: found by reading the data. */
  readonly sizeDecimals?: number | undefined;
}

/** Which cells of a row are prices and which are sizes. */
export interface ScaledColumns {
  /** Indexes of the price columns. */
  readonly prices: readonly number[];
  /** Indexes of the size columns. */
  readonly sizes: readonly number[];
}

/** Widest scale seen so far. */
export class ScaleScan {
  #priceDecimals = 0;
  #sizeDecimals = 0;

  /** Takes in all rows of a file. */
  async add(rows: AsyncIterable<CsvRow>, columns: ScaledColumns): Promise<void> {
    for await (const { cells } of rows) this.addRow(cells, columns);
  }

  /** Takes in one row. */
  addRow(cells: readonly string[], { prices, sizes }: ScaledColumns): void {
    for (const at of prices)
      this.#priceDecimals = Math.max(this.#priceDecimals, printedDecimalsOf(cells[at] ?? ''));
    for (const at of sizes)
      this.#sizeDecimals = Math.max(this.#sizeDecimals, printedDecimalsOf(cells[at] ?? ''));
  }

  /** What was found; `told` has precedence. */
  scale(told: StatedScale): RecordedScale {
    return {
      priceDecimals: told.priceDecimals ?? this.#priceDecimals,
      sizeDecimals: told.sizeDecimals ?? this.#sizeDecimals,
    };
  }
}

/** True if both decimals are given, so that nothing needs to be read before. */
export function isScaleStated(told: StatedScale): boolean {
  return told.priceDecimals !== undefined && told.sizeDecimals !== undefined;
}
