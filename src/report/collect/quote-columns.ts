/**
 * @module
 * Changes of own orders on the book in columns that grow: nothing is kept of one but its values, and the objects that a chart
 * reads are made when it asks.
 */
import { NO_CODE, NumberedTexts, unixMs } from '../../core/index.ts';
import type { Lots, OrderId, RecordedQuote, Ticks, WorkingOrder } from '../../domain/index.ts';

/** What happened, by its number. */
const CHANGES = [
  'rested',
  'filled',
  'canceled',
  'expired',
] as const satisfies readonly RecordedQuote['event'][];
const FILLED = 1;
const CANCELED = 2;
const EXPIRED = 3;
/** Bits of a mark beside the number of what happened: the side, and which of the owners it is. */
const SELL = 4;
const OWNER_SHIFT = 3;
const ROWS_AT_FIRST = 1_024;
/** Numbers of a change: its time, price and size of the order, its number among all that rested, the code of its id. */
const NUMBERS = 5;

/** Whose an order is, and where. */
export type QuoteOwner = Pick<RecordedQuote, 'strategyId' | 'symbol'>;

/** An order that came to rest. */
export interface RestedQuote {
  /** The resting order. */
  readonly order: WorkingOrder;
  /** Its number among all resting orders. */
  readonly ordinal: number;
  /** The code of its id, see {@link QuoteColumns.codeOf}. */
  readonly code: number;
  /** Strategy that owns the order. */
  readonly owner: QuoteOwner;
}

/** See the module. */
export class QuoteColumns {
  #numbers = new Float64Array(ROWS_AT_FIRST * NUMBERS);
  #marks = new Uint32Array(ROWS_AT_FIRST);
  #size = 0;
  readonly #ids = new NumberedTexts();
  /** Ids that have no code, by the order's number among all that rested. */
  readonly #otherIds = new Map<number, OrderId>();
  readonly #owners: QuoteOwner[] = [];
  #lastOwner = 0;

  /** How many changes there are. */
  get size(): number {
    return this.#size;
  }

  /** The code of an order's id here: it is the same for all its changes. */
  codeOf(orderId: OrderId): number {
    return this.#ids.codeOf(orderId);
  }

  /** Adds a change of an order. */
  add({ order, ordinal, owner, code }: RestedQuote, event: RecordedQuote['event'], atMs: number): void {
    const row = this.#size++;
    if (row === this.#marks.length) this.#grow();
    this.#marks[row] =
      numberOf(event) | (order.side === 'sell' ? SELL : 0) | (this.#placeOf(owner) << OWNER_SHIFT);
    if (code === NO_CODE) this.#otherIds.set(ordinal, order.orderId);
    const at = row * NUMBERS;
    this.#numbers[at] = atMs;
    this.#numbers[at + 1] = order.priceTicks;
    this.#numbers[at + 2] = order.sizeLots;
    this.#numbers[at + 3] = ordinal;
    this.#numbers[at + 4] = code;
  }

  /** Leaves out the orders whose ordinal is no multiple of `oneOf`. */
  thin(oneOf: number): void {
    let kept = 0;
    for (let row = 0; row < this.#size; row++) {
      if ((this.#numbers[row * NUMBERS + 3] as number) % oneOf !== 0) continue;
      this.#numbers.copyWithin(kept * NUMBERS, row * NUMBERS, (row + 1) * NUMBERS);
      this.#marks[kept] = this.#marks[row] as number;
      kept++;
    }
    this.#size = kept;
    for (const ordinal of this.#otherIds.keys()) if (ordinal % oneOf !== 0) this.#otherIds.delete(ordinal);
  }

  /** All of them, oldest first. */
  rows(): readonly RecordedQuote[] {
    return Array.from({ length: this.#size }, (_none, row) => {
      const at = row * NUMBERS;
      const mark = this.#marks[row] as number;
      const { strategyId, symbol } = this.#owners[mark >>> OWNER_SHIFT] as QuoteOwner;
      return {
        atMs: unixMs(this.#numbers[at] as number),
        strategyId,
        orderId: this.#idAt(at),
        symbol,
        side: (mark & SELL) === 0 ? 'buy' : 'sell',
        priceTicks: this.#numbers[at + 1] as Ticks,
        sizeLots: this.#numbers[at + 2] as Lots,
        event: CHANGES[mark % SELL] as RecordedQuote['event'],
      };
    });
  }

  #idAt(at: number): OrderId {
    const code = this.#numbers[at + 4] as number;
    if (code !== NO_CODE) return this.#ids.textOf(code) as OrderId;
    return this.#otherIds.get(this.#numbers[at + 3] as number) as OrderId;
  }

  /** Which of the owners one is. */
  #placeOf({ strategyId, symbol }: QuoteOwner): number {
    const owners = this.#owners;
    // Mostly it is that of the last change.
    const last = owners[this.#lastOwner];
    if (last !== undefined && last.strategyId === strategyId && last.symbol === symbol)
      return this.#lastOwner;
    const at = owners.findIndex((owner) => owner.strategyId === strategyId && owner.symbol === symbol);
    this.#lastOwner = at < 0 ? owners.push({ strategyId, symbol }) - 1 : at;
    return this.#lastOwner;
  }

  #grow(): void {
    const numbers = new Float64Array(this.#numbers.length * 2);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const marks = new Uint32Array(this.#marks.length * 2);
    marks.set(this.#marks);
    this.#marks = marks;
  }
}

function numberOf(event: RecordedQuote['event']): number {
  if (event === 'rested') return 0;
  return event === 'canceled' ? CANCELED : event === 'filled' ? FILLED : EXPIRED;
}
