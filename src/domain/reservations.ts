/**
 * @module
 * Intents that were approved and are not proven to an end: in flight, unresolved, or in the shadow of a refused request
 * whose bytes stay valid until its nonce is consumed (outcomes-and-receipts.md). Their exposure stays reserved.
 */
import { FewMap, type UnixMs } from '../core/index.ts';
import type { WriteFact } from './fact.ts';
import type { IntentId, LaneId, MarketSymbol, OrderId, RequestId } from './ids.ts';
import { isOutsideBook, isPositionLeg, type OrderRef, type OrderSpec, type WorkingOrder } from './order.ts';

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
  /** The write that it belongs to; `undefined`: not known. */
  readonly requestId: RequestId | undefined;
  /** When it was approved or sent. */
  readonly atMs: UnixMs;
}

/** The same while it comes along. */
interface MutableReservation extends Reservation {
  spec: OrderSpec;
  lane: LaneId;
  stage: ReservationStage;
  requestId: RequestId | undefined;
  atMs: UnixMs;
}

/** A write that waits for its proof, for health and for people. */
export interface PendingWrite {
  readonly requestId: RequestId;
  readonly lane: LaneId;
  /** Since when it is known to be unresolved. */
  readonly sentAtMs: UnixMs;
  /** True once its outcome is unknown. */
  readonly isUnresolved: boolean;
}

/** One write that was sent and is not resolved. */
interface OpenWrite extends PendingWrite {
  readonly places: readonly OrderSpec[];
  readonly cancels: readonly OrderRef[];
  isUnresolved: boolean;
}

/** What a write leaves that was closed. */
interface ClosedWrite {
  readonly cancels: readonly OrderRef[];
  /** Placements of an executed write that nothing was said of (obligation O58). */
  readonly missing: readonly Reservation[];
}

const NO_RESERVATIONS: readonly Reservation[] = [];
const NO_REFS: readonly OrderRef[] = [];
const NOTHING_LEFT: ClosedWrite = { cancels: NO_REFS, missing: NO_RESERVATIONS };

/** All reservations of an account. */
export class Reservations {
  readonly #byIntent = new FewMap<IntentId, MutableReservation>();
  readonly #writes = new FewMap<RequestId, OpenWrite>();
  readonly #onChange: (symbol: MarketSymbol) => void;

  constructor(onChange: (symbol: MarketSymbol) => void) {
    this.#onChange = onChange;
  }

  /** All of them, oldest first. They come along: who keeps one keeps what it will be. */
  all(): readonly Reservation[] {
    return this.#byIntent.values;
  }

  /** How many there are. */
  get size(): number {
    return this.#byIntent.size;
  }

  /** True if there is one whose order may stay at the exchange. */
  get canRest(): boolean {
    const all = this.#byIntent.values;
    for (let at = 0; at < all.length; at++) {
      const spec = all[at]?.spec;
      if (spec === undefined) continue;
      const { timeInForce } = spec;
      if (timeInForce === 'gtc' || timeInForce === 'postOnly' || isOutsideBook(spec)) return true;
    }
    return false;
  }

  /** The reservation of an intent. */
  get(intentId: IntentId): Reservation | undefined {
    return this.#byIntent.get(intentId);
  }

  /** Writes without a proven outcome, oldest first. */
  pendingWrites(): readonly PendingWrite[] {
    return this.#writes.values.map(({ requestId, lane, sentAtMs, isUnresolved }) => ({
      requestId,
      lane,
      sentAtMs,
      isUnresolved,
    }));
  }

  /** Reserves an intent, or moves it on to another stage; what is given is kept. */
  put(reservation: Reservation): void {
    const { spec, stage } = reservation;
    const known = this.#byIntent.get(spec.intentId);
    if (known !== undefined) this.#moveOn(known, stage, reservation, spec);
    else {
      this.#byIntent.add(spec.intentId, reservation);
      this.#onChange(spec.symbol);
    }
  }

  /** Takes the reservation of an intent away: its end is proven. */
  release(intentId: IntentId): Reservation | undefined {
    const reservation = this.#byIntent.delete(intentId);
    if (reservation !== undefined) this.#onChange(reservation.spec.symbol);
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
    this.#writes.set(requestId, { requestId, lane, sentAtMs: atMs, isUnresolved: false, places, cancels });
    for (const spec of places) {
      const known = this.#byIntent.get(spec.intentId);
      // Nearly always it was reserved with its approval: no object is made for it.
      if (known === undefined) this.put({ spec, lane, stage: 'inFlight', requestId, atMs });
      else this.#moveOn(known, 'inFlight', write, spec);
    }
  }

  /** A write's outcome is unknown. Its reservations, all still open. */
  markUnresolved(requestId: RequestId): readonly Reservation[] {
    const write = this.#writes.get(requestId);
    if (write === undefined) return NO_RESERVATIONS;
    write.isUnresolved = true;
    return this.#move(write, 'unresolved');
  }

  /** A placement was refused without its nonce being consumed: its bytes can still run. */
  refuse(intentId: IntentId): void {
    const reservation = this.#byIntent.get(intentId);
    if (reservation === undefined) return;
    reservation.stage = 'shadow';
    this.#onChange(reservation.spec.symbol);
  }

  /** True while a write is sent and not resolved. */
  isOpen(requestId: RequestId): boolean {
    return this.#writes.get(requestId) !== undefined;
  }

  /** True if an unresolved write cancels this order. */
  isCanceling(orderId: OrderId): boolean {
    const writes = this.#writes.values;
    for (let at = 0; at < writes.length; at++) if (cancelsOne(writes[at], orderId)) return true;
    return false;
  }

  /** True if an unresolved write could replace this order by another one. One that only cancels never does. */
  isReplacing(orderId: OrderId): boolean {
    const writes = this.#writes.values;
    for (let at = 0; at < writes.length; at++) {
      const write = writes[at];
      if (write !== undefined && write.places.length > 0 && cancelsOne(write, orderId)) return true;
    }
    return false;
  }

  /** Closes a write. */
  resolve(
    requestId: RequestId,
    outcome: Extract<WriteFact, { readonly type: 'WriteResolved' }>['outcome'],
  ): ClosedWrite {
    const write = this.#writes.delete(requestId);
    if (write === undefined) return NOTHING_LEFT;
    const { cancels, lane, places } = write;
    if (outcome === 'executed') {
      this.#releaseShadows(lane, requestId);
      return { cancels, missing: this.#move(write, 'unresolved') };
    }
    // Refused: nothing has ended. What was refused before is alive as well, whatever this write was.
    if (outcome === 'refused') return { cancels, missing: NO_RESERVATIONS };
    if (outcome === 'rejected') this.#releaseShadows(lane, requestId);
    for (const { intentId } of places) this.release(intentId);
    return { cancels, missing: NO_RESERVATIONS };
  }

  /** A write is closed by a new ledger: what it did shows once that ledger's state is rebuilt. */
  void(requestId: RequestId): readonly OrderRef[] {
    const write = this.#writes.delete(requestId);
    if (write === undefined) return NO_REFS;
    this.#move(write, 'void');
    return write.cancels;
  }

  /** The state of the new ledger is there: what was void is part of it. */
  releaseVoid(): readonly Reservation[] {
    const released = this.#byIntent.values.filter(({ stage }) => stage === 'void');
    for (const { spec } of released) this.release(spec.intentId);
    return released;
  }

  /** True if an unclaimed order could belong to one of these. Labels are no evidence. */
  couldOwn(order: Pick<WorkingOrder, 'symbol' | 'side' | 'priceTicks' | 'sizeLots' | 'twap'>): boolean {
    for (const { spec, stage } of this.#byIntent.values) {
      if (stage === 'shadow' || spec.symbol !== order.symbol || spec.side !== order.side) continue;
      // What is worked over time shows the limit of its next slice, which follows the index price.
      if (spec.twap !== undefined && order.twap !== undefined && spec.sizeLots === order.sizeLots)
        return true;
      const isSize = spec.sizeLots >= order.sizeLots || isPositionLeg(spec);
      if (spec.priceTicks === order.priceTicks && isSize) return true;
    }
    return false;
  }

  /** True if a fill of an unclaimed order could belong to one of these. */
  couldOwnFill(fill: { readonly symbol: MarketSymbol; readonly side: string }): boolean {
    for (const { spec, stage } of this.#byIntent.values) {
      if (stage !== 'shadow' && spec.symbol === fill.symbol && spec.side === fill.side) return true;
    }
    return false;
  }

  /** The nonce of a refused request was consumed by a later write of its lane: its bytes can never run. */
  #releaseShadows(lane: LaneId, except: RequestId): void {
    if (this.#byIntent.size === 0) return;
    const spent = this.#byIntent.values.filter(
      (one) => one.stage === 'shadow' && one.lane === lane && one.requestId !== except,
    );
    for (const { spec } of spent) this.release(spec.intentId);
  }

  /** Sets the outcome of a reservation. */
  #moveOn(
    known: MutableReservation,
    stage: ReservationStage,
    { lane, requestId, atMs }: Pick<Reservation, 'lane' | 'requestId' | 'atMs'>,
    spec: OrderSpec,
  ): void {
    known.spec = spec;
    known.lane = lane;
    known.stage = stage;
    known.requestId = requestId;
    known.atMs = atMs;
    this.#onChange(spec.symbol);
  }

  #move({ places }: OpenWrite, stage: ReservationStage): readonly Reservation[] {
    if (this.#byIntent.size === 0) return NO_RESERVATIONS;
    const moved: Reservation[] = [];
    for (const { intentId } of places) {
      const reservation = this.#byIntent.get(intentId);
      if (reservation === undefined) continue;
      reservation.stage = stage;
      this.#onChange(reservation.spec.symbol);
      moved.push(reservation);
    }
    return moved;
  }
}

function cancelsOne(write: OpenWrite | undefined, orderId: OrderId): boolean {
  if (write === undefined) return false;
  const { cancels } = write;
  for (let at = 0; at < cancels.length; at++) if (cancels[at]?.orderId === orderId) return true;
  return false;
}
