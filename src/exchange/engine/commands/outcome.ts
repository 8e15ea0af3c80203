/** @module Turns the outcome of the records of a command into its outcome. */
import type { OrderState } from '../orders/order-state.ts';
import type { RejectReason } from '../reasons.ts';
import type { CommandOutcome, ItemOutcome, VenueEvent } from '../types.ts';

/** The outcome but for its events. */
export type Result = Omit<CommandOutcome, 'events'>;

/** Which record of a command an item is about, and where it is. */
export interface RecordPlace {
  /** Index of the item within its list in the command, from 0. */
  readonly inputIndex: number;
  readonly recordSub: number;
  /** Signing id of the market. */
  readonly market: number;
}

/** A plain refusal of the whole command. */
export function rejected(reason: RejectReason): Result {
  return { status: 'rejected', reason, items: [] };
}

/** The item of a placement: `placed` is the order or why there is none. */
export function placeItem(record: RecordPlace, placed: OrderState | RejectReason): ItemOutcome {
  const { inputIndex, recordSub, market } = record;
  if (typeof placed === 'string') {
    return { inputIndex, recordSub, market, kind: 'place', state: 'rejected', reason: placed };
  }
  const { terms, remainingLots } = placed;
  return {
    inputIndex,
    recordSub,
    market,
    kind: 'place',
    state: 'accepted',
    orderSeq: terms.orderSeq,
    lots: terms.lots,
    filledLots: terms.lots - remainingLots,
    isResting: placed.slot >= 0,
  };
}

/** The item of a cancel: `canceledLots` were taken away, `undefined` when there is no such order. */
export function cancelItem(
  record: RecordPlace,
  orderSeq: bigint,
  canceledLots: number | undefined,
): ItemOutcome {
  const { inputIndex, recordSub, market } = record;
  if (canceledLots === undefined) {
    const reason: RejectReason = 'UnknownOrder';
    return { inputIndex, recordSub, market, kind: 'cancel', state: 'rejected', orderSeq, reason };
  }
  return { inputIndex, recordSub, market, kind: 'cancel', state: 'canceled', orderSeq, canceledLots };
}

/** A command of one record: refused plainly, or executed with its item. */
export function singleResult(item: ItemOutcome): Result {
  if (item.state === 'rejected') return { status: 'rejected', reason: item.reason ?? '', items: [] };
  return { status: 'executed', items: [item] };
}

/**
 * A batch: rejected when it has items and every one of them is, with the reason of the first
 * (exchange.md#write-answers).
 */
export function batchResult(items: readonly ItemOutcome[]): Result {
  let refused = 0;
  for (const { state } of items) if (state === 'rejected') refused++;
  const first = refused === 0 ? undefined : items.find(({ state }) => state === 'rejected');
  if (first === undefined) return { status: 'executed', batchStatus: 'ok', items };
  if (refused < items.length) return { status: 'executed', batchStatus: 'partial', items };
  return { status: 'rejected', reason: first.reason ?? '', batchStatus: 'none', items };
}

/** Adds the events. Written out by hand: a spread costs as much as the matching. */
export function withEvents(result: Result, events: readonly VenueEvent[]): CommandOutcome {
  const { status, reason, batchStatus, items } = result;
  if (reason !== undefined) {
    return batchStatus === undefined
      ? { status, reason, items, events }
      : { status, reason, batchStatus, items, events };
  }
  return batchStatus === undefined ? { status, items, events } : { status, batchStatus, items, events };
}
