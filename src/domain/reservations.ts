/**
 * @module
 * Intents that were approved and are not proven to an end: in flight, unresolved, or in the shadow of a refused
 * request whose bytes stay valid until its nonce is spent (obligations 3.1, 3.2). Their exposure stays reserved.
 */
import type { UnixMs } from '../core/index.ts';
import type { WriteFact } from './fact.ts';
import type { IntentId, LaneId, MarketSymbol, OrderId, RequestId } from './ids.ts';
import type { OrderRef, OrderSpec, WorkingOrder } from './order.ts';

/**
 * How far an intent has come without proof of its end. `void`: its write is closed by a new ledger, whose state is not
 * rebuilt yet.
 */
export type ReservationStage = 'approved' | 'inFlight' | 'unresolved' | 'shadow' | 'void';

/** One intent whose exposure is reserved. */
export interface Reservation {
  readonly spec: OrderSpec;
  readonly lane: LaneId;
  readonly stage: ReservationStage;
  readonly requestId: RequestId | undefined;
  /** When it was approved or sent. */
  readonly atMs: UnixMs;
}

/** One write that was sent and is not resolved. */
interface OpenWrite {
  readonly lane: LaneId;
  readonly intentIds: readonly IntentId[];
  readonly cancels: readonly OrderRef[];
  /** Since when it is known to be unresolved. */
  readonly sentAtMs: UnixMs;
  isUnresolved: boolean;
}

/** A write that waits for its proof, for health and for people. */
export interface PendingWrite {
  readonly requestId: RequestId;
  readonly lane: LaneId;
  readonly sentAtMs: UnixMs;
  readonly isUnresolved: boolean;
}

/** All reservations of an account. */
export class Reservations {
  readonly #byIntent = new Map<IntentId, Reservation>();
  readonly #writes = new Map<RequestId, OpenWrite>();
  readonly #onChange: (symbol: MarketSymbol) => void;

  constructor(onChange: (symbol: MarketSymbol) => void) {
    this.#onChange = onChange;
  }

  /** All of them, oldest first. */
  all(): IterableIterator<Reservation> {
    return this.#byIntent.values();
  }

  /** How many there are. */
  get size(): number {
    return this.#byIntent.size;
  }

  /** Is there one whose order may rest in the book? */
  get canRest(): boolean {
    for (const { spec } of this.#byIntent.values())
      if (spec.timeInForce === 'gtc' || spec.timeInForce === 'postOnly') return true;
    return false;
  }

  /** The reservation of an intent. */
  get(intentId: IntentId): Reservation | undefined {
    return this.#byIntent.get(intentId);
  }

  /** Writes without a proven outcome, oldest first. */
  pendingWrites(): readonly PendingWrite[] {
    return Array.from(this.#writes, ([requestId, write]) => ({
      requestId,
      lane: write.lane,
      sentAtMs: write.sentAtMs,
      isUnresolved: write.isUnresolved,
    }));
  }

  /** Reserves `spec`, or moves it on to another stage. */
  put(reservation: Reservation): void {
    this.#byIntent.set(reservation.spec.intentId, reservation);
    this.#onChange(reservation.spec.symbol);
  }

  /** Takes the reservation of an intent away: its end is proven. */
  release(intentId: IntentId): Reservation | undefined {
    const reservation = this.#byIntent.get(intentId);
    if (reservation === undefined) return undefined;
    this.#byIntent.delete(intentId);
    this.#onChange(reservation.spec.symbol);
    return reservation;
  }

  /** A write has left: its places are in flight. */
  send(write: {
    readonly requestId: RequestId;
    readonly lane: LaneId;
    readonly places: readonly OrderSpec[];
    readonly cancels: readonly OrderRef[];
    readonly atMs: UnixMs;
  }): void {
    const { requestId, lane, places, cancels, atMs } = write;
    this.#writes.set(requestId, {
      lane,
      intentIds: places.map((spec) => spec.intentId),
      cancels,
      sentAtMs: atMs,
      isUnresolved: false,
    });
    for (const spec of places) this.put({ spec, lane, stage: 'inFlight', requestId, atMs });
  }

  /** A write's outcome is unknown. Its reservations, all still open. */
  markUnresolved(requestId: RequestId): readonly Reservation[] {
    const write = this.#writes.get(requestId);
    if (write === undefined) return [];
    write.isUnresolved = true;
    return this.#move(write, 'unresolved');
  }

  /** A placement was refused without its nonce being spent: its bytes can still run. */
  refuse(intentId: IntentId): void {
    const reservation = this.#byIntent.get(intentId);
    if (reservation !== undefined) this.put({ ...reservation, stage: 'shadow' });
  }

  /** Does a write that is not resolved cancel this order? */
  isCanceling(orderId: OrderId): boolean {
    for (const { cancels } of this.#writes.values())
      if (cancels.some((ref) => ref.orderId === orderId)) return true;
    return false;
  }

  /** Could a write that is not resolved put another order in the place of this one? One that only cancels never does. */
  isReplacing(orderId: OrderId): boolean {
    for (const { cancels, intentIds } of this.#writes.values())
      if (intentIds.length > 0 && cancels.some((ref) => ref.orderId === orderId)) return true;
    return false;
  }

  /** Closes a write. `missing` are placements of an executed write that nothing was said of (obligation O58). */
  resolve(
    requestId: RequestId,
    outcome: Extract<WriteFact, { readonly type: 'WriteResolved' }>['outcome'],
  ): { readonly cancels: readonly OrderRef[]; readonly missing: readonly Reservation[] } {
    const write = this.#writes.get(requestId);
    if (write === undefined) return { cancels: [], missing: [] };
    this.#writes.delete(requestId);
    if (outcome === 'executed') {
      this.#releaseShadows(write.lane, requestId);
      return { cancels: write.cancels, missing: this.#move(write, 'unresolved') };
    }
    // Refused: nothing has ended. What was refused before is alive as well, whatever this write was.
    if (outcome === 'refused') return { cancels: write.cancels, missing: [] };
    if (outcome === 'rejected') this.#releaseShadows(write.lane, requestId);
    for (const intentId of write.intentIds) this.release(intentId);
    return { cancels: write.cancels, missing: [] };
  }

  /** A write is closed by a new ledger: what it did shows once that ledger's state is rebuilt. */
  void(requestId: RequestId): readonly OrderRef[] {
    const write = this.#writes.get(requestId);
    if (write === undefined) return [];
    this.#writes.delete(requestId);
    this.#move(write, 'void');
    return write.cancels;
  }

  /** The state of the new ledger is there: what was void is part of it. */
  releaseVoid(): readonly Reservation[] {
    const released = [...this.#byIntent.values()].filter(({ stage }) => stage === 'void');
    for (const { spec } of released) this.release(spec.intentId);
    return released;
  }

  /** Could an order that nobody has claimed belong to one of these? Labels are no evidence (decision C6). */
  couldOwn(order: Pick<WorkingOrder, 'symbol' | 'side' | 'priceTicks' | 'sizeLots'>): boolean {
    for (const { spec, stage } of this.#byIntent.values()) {
      if (stage === 'shadow' || spec.symbol !== order.symbol || spec.side !== order.side) continue;
      if (spec.priceTicks === order.priceTicks && spec.sizeLots >= order.sizeLots) return true;
    }
    return false;
  }

  /** Could a fill of an order that nobody has claimed belong to one of these? */
  couldOwnFill(fill: { readonly symbol: MarketSymbol; readonly side: string }): boolean {
    for (const { spec, stage } of this.#byIntent.values()) {
      if (stage !== 'shadow' && spec.symbol === fill.symbol && spec.side === fill.side) return true;
    }
    return false;
  }

  /** The nonce of a refused request was spent by a later write of its lane: its bytes can never run. */
  #releaseShadows(lane: LaneId, except: RequestId): void {
    for (const reservation of [...this.#byIntent.values()]) {
      const isSpent = reservation.stage === 'shadow' && reservation.lane === lane;
      if (isSpent && reservation.requestId !== except) this.release(reservation.spec.intentId);
    }
  }

  #move(write: OpenWrite, stage: ReservationStage): readonly Reservation[] {
    const moved: Reservation[] = [];
    for (const intentId of write.intentIds) {
      const reservation = this.#byIntent.get(intentId);
      if (reservation === undefined) continue;
      const next = { ...reservation, stage };
      this.put(next);
      moved.push(next);
    }
    return moved;
  }
}
