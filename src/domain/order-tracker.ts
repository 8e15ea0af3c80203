/**
 * @module
 * The orders of an account by number: working ones, and a bounded memory of ended ones so that terminal stays terminal
 * (obligation O82) and a late fill still finds its owner. What this does not do: deciding whose an unknown order is.
 */
import { added, assert } from '../core/index.ts';
import type { OrderOwner } from './account-change.ts';
import type { OwnedExposure } from './exposure.ts';
import type { Cursor, MarketSymbol, OrderId, RequestId, Seq, StrategyId } from './ids.ts';
import {
  isOutsideBook,
  isPositionLeg,
  isUnknownOrder,
  type OrderRef,
  openLotsOf,
  orderWithLeft,
  type TerminalStatus,
  type WorkingOrder,
} from './order.ts';
import { KEPT_WITH_ANOTHER, type OpenWrites, OrdersById } from './orders-by-id.ts';
import type { Side } from './side.ts';
import {
  addFillTo,
  fillsBefore,
  hasAll,
  isFoundBehind,
  isPlacedAs,
  newRecord,
  ordersOf,
  owedLots,
  type PlacedFill,
  type PlacedOrder,
  placeAt,
  seqOf,
  setFills,
  type TrackedOrder,
} from './tracked-order.ts';
import { type Lots, lots } from './units.ts';

/** How many ended orders are remembered. */
const ENDED_ORDERS_MAX = 20_000;
/** How many orders of one number are kept apart: of more no fill is late any more. */
const ORDERS_OF_NUMBER_MAX = 8;

const NO_ORDERS: readonly WorkingOrder[] = Object.freeze([]);

/** The working orders of one market. */
interface WorkingList {
  readonly symbol: MarketSymbol;
  /** Oldest first. */
  readonly records: TrackedOrder[];
  /** What is reported of them, until something changes. */
  shown: readonly WorkingOrder[] | undefined;
}

/** All orders of an account. */
export class OrderTracker {
  #byNumber = new OrdersById(ENDED_ORDERS_MAX);
  readonly #working = new Map<MarketSymbol, WorkingList>();
  /** The same in a list: it is walked over with each write, and a map makes an object for each entry. */
  readonly #lists: WorkingList[] = [];
  #lastList: WorkingList | undefined;
  /** Orders that have ended and whose fills have not all come. */
  readonly #owing = new Set<TrackedOrder>();
  /** Whose orders of a previous run were. */
  readonly #recalled = new Map<OrderId, OrderOwner>();
  readonly #onChange: (symbol: MarketSymbol) => void;
  /** Orders in {@link #working}: asked for in every turn. */
  #workingCount = 0;
  /** Records whose cancel is on its way, at the least. */
  #pendingCount = 0;

  constructor(onChange: (symbol: MarketSymbol) => void) {
    this.#onChange = onChange;
  }

  /** What is known of an order, ended ones included. */
  get(orderId: OrderId): TrackedOrder | undefined {
    return this.#byNumber.get(orderId);
  }

  /** Working orders of a market, oldest first. The list is made again when something changed. */
  workingIn(symbol: MarketSymbol): readonly WorkingOrder[] {
    const working = this.#listOf(symbol);
    if (working === undefined || working.records.length === 0) return NO_ORDERS;
    if (working.shown !== undefined) return working.shown;
    let list = NO_ORDERS;
    // Of an order that is filled and is being replaced only the end of the write shows whether it has ended.
    for (const { order } of working.records)
      if (order !== undefined && order.remainingLots > 0) list = added(list, Object.freeze(order));
    // Strategies see it: what one of them would write into it the others would trade by.
    working.shown = Object.freeze(list);
    return list;
  }

  /**
   * True while an order of a strategy rests on this side of a market; one that waits outside the book does not. It is asked with
   * most changes of orders: no list is made.
   */
  isRestingOn(symbol: MarketSymbol, strategyId: StrategyId, side: Side): boolean {
    const records = this.#listOf(symbol)?.records;
    if (records === undefined) return false;
    for (let at = 0; at < records.length; at++) {
      const order = records[at]?.order;
      if (order?.side !== side || order.strategyId !== strategyId || isOutsideBook(order)) continue;
      if (order.remainingLots > 0) return true;
    }
    return false;
  }

  /** True while any order works. */
  get hasWorking(): boolean {
    return this.#workingCount > 0;
  }

  /** Markets that have had working orders. */
  symbols(): IterableIterator<MarketSymbol> {
    return this.#working.keys();
  }

  /** The record of an order, made when it is not there. */
  of(symbol: MarketSymbol, orderId: OrderId): TrackedOrder {
    const known = this.#byNumber.get(orderId);
    if (known !== undefined) return known;
    const owner = this.#recalled.size === 0 ? undefined : this.#recalled.get(orderId);
    const record = newRecord(symbol, orderId, owner);
    this.#byNumber.add(record);
    return record;
  }

  /** The record of an order that a write has placed. Its number may be that of the order it replaces (ambiguity A10). */
  ofPlaced(placed: PlacedOrder): TrackedOrder {
    const record = this.#placedAmong(this.of(placed.spec.symbol, placed.orderId), placed);
    const { previous } = record;
    if (previous !== undefined && placed.seq !== undefined) this.#beginAt(record, previous, placed.seq);
    return record;
  }

  /** Another order has taken over the number of one that was replaced. */
  renew(replaced: TrackedOrder): TrackedOrder {
    const record = newRecord(replaced.symbol, replaced.orderId, undefined);
    // A filled one has nothing to replace: what seemed to fill it were fills of the other.
    replaced.endedAs = 'canceled';
    replaced.hasOpenEnd = true;
    this.#onChange(replaced.symbol);
    record.previous = replaced;
    this.#byNumber.pass(replaced, record);
    const oldest = ordersOf(record)[ORDERS_OF_NUMBER_MAX - 1];
    if (oldest !== undefined) oldest.previous = undefined;
    return record;
  }

  /** Notes whose orders of a previous run were, for fills that come before anything else of them. */
  recallOwners(orders: Iterable<OrderOwner & { readonly orderId: OrderId }>): void {
    for (const { orderId, strategyId, intentId } of orders)
      this.#recalled.set(orderId, { strategyId, intentId });
  }

  /** Sets the order of `record` with what is left of it, and lists it as working while something is. */
  set(record: TrackedOrder, order: WorkingOrder): void {
    if (order.orderId !== record.orderId) assert(false, `order ${record.orderId}, got ${order.orderId}`);
    // The end of an order can come before the answer that gives its size.
    if (record.remainingLots !== undefined)
      record.reportedLots = Math.max(record.reportedLots, order.sizeLots - record.remainingLots);
    const filledLots = Math.max(record.fillLots, record.reportedLots);
    const leftLots = Math.max(0, order.sizeLots - filledLots);
    // Of one that follows the position only the exchange says when nothing is left.
    const remainingLots = leftLots === 0 && isPositionLeg(order) ? order.sizeLots : lots(leftLots);
    record.order = hasAll(order, remainingLots, record) ? order : orderWithLeft(order, remainingLots, record);
    if (record.endedAs === undefined) this.#list(record);
    else this.#noteOwing(record);
  }

  /**
   * An order of a previous run is found as it is at `seq`, filled by `filledLots`: what its number was filled before
   * that belongs to an order that had the number first (ambiguity A10).
   */
  find(record: TrackedOrder, filledLots: number, seq: Seq): void {
    if (record.requestId !== undefined || record.order !== undefined) return;
    record.found = { seq, filledLots };
    this.#split(record);
  }

  /** Adds a fill to the order that had its number at the fill's seq, and gives that order. */
  addFill(fill: OrderRef & { readonly id: Cursor; readonly sizeLots: Lots }): TrackedOrder {
    const one: PlacedFill = { seq: seqOf(fill.id), lots: fill.sizeLots };
    const newest = this.of(fill.symbol, fill.orderId);
    let record = newest;
    while (record.previous !== undefined && record.sinceSeq !== undefined && one.seq < record.sinceSeq)
      record = record.previous;
    addFillTo(record, one);
    if (newest.previous === undefined && newest.found === undefined) {
      this.#review(newest);
      return newest;
    }
    this.#split(record);
    for (const each of ordersOf(newest)) this.#review(each);
    return ordersOf(newest).find(({ fills }) => fills.includes(one)) ?? record;
  }

  /** Ends an order. Terminal is terminal: false when it had ended before. */
  end(record: TrackedOrder, status: TerminalStatus): boolean {
    if (record.endedAs !== undefined) return false;
    record.endedAs = status;
    this.setPendingOf(record, false);
    if (record.isListed) this.#unlist(record);
    this.#noteOwing(record);
    this.#byNumber.keep(record);
    return true;
  }

  /** Adds everything in a market that can still become a position: what works, and what was executed and is not booked. */
  addExposed(symbol: MarketSymbol, open: OwnedExposure): void {
    const records = this.#listOf(symbol)?.records;
    if (records !== undefined)
      for (let at = 0; at < records.length; at++) {
        const record = records[at] as TrackedOrder;
        const { order } = record;
        if (order !== undefined)
          open.add(
            order.strategyId,
            order.side,
            order.priceTicks,
            openLotsOf(order, order.remainingLots) + owedLots(record),
          );
      }
    if (this.#owing.size === 0) return;
    for (const record of this.#owing) {
      const { order } = record;
      if (record.symbol === symbol && order !== undefined)
        open.add(order.strategyId, order.side, order.priceTicks, owedLots(record));
    }
  }

  /** The history is booked up to `seq`: what was reported up to there and is still pending came before it. */
  settle(seq: Seq): void {
    for (const record of [...this.working(), ...this.#owing]) {
      if (record.seq !== undefined && record.seq > seq) continue;
      const owed = owedLots(record);
      record.settledLots += owed;
      if (this.#endOwing(record) || owed > 0) this.#onChange(record.symbol);
    }
  }

  /** What a cancel left over was not filled, all else was. `canceledLots` 0: it was not said. */
  noteCanceled(record: TrackedOrder, canceledLots: Lots, seq: Seq | undefined): void {
    if (canceledLots === 0) return;
    if (seq !== undefined && (record.seq ?? 0n) < seq) record.seq = seq;
    record.remainingLots = canceledLots;
    // Reported with its end: the strategy that placed it must know what was executed although the fills have not come.
    if (record.order !== undefined) this.set(record, record.order);
  }

  /** Marks that a cancel of an order is on its way, or is not any more. */
  setCancelPending(orderId: OrderId, isPending: boolean): void {
    const record = this.get(orderId);
    if (record !== undefined && record.endedAs === undefined) this.setPendingOf(record, isPending);
  }

  /** As {@link setCancelPending}, of an order that is at hand. */
  setPendingOf(record: TrackedOrder, isPending: boolean): void {
    if (record.isCancelPending === isPending) return;
    record.isCancelPending = isPending;
    this.#pendingCount += isPending ? 1 : -1;
  }

  /**
   * A cancel was rejected. Where the exchange does not know the order, its end is on its way, or lost: it counts as being
   * canceled, and no other cancel is sent, before the exchange shows it once more.
   */
  noteRejectedCancel(record: TrackedOrder, reason: string): void {
    if (record.endedAs !== undefined || !isUnknownOrder(reason)) return;
    record.isUnknown = true;
    this.setPendingOf(record, true);
  }

  /** The exchange shows an order that it did not know. */
  noteShown(record: TrackedOrder, isCanceling: boolean): void {
    record.isUnknown = false;
    if (record.endedAs === undefined) this.setPendingOf(record, isCanceling);
  }

  /** False: no order's cancel is on its way. */
  get hasPendingCancels(): boolean {
    return this.#pendingCount > 0;
  }

  /** Gives the orders of a resolved write their seq in the log; those that no frame has shown yet go into `unseen`. */
  setSeq(requestId: RequestId, seq: Seq, unseen: TrackedOrder[] | undefined): void {
    for (const { records } of this.#lists)
      for (let at = 0; at < records.length; at++)
        placeAt(records[at] as TrackedOrder, requestId, seq, unseen);
  }

  /** All working records. */
  working(): readonly TrackedOrder[] {
    return this.#lists.flatMap(({ records }) => records);
  }

  /** See {@link OrdersById.cool}. */
  cool(writes: OpenWrites): void {
    this.#byNumber.cool(writes);
  }

  /** Forgets all; gives a look at what was known of each number. */
  clear(): (orderId: OrderId) => TrackedOrder | undefined {
    const before = this.#byNumber;
    this.#recalled.clear();
    for (const symbol of this.#working.keys()) this.#onChange(symbol);
    for (const record of this.working()) this.setPendingOf(record, false);
    this.#byNumber = new OrdersById(ENDED_ORDERS_MAX);
    this.#owing.clear();
    this.#working.clear();
    this.#lists.length = 0;
    this.#lastList = undefined;
    this.#workingCount = 0;
    return (orderId) => before.get(orderId);
  }

  /** The order that had the number of a found one before: nothing is known of it but its fills. */
  #orderBefore(record: TrackedOrder): TrackedOrder {
    const { symbol, orderId, previous } = record;
    if (previous !== undefined) return previous;
    const before = newRecord(symbol, orderId, this.#recalled.get(orderId));
    before.keptAs = KEPT_WITH_ANOTHER;
    before.hasOpenEnd = true;
    record.previous = before;
    return before;
  }

  /** Which of the fills up to where an order was found are its own: the newest that make up what it was filled. */
  #split(record: TrackedOrder): void {
    const { found, sinceSeq, previous, fills } = record;
    if (found === undefined || sinceSeq !== undefined) return;
    const all = [...(previous?.fills ?? []), ...fills];
    const before = fillsBefore(all, found);
    if (before.length === 0 && previous === undefined) return;
    this.#share(all, record, this.#orderBefore(record), (fill) => before.includes(fill));
  }

  /** Gives an order and its predecessor what is theirs of `fills`, and what is not the predecessor's to who was before it. */
  #share(
    fills: readonly PlacedFill[],
    record: TrackedOrder,
    previous: TrackedOrder,
    isBefore: (fill: PlacedFill) => boolean,
  ): void {
    setFills(
      record,
      fills.filter((fill) => !isBefore(fill)),
    );
    setFills(previous, fills.filter(isBefore));
    this.#onChange(previous.symbol);
    if (previous.previous !== undefined && previous.sinceSeq !== undefined)
      this.#beginAt(previous, previous.previous, previous.sinceSeq);
  }

  /** The fills of an order have changed. */
  #review(record: TrackedOrder): void {
    if (record.isOwing && owedLots(record) === 0) {
      this.#endOwing(record);
      this.#onChange(record.symbol);
    }
    // Kept in bounded memory like one that has ended; one that works is never forgotten.
    if (record.order === undefined) this.#byNumber.keep(record);
    else this.set(record, record.order);
  }

  /** Of the orders of a number, `newest` and those before it, the one that a write has placed. */
  #placedAmong(newest: TrackedOrder, placed: PlacedOrder): TrackedOrder {
    const { spec, seq, proof } = placed;
    // A write cancels before it places: what it has canceled is not what it placed, whichever owner that had.
    if (newest.canceledBy !== proof.id) {
      if (seq !== undefined && isFoundBehind(newest, seq) && !isPlacedAs(newest, placed)) {
        const passed = this.#orderBefore(newest);
        passed.endedAs ??= 'canceled';
        this.#orderBefore(passed);
        return passed;
      }
      if ((newest.intentId ?? spec.intentId) === spec.intentId) return newest;
    }
    this.end(newest, 'canceled');
    return this.renew(newest);
  }

  /** The number is the order's of `record` from `seq` on: fills from there on are its own, all others of its predecessor. */
  #beginAt(record: TrackedOrder, previous: TrackedOrder, seq: Seq): void {
    record.sinceSeq = seq;
    previous.hasOpenEnd = false;
    this.#share([...previous.fills, ...record.fills], record, previous, (fill) => fill.seq < seq);
    for (const one of [record, previous]) if (one.order !== undefined) this.set(one, one.order);
  }

  /** An order has ended: what it was filled counts until its fills have come. */
  #noteOwing(record: TrackedOrder): void {
    if (owedLots(record) > 0) {
      record.isOwing = true;
      this.#owing.add(record);
    } else if (!record.isOwing) return;
    this.#onChange(record.symbol);
  }

  #endOwing(record: TrackedOrder): boolean {
    record.isOwing = false;
    return this.#owing.delete(record);
  }

  #list(record: TrackedOrder): void {
    const { symbol } = record;
    let working = this.#listOf(symbol);
    if (working === undefined) {
      working = { symbol, records: [], shown: undefined };
      this.#working.set(symbol, working);
      this.#lists.push(working);
    }
    if (!record.isListed) {
      record.isListed = true;
      working.records.push(record);
      this.#workingCount++;
      this.#byNumber.add(record);
    }
    working.shown = undefined;
    this.#onChange(symbol);
  }

  #unlist(record: TrackedOrder): void {
    record.isListed = false;
    const working = this.#listOf(record.symbol);
    if (working === undefined) return;
    const { records } = working;
    // A loop, for `splice` makes a list of what it takes out.
    for (let next = records.indexOf(record) + 1; next < records.length; next++)
      records[next - 1] = records[next] as TrackedOrder;
    records.pop();
    this.#workingCount--;
    working.shown = undefined;
    this.#onChange(record.symbol);
  }

  #listOf(symbol: MarketSymbol): WorkingList | undefined {
    // Mostly the market is that of the last one.
    if (this.#lastList?.symbol !== symbol) this.#lastList = this.#working.get(symbol);
    return this.#lastList;
  }
}
