/**
 * @module
 * Changes of own orders on the book in columns that grow: nothing is kept of one but its values, and the objects that a chart
 * reads are made when it asks.
 */
import { unixMs } from '../core/index.ts';
import type { Lots, OrderId, RecordedQuote, Ticks, WorkingOrder } from '../domain/index.ts';

const CHANGES = [
  'rested',
  'filled',
  'canceled',
  'expired',
] as const satisfies readonly RecordedQuote['what'][];
/** Bit of a mark beside the number of what happened. */
const SELL = 4;
const ROWS_AT_FIRST = 1_024;
/** Numbers of a change: its time, the price and the size of the order, the number of the order among all that rested. */
const NUMBERS = 4;

/** Whose an order is, and where. */
export type QuoteOwner = Pick<RecordedQuote, 'strategyId' | 'symbol'>;

/** See the module. */
export class QuoteColumns {
  #numbers = new Float64Array(ROWS_AT_FIRST * NUMBERS);
  #marks = new Uint8Array(ROWS_AT_FIRST);
  #orderIds: OrderId[] = [];
  #owners: QuoteOwner[] = [];

  /** How many changes there are. */
  get size(): number {
    return this.#orderIds.length;
  }

  /** Adds a change of the `ordinal`-th order of all that rested. */
  add(
    order: WorkingOrder,
    change: Pick<RecordedQuote, 'what' | 'atMs'>,
    ordinal: number,
    owner: QuoteOwner,
  ): void {
    const row = this.#orderIds.length;
    if (row === this.#marks.length) this.#grow();
    this.#orderIds.push(order.orderId);
    this.#owners.push(owner);
    this.#marks[row] = CHANGES.indexOf(change.what) | (order.side === 'sell' ? SELL : 0);
    const at = row * NUMBERS;
    this.#numbers[at] = change.atMs;
    this.#numbers[at + 1] = order.priceTicks;
    this.#numbers[at + 2] = order.sizeLots;
    this.#numbers[at + 3] = ordinal;
  }

  /** Leaves out the orders whose ordinal is no multiple of `oneOf`. */
  thin(oneOf: number): void {
    let kept = 0;
    for (let row = 0; row < this.size; row++) {
      if ((this.#numbers[row * NUMBERS + 3] as number) % oneOf !== 0) continue;
      this.#numbers.copyWithin(kept * NUMBERS, row * NUMBERS, (row + 1) * NUMBERS);
      this.#marks[kept] = this.#marks[row] as number;
      this.#orderIds[kept] = this.#orderIds[row] as OrderId;
      this.#owners[kept] = this.#owners[row] as QuoteOwner;
      kept++;
    }
    this.#orderIds.length = kept;
    this.#owners.length = kept;
  }

  /** All of them, oldest first. */
  rows(): readonly RecordedQuote[] {
    return this.#orderIds.map((orderId, row) => {
      const { strategyId, symbol } = this.#owners[row] as QuoteOwner;
      const at = row * NUMBERS;
      const mark = this.#marks[row] as number;
      return {
        atMs: unixMs(this.#numbers[at] as number),
        strategyId,
        orderId,
        symbol,
        side: (mark & SELL) === 0 ? 'buy' : 'sell',
        priceTicks: this.#numbers[at + 1] as Ticks,
        sizeLots: this.#numbers[at + 2] as Lots,
        what: CHANGES[mark % SELL] as RecordedQuote['what'],
      };
    });
  }

  #grow(): void {
    const numbers = new Float64Array(this.#numbers.length * 2);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const marks = new Uint8Array(this.#marks.length * 2);
    marks.set(this.#marks);
    this.#marks = marks;
  }
}
