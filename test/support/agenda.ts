/**
 * @module
 * What is to happen at which microsecond, one thing a turn of the clock, so that promises settle in between. At
 * one microsecond in the order of a backtest: rows of the market, what arrives at the exchange, what is heard of it, and
 * last the bot's next frame.
 */
import type { Clock, Timer } from '../../src/core/index.ts';

/** What comes before what at the same microsecond. */
export const RANK = { row: 0, arrival: 1, answer: 2, frame: 3 } as const;

interface Item {
  readonly us: number;
  readonly rank: number;
  readonly action: () => void;
}

/** See the module. Times are Unix us. */
export class Agenda {
  readonly #clock: Clock;
  readonly #originUs: number;
  /** In order. Few at any time. */
  readonly #items: Item[] = [];
  #armed: { readonly us: number; readonly timer: Timer } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#originUs = (clock.nowMs() - clock.monotonicMs()) * 1_000;
  }

  /** Now. The clock's own reading is of whole milliseconds. */
  get nowUs(): number {
    return this.#originUs + this.#clock.monotonicMs() * 1_000;
  }

  /** Does `action` at `us`, or as soon as may be when that is over. */
  at(us: number, rank: number, action: () => void): void {
    let place = this.#items.length;
    while (place > 0 && isBefore({ us, rank }, this.#items[place - 1] as Item)) place--;
    this.#items.splice(place, 0, { us, rank, action });
    this.#arm();
  }

  #arm(): void {
    const [first] = this.#items;
    if (first === undefined || (this.#armed !== undefined && this.#armed.us <= first.us)) return;
    this.#armed?.timer.cancel();
    const delayMs = (first.us - this.#originUs) / 1_000 - this.#clock.monotonicMs();
    this.#armed = { us: first.us, timer: this.#clock.after(delayMs, () => this.#do()) };
  }

  #do(): void {
    this.#armed = undefined;
    try {
      this.#items.shift()?.action();
    } finally {
      this.#arm();
    }
  }
}

function isBefore(a: Pick<Item, 'us' | 'rank'>, b: Item): boolean {
  return a.us < b.us || (a.us === b.us && a.rank < b.rank);
}
