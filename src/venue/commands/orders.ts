/**
 * @module
 * The commands about orders: place, cancel, modify and their batches. Items are judged alone, in order, cancels before
 * placements (wire-facts 6). Order number = seq << 16 | index of the record in its log entry (wire-facts 3.4).
 */
import type { CanonicalCommand, CanonicalOrder, CanonicalOrderId } from '../../domain/index.ts';
import type { AccountState } from '../accounts/account.ts';
import { cancelOrder } from '../matching/execution.ts';
import { placeOrder } from '../orders/placement.ts';
import type { VenueState } from '../state.ts';
import type { ItemOutcome } from '../types.ts';
import { batchResult, cancelItem, placeItem, type Result, rejected, singleResult } from './outcome.ts';

type CommandOf<K extends CanonicalCommand['kind']> = Extract<CanonicalCommand, { kind: K }>;

const RECORDS_MAX = 0x1_0000;

/** Places one order. Builder fees are not offered here: an order that names a router is refused. */
export function runPlaceOrder(
  state: VenueState,
  account: AccountState,
  command: CommandOf<'PlaceOrder'>,
): Result {
  const { goodTilMs, nowMs } = command;
  if (command.router !== 0 || command.routerFeePpm !== 0) return rejected('NotOffered');
  const recordSub = state.log.takeRecordSubs(1);
  if (recordSub >= RECORDS_MAX) return rejected('BatchTooLarge');
  return singleResult(place(state, account, { order: command, goodTilMs, nowMs, inputIndex: 0, recordSub }));
}

/** Cancels one order. */
export function runCancelOrder(
  state: VenueState,
  account: AccountState,
  command: CommandOf<'CancelOrder'>,
): Result {
  const recordSub = state.log.takeRecordSubs(1);
  return singleResult(cancel(state, account, { id: command.orderId, inputIndex: 0, recordSub }));
}

/** Cancels and places anew under a new number; the cancel stands even when the placement is refused. */
export function runModifyOrder(
  state: VenueState,
  account: AccountState,
  command: CommandOf<'ModifyOrder'>,
): Result {
  const recordSub = state.log.takeRecordSubs(2);
  if (recordSub + 1 >= RECORDS_MAX) return rejected('BatchTooLarge');
  const { orderId } = command;
  const old = state.orders.get(Number(orderId.orderSeq));
  const canceled = cancel(state, account, { id: orderId, inputIndex: 0, recordSub });
  if (old === undefined || canceled.state === 'rejected') return rejected('UnknownOrder');
  const order = { ...command, market: orderId.market, side: old.terms.side };
  const { goodTilMs, nowMs } = command;
  const placed = place(state, account, { order, goodTilMs, nowMs, inputIndex: 0, recordSub: recordSub + 1 });
  return batchResult([canceled, placed]);
}

/** Cancels and places many: a replace, or one of its halves. */
export function runBatch(
  state: VenueState,
  account: AccountState,
  batch: { cancels: readonly CanonicalOrderId[]; orders: readonly CanonicalOrder[]; nowMs: number },
): Result {
  const { cancels, orders, nowMs } = batch;
  const count = cancels.length + orders.length;
  const first = state.log.takeRecordSubs(count);
  if (first + count > RECORDS_MAX) return rejected('BatchTooLarge');
  const items: ItemOutcome[] = [];
  for (const [inputIndex, id] of cancels.entries()) {
    items.push(cancel(state, account, { id, inputIndex, recordSub: first + inputIndex }));
  }
  for (const [inputIndex, order] of orders.entries()) {
    const recordSub = first + cancels.length + inputIndex;
    items.push(place(state, account, { order, goodTilMs: 0, nowMs, inputIndex, recordSub }));
  }
  return batchResult(items);
}

/** Cancels every resting order of the account, oldest first. */
export function runCancelAll(state: VenueState, account: AccountState): Result {
  const ids = Array.from(state.orders.of(account), ({ holding, terms }) => ({
    market: holding.market.number,
    orderSeq: terms.orderSeq,
  }));
  return runBatch(state, account, { cancels: ids, orders: [], nowMs: 0 });
}

function place(
  state: VenueState,
  account: AccountState,
  record: { order: CanonicalOrder; goodTilMs: number; nowMs: number; inputIndex: number; recordSub: number },
): ItemOutcome {
  const { order, goodTilMs, nowMs, recordSub, inputIndex } = record;
  const orderSeq = BigInt(state.log.at.seq * RECORDS_MAX + recordSub);
  const placed = placeOrder(state, account, order, { orderSeq, goodTilMs, nowMs });
  return placeItem({ inputIndex, recordSub, market: order.market }, placed);
}

function cancel(
  state: VenueState,
  account: AccountState,
  record: { id: CanonicalOrderId; inputIndex: number; recordSub: number },
): ItemOutcome {
  const { market, orderSeq } = record.id;
  const order = state.orders.get(Number(orderSeq));
  const isOwn = order?.holding.account === account && order.holding.market.number === market;
  const canceled = order !== undefined && isOwn ? cancelOrder(state, order, 'Requested') : undefined;
  return cancelItem(
    { inputIndex: record.inputIndex, recordSub: record.recordSub, market },
    orderSeq,
    canceled,
  );
}
