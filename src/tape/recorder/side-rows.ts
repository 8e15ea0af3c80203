/**
 * @module
 * One side of a book as it was last written: best first, like the books that come, so that one walk finds what differs.
 */
import type { EventKind } from '../format/index.ts';

type SayLevel = (kind: EventKind, price: number, size: number) => void;

/** See the module. */
export class SideRows {
  readonly #kind: EventKind;
  /** 1: prices rise from the best on; -1: they fall. */
  readonly #direction: 1 | -1;
  readonly #say: SayLevel;
  #ticks = new Float64Array(0);
  #lots = new Float64Array(0);
  #count = 0;

  constructor(kind: EventKind, direction: 1 | -1, say: SayLevel) {
    this.#kind = kind;
    this.#direction = direction;
    this.#say = say;
  }

  /** The other side knows none of it any more. */
  forget(): void {
    this.#count = 0;
  }

  /** Writes what differs, gone levels first. @returns how many rows that took. */
  update(ticks: Float64Array, lots: Float64Array, count: number): number {
    const rows = this.#sayGone(ticks, count) + this.#sayChanged(ticks, lots, count);
    if (this.#ticks.length < count) {
      this.#ticks = new Float64Array(count);
      this.#lots = new Float64Array(count);
    }
    this.#ticks.set(ticks.subarray(0, count));
    this.#lots.set(lots.subarray(0, count));
    this.#count = count;
    return rows;
  }

  /** Writes the best level once more. @returns whether there is one. */
  repeat(): boolean {
    if (this.#count === 0) return false;
    this.#say(this.#kind, this.#ticks[0] ?? 0, this.#lots[0] ?? 0);
    return true;
  }

  #sayGone(ticks: Float64Array, count: number): number {
    let rows = 0;
    let at = 0;
    for (let level = 0; level < this.#count; level++) {
      const price = this.#ticks[level] ?? 0;
      while (at < count && this.#isBetter(ticks[at] ?? 0, price)) at++;
      if (at < count && ticks[at] === price) continue;
      this.#say(this.#kind, price, 0);
      rows++;
    }
    return rows;
  }

  #sayChanged(ticks: Float64Array, lots: Float64Array, count: number): number {
    let rows = 0;
    let at = 0;
    for (let level = 0; level < count; level++) {
      const price = ticks[level] ?? 0;
      const size = lots[level] ?? 0;
      while (at < this.#count && this.#isBetter(this.#ticks[at] ?? 0, price)) at++;
      if (at < this.#count && this.#ticks[at] === price && this.#lots[at] === size) continue;
      this.#say(this.#kind, price, size);
      rows++;
    }
    return rows;
  }

  #isBetter(a: number, b: number): boolean {
    return (a - b) * this.#direction < 0;
  }
}
