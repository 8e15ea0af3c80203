/**
 * @module Columns of a run over bars: what goes in (bars, settlements of funding) and what comes out (fills, trades).
 * Columns that grow double their capacity, so that a bar makes no object.
 */
import type { Bars } from '../../bot/strategy/index.ts';

/** Bars of one length in order of time, whole: see {@link Bars}. */
export interface BarColumns extends Bars {
  /** Number of rows. */
  readonly rows: number;
  /** Length of each bar, us. */
  readonly barUs: number;
}

/** Settlements of funding in order of time. */
export interface SettlementColumns {
  /** Number of rows. */
  readonly rows: number;
  /** Unix us. */
  readonly atUs: Float64Array;
  /** Parts per billion, integers; above 0: longs pay. */
  readonly ratePpb: Float64Array;
  /** The price they were settled at, 0: not known. */
  readonly priceTicks: Float64Array;
}

/** No settlements. */
export const NO_SETTLEMENTS: SettlementColumns = {
  rows: 0,
  atUs: new Float64Array(),
  ratePpb: new Float64Array(),
  priceTicks: new Float64Array(),
};

/** Columns of bars that hold NaN. */
export function emptyBars(rows: number): Bars {
  const column = () => new Float64Array(rows).fill(Number.NaN);
  return {
    ...{ openUs: column(), open: column(), high: column() },
    ...{ low: column(), close: column(), volume: column() },
  };
}

/** A column of numbers that grows. */
export class NumberColumn {
  #values = new Float64Array(64);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const wider = new Float64Array(2 * this.#length);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.#length++] = value;
  }

  /** What was pushed. The column is not used any more. */
  done(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }
}
