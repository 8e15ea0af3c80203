/** @module The newest bars of a market in columns, as rules read them: memory is bounded, the oldest ones go. */
import type { Bar, Bars } from '../bars.ts';

/** Bars that are there at least, once they have been seen. */
const BARS_KEPT = 2_048;

const NAMES = ['openUs', 'open', 'high', 'low', 'close', 'volume'] as const;

/** See the module. */
export class BarWindow implements Bars {
  readonly openUs = emptyColumn();
  readonly open = emptyColumn();
  readonly high = emptyColumn();
  readonly low = emptyColumn();
  readonly close = emptyColumn();
  readonly volume = emptyColumn();
  #rows = 0;

  /** The index of the newest bar; -1: there is none. */
  get last(): number {
    return this.#rows - 1;
  }

  /** Adds the newest bar. All of them move when the oldest half goes: a rule counts back from the index it is given. */
  push(bar: Bar): void {
    if (this.#rows === 2 * BARS_KEPT) {
      for (const name of NAMES) this[name].copyWithin(0, BARS_KEPT).fill(Number.NaN, BARS_KEPT);
      this.#rows = BARS_KEPT;
    }
    for (const name of NAMES) this[name][this.#rows] = bar[name];
    this.#rows++;
  }
}

function emptyColumn(): Float64Array {
  return new Float64Array(2 * BARS_KEPT).fill(Number.NaN);
}
