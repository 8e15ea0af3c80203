/**
 * @module
 * The rows of a tape between the two who read them: the venue reads a row at the exchange's time, the bot reads it again
 * at its delivery. A block is a batch of the tape as it is, with the delivery times beside it.
 */
import { assert } from '../../../core/index.ts';
import { BATCH_ROWS_MAX, type EventBatch } from '../../../tape/format/index.ts';
import type { Delivery, FeedClockCheck } from './delivery.ts';

/** A batch, and when the bot sees each of its rows. */
export interface RowBlock extends Omit<EventBatch, 'receivedUs'> {
  /** When the bot sees each row less {@link delayUs}, Unix us; never falls. */
  readonly deliveryUs: Float64Array;
  /** Delay, us. */
  readonly delayUs: number;
}

/** The blocks of one tape, in order. */
export class RowBlocks {
  readonly #batches: Iterator<EventBatch>;
  readonly #delivery: Delivery;
  readonly #toUs: number;
  /** Columns of times without readers. */
  readonly #free: Float64Array<ArrayBuffer>[] = [];
  #isOver = false;

  /** Rows that happened after `toUs` are left out. */
  constructor(batches: Iterator<EventBatch>, delivery: Delivery, toUs: number) {
    this.#batches = batches;
    this.#delivery = delivery;
    this.#toUs = toUs;
  }

  /** The recorder's clock over the rows so far; `undefined`: delivery times are modeled. */
  get feedClock(): FeedClockCheck | undefined {
    return 'delayUs' in this.#delivery ? undefined : this.#delivery.feedClock;
  }

  /** The next block with rows in it; `undefined` at the end. */
  next(): RowBlock | undefined {
    while (!this.#isOver) {
      const step = this.#batches.next();
      if (step.done === true) break;
      const block = this.#blockOf(step.value);
      if (block.rows > 0) return block;
    }
    this.#isOver = true;
    return undefined;
  }

  /** Takes a block back without readers. */
  release({ deliveryUs, exchangeUs, release }: RowBlock): void {
    release?.();
    if (deliveryUs === exchangeUs) return;
    this.#free.push(new Float64Array(deliveryUs.buffer as ArrayBuffer));
  }

  /** A column of exactly this many rows. */
  #column(rows: number): Float64Array {
    const free = this.#free.pop();
    const column =
      free === undefined || free.length < rows ? new Float64Array(Math.max(rows, BATCH_ROWS_MAX)) : free;
    return column.subarray(0, rows);
  }

  #blockOf(batch: EventBatch): RowBlock {
    const { kind, flags, market, exchangeUs, price, size, id, release } = batch;
    let { rows } = batch;
    assert(kind.length >= rows, 'a batch that was not released');
    while (rows > 0 && (exchangeUs[rows - 1] as number) > this.#toUs) {
      rows--;
      this.#isOver = true;
    }
    const columns = { rows, kind, flags, market, exchangeUs, price, size, id, release };
    const delivery = this.#delivery;
    if ('delayUs' in delivery) return { ...columns, deliveryUs: exchangeUs, delayUs: delivery.delayUs };
    const deliveryUs = this.#column(rows);
    delivery.times(batch, deliveryUs);
    return { ...columns, deliveryUs, delayUs: 0 };
  }
}
