/**
 * @module
 * The rows of a tape between the two who read them: the venue reads a row at the exchange's time, the bot reads it again
 * at its delivery. A block is a batch of the tape as it is, with the delivery times beside it.
 */
import type { EventBatch } from '../../tape/index.ts';
import type { Delivery } from './delivery.ts';

/** A batch, and when the bot sees each of its rows. */
export interface RowBlock extends Omit<EventBatch, 'receivedUs'> {
  /** Unix us; never falls. */
  readonly deliveryUs: Float64Array;
}

/** The blocks of one tape, in order. */
export class RowBlocks {
  readonly #batches: Iterator<EventBatch>;
  readonly #delivery: Delivery;
  readonly #toUs: number;
  #isOver = false;

  /** Rows that happened after `toUs` are left out. */
  constructor(batches: Iterator<EventBatch>, delivery: Delivery, toUs: number) {
    this.#batches = batches;
    this.#delivery = delivery;
    this.#toUs = toUs;
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

  #blockOf(batch: EventBatch): RowBlock {
    const { kind, flags, market, exchangeUs, price, size, id } = batch;
    let { rows } = batch;
    while (rows > 0 && (exchangeUs[rows - 1] as number) > this.#toUs) {
      rows--;
      this.#isOver = true;
    }
    const deliveryUs = new Float64Array(rows);
    this.#delivery.times(batch, deliveryUs);
    return { rows, kind, flags, market, exchangeUs, price, size, id, deliveryUs };
  }
}
