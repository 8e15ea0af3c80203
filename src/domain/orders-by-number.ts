/**
 * @module
 * Orders by their number: all that work, and a bounded memory of the others, each number of which is forgotten when so many
 * others were put there since. The few that work are found apart from the many that do not, those in two ages: a number may
 * be in `live`, in `young` and in `old`, and is what the first of them says. `old` goes as a whole, when all in it are
 * forgotten. What this does not do: judging how an order stands.
 */
import { FewMap } from '../core/index.ts';
import { EndedOrders } from './ended-orders.ts';
import type { OrderId, RequestId } from './ids.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** {@link TrackedOrder.keptAs} of an order whose number another one has: the newest of them is kept, not this one. */
export const KEPT_WITH_ANOTHER = -1;
/** So many that ended last stay as they are: of them more is still told. */
const WARM_MAX = 64;

/** What tells of writes on their way. */
export interface OpenWrites {
  /** Is the outcome of a write not known yet? */
  isOpen(requestId: RequestId): boolean;
}

/** See the module. */
export class OrdersByNumber {
  readonly #keptMax: number;
  readonly #live = new FewMap<OrderId, TrackedOrder>();
  /** What is kept; of those in {@link #columns} the {@link TrackedOrder.keptAs}. */
  #young = new Map<OrderId, TrackedOrder | number>();
  #old = new Map<OrderId, TrackedOrder | number>();
  readonly #columns: EndedOrders;
  /** Those that are kept and not in columns, oldest first. */
  #warm: TrackedOrder[] = [];
  /** How many numbers were put among those that are kept, and how many it were when `old` went last. */
  #keptCount = 0;
  #agedAt = 0;

  constructor(keptMax: number) {
    this.#keptMax = keptMax;
    this.#columns = new EndedOrders(keptMax);
  }

  /** The newest order of a number, while it is not forgotten. */
  get(orderId: OrderId): TrackedOrder | undefined {
    // What is here is never forgotten: it works, or was never put among those that are kept.
    const live = this.#live.get(orderId);
    if (live !== undefined) return live;
    const kept = this.#young.get(orderId) ?? (this.#old.size === 0 ? undefined : this.#old.get(orderId));
    if (kept === undefined) return undefined;
    if (typeof kept === 'number') return this.#isOverdue(kept) ? undefined : this.#warmUp(orderId, kept);
    return this.#isOverdue(kept.keptAs) ? undefined : kept;
  }

  /** An order works, or is new: it is not forgotten before it was kept. */
  add(record: TrackedOrder): void {
    this.#live.set(record.orderId, record);
  }

  /** Keeps an order that does not work, unless its number is kept already: then only what it is now. */
  keep(record: TrackedOrder): void {
    const { orderId, keptAs } = record;
    if (keptAs === KEPT_WITH_ANOTHER) return;
    if (this.#live.get(orderId) === record) this.#live.delete(orderId);
    const isKept = keptAs !== 0 && !this.#isOverdue(keptAs);
    if (!isKept) record.keptAs = ++this.#keptCount;
    this.#young.set(orderId, record);
    this.#warm.push(record);
    if (!isKept && this.#keptCount - this.#agedAt >= this.#keptMax) this.#age();
  }

  /** A number that is kept is another order's now. */
  pass(replaced: TrackedOrder, record: TrackedOrder): void {
    record.keptAs = replaced.keptAs;
    replaced.keptAs = KEPT_WITH_ANOTHER;
    this.#young.set(record.orderId, record);
  }

  /**
   * Puts those that ended a while ago into columns. To be called when nobody holds a record: what is done to it then is not
   * seen any more.
   */
  cool(writes: OpenWrites): void {
    const warm = this.#warm;
    if (warm.length <= 2 * WARM_MAX) return;
    const count = warm.length - WARM_MAX;
    for (let at = 0; at < count; at++) this.#cool(warm[at] as TrackedOrder, writes);
    this.#warm = warm.slice(count);
  }

  /** Forgets all. */
  clear(): void {
    this.#live.clear();
    this.#young = new Map();
    this.#old = new Map();
    this.#columns.clear();
    this.#warm = [];
    this.#keptCount = 0;
    this.#agedAt = 0;
  }

  #cool(record: TrackedOrder, writes: OpenWrites): void {
    const { orderId, keptAs } = record;
    if (keptAs <= 0 || this.#isOverdue(keptAs)) return;
    // A write whose outcome is known says nothing more: who was canceled by it needs not be known any more.
    if (record.canceledBy !== undefined && !writes.isOpen(record.canceledBy as RequestId))
      record.canceledBy = undefined;
    const ages = this.#young.has(orderId) ? this.#young : this.#old;
    if (ages.get(orderId) === record && this.#columns.put(this.#placeOf(keptAs), record))
      ages.set(orderId, keptAs);
  }

  /** Takes an order out of the columns: what happens to it now is told of the object. */
  #warmUp(orderId: OrderId, keptAs: number): TrackedOrder {
    const record = this.#columns.take(this.#placeOf(keptAs), orderId);
    record.keptAs = keptAs;
    this.#young.set(orderId, record);
    this.#warm.push(record);
    return record;
  }

  #age(): void {
    this.#agedAt = this.#keptCount;
    this.#old = this.#young;
    this.#young = new Map();
  }

  /** Were so many others kept since a number was that its place is theirs? */
  #isOverdue(keptAs: number): boolean {
    return keptAs <= this.#keptCount - this.#keptMax;
  }

  #placeOf(keptAs: number): number {
    return (keptAs - 1) % this.#keptMax;
  }
}
