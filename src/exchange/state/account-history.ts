/**
 * @module
 * What is remembered of one account that belongs to a wallet: fills, ledger entries, ended orders, and the labels its
 * owner gave to orders. A label is a client order id: never evidence, no idempotency.
 */
import type { VenueOrder } from '../engine/index.ts';
import { EntryLog, type RowKey } from './entry-log.ts';
import type { FillEvent, LedgerEvent } from './event.ts';

/** One fill from this account's side. */
export interface FillRow extends RowKey {
  /** The fill. */
  readonly event: FillEvent;
  /** Role of the account in the fill. */
  readonly role: 'maker' | 'taker';
}

/** An order that ended, at the seq of its end. */
export interface EndedOrder extends RowKey {
  /** The order at its end. */
  readonly order: VenueOrder;
}

/** The memory of one account. */
export class AccountHistory {
  readonly fills: EntryLog<FillRow>;
  readonly ledger: EntryLog<LedgerEvent>;
  readonly orders: EntryLog<EndedOrder>;
  /** By order number as a number: it fits 48 bits, and bigint keys are slow. */
  readonly #labels = new Map<number, string>();
  readonly #byLabel = new Map<string, { readonly market: number; readonly orderSeq: bigint }>();
  readonly #ended = new Map<number, VenueOrder>();

  constructor(rowsMax: number) {
    this.fills = new EntryLog(rowsMax);
    this.ledger = new EntryLog(rowsMax);
    this.orders = new EntryLog(Math.ceil(rowsMax / 5), (row) => this.#forget(row.order.orderSeq));
  }

  /** Remembers an order's end. `row` is kept as it is. */
  end(row: EndedOrder): void {
    const { order } = row;
    const number = Number(order.orderSeq);
    if (this.#ended.has(number)) return;
    this.#ended.set(number, order);
    this.orders.push(row);
  }

  /** The final state of an order that ended. */
  ended(orderSeq: bigint): VenueOrder | undefined {
    return this.#ended.get(Number(orderSeq));
  }

  /** Ties a client order id to an order; the newest order of a label wins. */
  label(order: { readonly market: number; readonly orderSeq: bigint }, clientOrderId: string): void {
    this.#labels.set(Number(order.orderSeq), clientOrderId);
    this.#byLabel.set(clientOrderId, order);
  }

  /** The client order id of an order. */
  labelOf(orderSeq: bigint): string | undefined {
    return this.#labels.get(Number(orderSeq));
  }

  /** The newest order with this client order id. */
  byLabel(clientOrderId: string): { readonly market: number; readonly orderSeq: bigint } | undefined {
    return this.#byLabel.get(clientOrderId);
  }

  /** Takes over the labels of the time before, when a new ledger begins. */
  keepLabels(before: AccountHistory): void {
    for (const [orderSeq, label] of before.#labels) this.#labels.set(orderSeq, label);
    for (const [label, order] of before.#byLabel) this.#byLabel.set(label, order);
  }

  #forget(orderSeq: bigint): void {
    this.#ended.delete(Number(orderSeq));
    const label = this.#labels.get(Number(orderSeq));
    if (label === undefined) return;
    this.#labels.delete(Number(orderSeq));
    if (this.#byLabel.get(label)?.orderSeq === orderSeq) this.#byLabel.delete(label);
  }
}
