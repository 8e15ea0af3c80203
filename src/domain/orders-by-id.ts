/**
 * @module
 * Orders by their number: all that work, and a bounded memory of the others, each number of which is forgotten when as many
 * others as it holds were put there since. The few that work are found apart from the many that do not. Those are hardly ever asked for:
 * an order that is new has a higher number than all that are kept, and one that has just ended is among the last of them. Only
 * for what is neither an index is made, in two ages: a number may be in `young` and in `old`, and is what the first of them
 * says; `old` goes as a whole, when all in it are forgotten. What this does not do: deciding the status of an order.
 */
import { FewMap, NO_CODE, NumberedTexts } from '../core/index.ts';
import { EndedOrders } from './ended-orders.ts';
import type { OrderId, RequestId } from './ids.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** {@link TrackedOrder.keptAs} of an order whose number another one has: the newest of them is kept, not this one. */
export const KEPT_WITH_ANOTHER = -1;
/** This many that were kept last stay as they are: more is still reported of them. */
const WARM_MAX = 16;
/** This many are put into columns at once: done one by one, between other things, each takes twice as long. */
const COOLED_AT_ONCE = 16;
/** This many that were kept last are looked at before there is an index. */
const RECENT_MAX = 4;

/** Source of the writes on their way. */
export interface OpenWrites {
  /** True while the outcome of a write is not known. */
  isOpen(requestId: RequestId): boolean;
}

/** See the module. */
export class OrdersById {
  readonly #keptMax: number;
  readonly #live = new FewMap<OrderId, TrackedOrder>();
  /** The order that was found or put here last, while that is certain: several facts in a row are about one order. */
  #last: TrackedOrder | undefined;
  /** The {@link TrackedOrder.keptAs} of each number that is kept, by its code where it has one, up to `indexedTo`. */
  #young = new Map<OrderId | number, number>();
  #old = new Map<OrderId | number, number>();
  #indexedTo = 0;
  readonly #codes = new NumberedTexts();
  /** The highest code of those that were kept. */
  #highestCode = NO_CODE;
  /** What is kept, by its slot; of those that are not here, in columns. */
  readonly #places: (TrackedOrder | undefined)[] = [];
  readonly #columns: EndedOrders;
  /** How many wait at most before they are put into columns: fewer than would be forgotten meanwhile. */
  readonly #warmMax: number;
  /** Up to which they were put into columns, and those that came back from there. */
  #cooledTo = 0;
  readonly #warmed: TrackedOrder[] = [];
  /** How many numbers were put among those that are kept, and how many it were when `old` went last. */
  #keptCount = 0;
  #agedAt = 0;

  constructor(keptMax: number) {
    this.#keptMax = keptMax;
    this.#columns = new EndedOrders(keptMax);
    this.#warmMax = WARM_MAX + Math.max(0, Math.min(COOLED_AT_ONCE, keptMax - WARM_MAX) - 1);
  }

  /** The newest order of a number, while it is not forgotten. */
  get(orderId: OrderId): TrackedOrder | undefined {
    const last = this.#last;
    if (last !== undefined && last.orderId === orderId) return last;
    const record = this.#find(orderId);
    if (record !== undefined) this.#last = record;
    return record;
  }

  #find(orderId: OrderId): TrackedOrder | undefined {
    // What is here is never forgotten: it works, or was never put among those that are kept.
    const live = this.#live.get(orderId);
    if (live !== undefined) return live;
    const code = this.#codes.codeOf(orderId);
    if (code > this.#highestCode) return undefined;
    return this.#recent(orderId) ?? this.#indexed(orderId, code === NO_CODE ? orderId : code);
  }

  /** An order works, or is new: it is not forgotten before it was kept. */
  add(record: TrackedOrder): void {
    // What was found last and was never kept is here.
    if (this.#last === record && record.keptAs === 0) return;
    this.#live.set(record.orderId, record);
    this.#last = record;
  }

  /** Keeps an order that does not work, unless its number is kept already: then only what it is now. */
  keep(record: TrackedOrder): void {
    const { orderId, keptAs } = record;
    if (keptAs === KEPT_WITH_ANOTHER) return;
    const live = this.#live.get(orderId);
    if (live === record) this.#live.delete(orderId);
    this.#last = undefined;
    if (keptAs === 0 || this.#isOverdue(keptAs)) {
      record.keptAs = ++this.#keptCount;
      const code = this.#codes.codeOf(orderId);
      if (code > this.#highestCode) this.#highestCode = code;
      this.#columns.note(this.#placeOf(record.keptAs), code);
      if (live === undefined || live === record) this.#last = record;
    }
    this.#places[this.#placeOf(record.keptAs)] = record;
  }

  /** A number that is kept is another order's now. */
  pass(replaced: TrackedOrder, record: TrackedOrder): void {
    record.keptAs = replaced.keptAs;
    replaced.keptAs = KEPT_WITH_ANOTHER;
    this.#places[this.#placeOf(record.keptAs)] = record;
    this.#last = undefined;
  }

  /**
   * Puts those that were kept a while ago into columns. To be called when no caller holds a record: what is done to it then is
   * not seen any more.
   */
  cool(writes: OpenWrites): void {
    if (this.#warmed.length > 0) {
      for (const record of this.#warmed) this.#cool(record, writes);
      this.#warmed.length = 0;
    }
    if (this.#keptCount - this.#cooledTo <= this.#warmMax) return;
    while (this.#cooledTo < this.#keptCount - WARM_MAX) {
      const record = this.#places[this.#placeOf(++this.#cooledTo)];
      if (record !== undefined) this.#cool(record, writes);
    }
  }

  #cool(record: TrackedOrder, writes: OpenWrites): void {
    const { keptAs, canceledBy } = record;
    if (keptAs <= 0 || this.#isOverdue(keptAs)) return;
    // A write whose outcome is known says nothing more: who was canceled by it needs not be known any more.
    if (canceledBy !== undefined && !writes.isOpen(canceledBy as RequestId)) record.canceledBy = undefined;
    const place = this.#placeOf(keptAs);
    if (!this.#columns.put(place, record)) return;
    this.#places[place] = undefined;
    if (this.#last === record) this.#last = undefined;
  }

  /** Takes an order out of the columns: what happens to it now is seen in the object. */
  #warmUp(place: number, orderId: OrderId, keptAs: number): TrackedOrder {
    const record = this.#columns.take(place, orderId);
    record.keptAs = keptAs;
    this.#places[place] = record;
    this.#warmed.push(record);
    return record;
  }

  #recent(orderId: OrderId): TrackedOrder | undefined {
    const end = Math.max(0, this.#keptCount - Math.min(RECENT_MAX, this.#keptMax));
    for (let keptAs = this.#keptCount; keptAs > end; keptAs--) {
      const record = this.#places[this.#placeOf(keptAs)];
      if (record?.orderId === orderId) return record;
    }
    return undefined;
  }

  #indexed(orderId: OrderId, key: OrderId | number): TrackedOrder | undefined {
    this.#index();
    const keptAs = this.#young.get(key) ?? this.#old.get(key);
    if (keptAs === undefined || this.#isOverdue(keptAs)) return undefined;
    const place = this.#placeOf(keptAs);
    return this.#places[place] ?? this.#warmUp(place, orderId, keptAs);
  }

  /** Brings the index up to date; what is forgotten by now never gets there. */
  #index(): void {
    let keptAs = Math.max(this.#indexedTo, this.#keptCount - this.#keptMax);
    while (keptAs < this.#keptCount) {
      const place = this.#placeOf(++keptAs);
      const code = this.#columns.codeAt(place);
      // What has no code is never in columns.
      this.#young.set(code === NO_CODE ? (this.#places[place] as TrackedOrder).orderId : code, keptAs);
      if (keptAs - this.#agedAt < this.#keptMax) continue;
      this.#agedAt = keptAs;
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#indexedTo = keptAs;
  }

  /** True if enough others were kept since a number to reuse its slot. */
  #isOverdue(keptAs: number): boolean {
    return keptAs <= this.#keptCount - this.#keptMax;
  }

  #placeOf(keptAs: number): number {
    return (keptAs - 1) % this.#keptMax;
  }
}
