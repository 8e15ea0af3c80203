/**
 * @module The market's mid at some times after each fill, in columns: for most of a run's timers it is all that is
 * done, and fills of a minute ago are far away by then. What this does not do: timers, and knowing a price.
 */
import { must } from '../../core/index.ts';
import { MARKOUT_HORIZONS_MS, type MarketSymbol } from '../../domain/index.ts';

const ROWS_AT_FIRST = 256;

/** See the module. */
export class RunMarkouts {
  /** When the next price is due; Infinity: none is waited for. */
  dueMs = Number.POSITIVE_INFINITY;
  #count = 0;
  readonly #symbols: MarketSymbol[] = [];
  #toldAtMs = new Float64Array(ROWS_AT_FIRST);
  /** By horizon: the prices, and the next fill whose price is due. */
  readonly #columns = MARKOUT_HORIZONS_MS.map((afterMs) => ({
    afterMs,
    midTicks: new Float64Array(ROWS_AT_FIRST).fill(Number.NaN),
    next: 0,
  }));
  /** When that is, by horizon; Infinity: none is waited for. Mostly one of them is due, and the others are not touched. */
  readonly #dueMs = new Float64Array(MARKOUT_HORIZONS_MS.length).fill(Number.POSITIVE_INFINITY);

  /** A fill was reported. Times never fall. */
  add(symbol: MarketSymbol, toldAtMs: number): void {
    const row = this.#count++;
    if (row === this.#toldAtMs.length) this.#grow();
    this.#symbols.push(symbol);
    this.#toldAtMs[row] = toldAtMs;
    const due = this.#dueMs;
    for (let at = 0; at < due.length; at++) {
      if (due[at] !== Number.POSITIVE_INFINITY) continue;
      const dueMs = toldAtMs + (MARKOUT_HORIZONS_MS[at] as number);
      due[at] = dueMs;
      if (dueMs < this.dueMs) this.dueMs = dueMs;
    }
  }

  /** Takes the prices that are due. `midOf` gives the mid of a market. */
  take(untilMs: number, midOf: (symbol: MarketSymbol) => number): void {
    if (this.dueMs > untilMs) return;
    const due = this.#dueMs;
    let dueMs = Number.POSITIVE_INFINITY;
    for (let at = 0; at < due.length; at++) {
      if ((due[at] as number) <= untilMs) due[at] = this.#takeOf(at, untilMs, midOf);
      if ((due[at] as number) < dueMs) dueMs = due[at] as number;
    }
    this.dueMs = dueMs;
  }

  /** Takes the prices of a horizon that are due; when the next one is. */
  #takeOf(horizon: number, untilMs: number, midOf: (symbol: MarketSymbol) => number): number {
    const column = must(this.#columns[horizon], `horizon ${horizon}`);
    const { afterMs, midTicks } = column;
    const told = this.#toldAtMs;
    let { next } = column;
    while (next < this.#count && (told[next] as number) + afterMs <= untilMs) {
      midTicks[next] = midOf(this.#symbols[next] as MarketSymbol);
      next++;
    }
    column.next = next;
    return next < this.#count ? (told[next] as number) + afterMs : Number.POSITIVE_INFINITY;
  }

  /** The prices of a fill, by horizon; NaN: not due yet, or not known then. */
  of(row: number): readonly number[] {
    return this.#columns.map(({ midTicks }) => midTicks[row] as number);
  }

  #grow(): void {
    this.#toldAtMs = longer(this.#toldAtMs);
    for (const column of this.#columns) column.midTicks = longer(column.midTicks);
  }
}

function longer(values: Float64Array): Float64Array<ArrayBuffer> {
  const more = new Float64Array(values.length * 2).fill(Number.NaN, values.length);
  more.set(values);
  return more;
}
