/**
 * @module The commands about orders: place, cancel, modify and their batches. Items are checked separately, in order,
 * cancels before placements (exchange.md#market-rules). Order number = seq << 16 | index of the record in its log entry
 * (exchange.md#order-numbers); where the settings say so an order that replaces another keeps that one's number, and no
 * cancel is reported (ambiguity A10).
 */
import type { CanonicalCommand, CanonicalOrder, CanonicalOrderId } from '../../../domain/index.ts';
import { type AccountState, HOUSE_ACCOUNT } from '../accounts/account.ts';
import type { FeePart } from '../fee-terms.ts';
import { cancelOrder } from '../matching/execution.ts';
import type { OrderState } from '../orders/order-state.ts';
import { placeOrder } from '../orders/placement.ts';
import type { VenueState } from '../state.ts';
import type { ItemOutcome } from '../types.ts';
import { cancelWaiting, sweepWaiting } from './cancel-waiting.ts';
import { batchResult, cancelItem, placeItem, type Result, rejected, singleResult } from './outcome.ts';
import { RECORDS_MAX } from './waiting.ts';

type CommandOf<K extends CanonicalCommand['kind']> = Extract<CanonicalCommand, { kind: K }>;

/** Places one order, with a fee for the account that routed it if it names one. */
export function runPlaceOrder(
  state: VenueState,
  account: AccountState,
  command: CommandOf<'PlaceOrder'>,
): Result {
  const { goodTilMs, nowMs } = command;
  const builder = builderOf(state, command);
  if (builder === 'InvalidBuilder') return rejected(builder);
  const recordSub = state.log.takeRecordSubs(1);
  if (recordSub >= RECORDS_MAX) return rejected('BatchTooLarge');
  const record = { order: command, goodTilMs, nowMs, inputIndex: 0, recordSub, builder };
  return singleResult(place(state, account, record));
}

/** The builder that is paid for routing an order; `undefined`: none. */
function builderOf(
  state: VenueState,
  { router, routerFeePpm }: CommandOf<'PlaceOrder'>,
): FeePart | undefined | 'InvalidBuilder' {
  if (router === HOUSE_ACCOUNT) return routerFeePpm === 0 ? undefined : 'InvalidBuilder';
  const payee = state.accounts[router];
  if (payee === undefined || routerFeePpm > state.builderFeeMaxPpm) return 'InvalidBuilder';
  return { kind: 'builder_fee', ratePpm: BigInt(routerFeePpm), payee };
}

/** Cancels one order; one that waits outside the book goes by its number like any other. */
export function runCancelOrder(
  state: VenueState,
  account: AccountState,
  command: CommandOf<'CancelOrder'>,
): Result {
  const recordSub = state.log.takeRecordSubs(1);
  const record = { id: command.orderId, inputIndex: 0, recordSub, isQuiet: false };
  return singleResult(cancel(state, account, record).item);
}

/** Cancels and places again under a new number; the cancel remains even when the placement is refused. */
export function runModifyOrder(
  state: VenueState,
  account: AccountState,
  command: CommandOf<'ModifyOrder'>,
): Result {
  const recordSub = state.log.takeRecordSubs(2);
  if (recordSub + 1 >= RECORDS_MAX) return rejected('BatchTooLarge');
  const { orderId } = command;
  const old = state.orders.get(Number(orderId.orderSeq));
  const step = cancel(state, account, { id: orderId, inputIndex: 0, recordSub, isQuiet: keepsNumber(state) });
  if (old === undefined || step.item.state === 'rejected') return rejected('UnknownOrder');
  const order = { ...command, market: orderId.market, side: old.terms.side };
  const { goodTilMs, nowMs } = command;
  const place = { order, goodTilMs, nowMs, inputIndex: 0, recordSub: recordSub + 1 };
  return batchResult([step.item, replaceWith(state, account, { step, place })]);
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
  const steps: CancelStep[] = [];
  const items: ItemOutcome[] = [];
  for (const id of cancels) {
    const inputIndex = steps.length;
    const isQuiet = keepsNumber(state) && isReplacedBy(state, id, orders[inputIndex]);
    const step = cancel(state, account, { id, inputIndex, recordSub: first + inputIndex, isQuiet });
    steps.push(step);
    items.push(step.item);
  }
  for (const order of orders) {
    const inputIndex = items.length - cancels.length;
    const place = { order, goodTilMs: 0, nowMs, inputIndex, recordSub: first + items.length };
    items.push(replaceWith(state, account, { step: steps[inputIndex], place }));
  }
  return batchResult(items);
}

/** Cancels every resting order of the account, oldest first; those that wait for a trigger have no item. */
export function runCancelAll(state: VenueState, account: AccountState): Result {
  sweepWaiting(state, account, 'Requested');
  const resting = [...state.orders.of(account)];
  const first = state.log.takeRecordSubs(resting.length);
  if (first + resting.length > RECORDS_MAX) return rejected('BatchTooLarge');
  const items: ItemOutcome[] = [];
  for (const order of resting) {
    const place = {
      inputIndex: items.length,
      recordSub: first + items.length,
      market: order.holding.market.number,
    };
    items.push(cancelItem(place, order.terms.orderSeq, cancelOrder(state, order, 'Requested')));
  }
  return batchResult(items);
}

interface PlaceRecord {
  readonly order: CanonicalOrder;
  readonly goodTilMs: number;
  readonly nowMs: number;
  readonly inputIndex: number;
  readonly recordSub: number;
  readonly builder?: FeePart | undefined;
}

/** A cancel with its item. `quiet`: the order that is gone, when no event reported it. */
interface CancelStep {
  readonly item: ItemOutcome;
  readonly quiet: OrderState | undefined;
}

/** Places an order, under the number of the one it replaces when that one went quietly. */
function replaceWith(
  state: VenueState,
  account: AccountState,
  { step, place: record }: { readonly step: CancelStep | undefined; readonly place: PlaceRecord },
): ItemOutcome {
  const quiet = step?.quiet;
  const item = place(state, account, record, quiet?.terms.orderSeq);
  if (quiet !== undefined && item.state === 'rejected') state.log.canceled(quiet.snapshot(), 'Requested');
  return item;
}

function keepsNumber({ settings }: VenueState): boolean {
  return settings.replaceKeepsNumber === true;
}

/** True if `next` is in the market and on the side of the order `id`. */
function isReplacedBy(state: VenueState, id: CanonicalOrderId, next: CanonicalOrder | undefined): boolean {
  const old = state.orders.get(Number(id.orderSeq));
  return next?.market === id.market && next.side === old?.terms.side;
}

function place(state: VenueState, account: AccountState, record: PlaceRecord, kept?: bigint): ItemOutcome {
  const { order, goodTilMs, nowMs, recordSub, inputIndex, builder } = record;
  const orderSeq = kept ?? BigInt(state.log.at.seq * RECORDS_MAX + recordSub);
  const placed = placeOrder(state, account, order, { orderSeq, goodTilMs, nowMs, builder });
  return placeItem({ inputIndex, recordSub, market: order.market }, placed);
}

function cancel(
  state: VenueState,
  account: AccountState,
  record: { id: CanonicalOrderId; inputIndex: number; recordSub: number; isQuiet: boolean },
): CancelStep {
  const { market, orderSeq } = record.id;
  const order = state.orders.get(Number(orderSeq));
  const isOwn = order?.holding.account === account && order.holding.market.number === market;
  const target = isOwn ? order : undefined;
  const canceled =
    target === undefined ? cancelWaiting(state, account, record.id) : take(state, target, record.isQuiet);
  const { inputIndex, recordSub } = record;
  return {
    item: cancelItem({ inputIndex, recordSub, market }, orderSeq, canceled),
    quiet: record.isQuiet ? target : undefined,
  };
}

/** Takes an order out of the book and gives the lots taken away. */
function take(state: VenueState, order: OrderState, isQuiet: boolean): number {
  if (!isQuiet) return cancelOrder(state, order, 'Requested');
  order.seq = state.log.at.seq;
  return state.orders.remove(order, 'canceled');
}
