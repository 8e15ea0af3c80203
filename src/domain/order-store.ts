/**
 * @module
 * Orders and intents of the account joined: which order came of which intent, what is unclaimed, what ended and by
 * which proof. An order or a fill that no intent has claimed waits while a write in flight could own it (obligation
 * O120); in all that time both the intent and the order count in the exposure.
 * What this does not do: positions, cash and profit; ending anything without a proof (I30).
 */
import type { Fill } from './account.ts';
import type { AnomalyKind } from './account-change.ts';
import type { ChangeQueue } from './change-queue.ts';
import type { OwnedExposure } from './exposure.ts';
import type { WriteFact } from './fact.ts';
import { Heirs } from './heirs.ts';
import type { MarketSymbol, OrderId, RequestId, Seq, StrategyId } from './ids.ts';
import { MissingOrders } from './missing-orders.ts';
import { NamelessEnds } from './nameless-ends.ts';
import {
  type EndedRef,
  isFilledUp,
  isOutsideBook,
  isPositionLeg,
  type OrderRef,
  openLotsOf,
  orderFromSpec,
  type TerminalStatus,
  type WorkingOrder,
} from './order.ts';
import { OrderTracker } from './order-tracker.ts';
import { Overfills } from './overfills.ts';
import { Reservations } from './reservations.ts';
import {
  endOfGone,
  hasFired,
  isBehind,
  isOtherOrder,
  isSameOrder,
  isSameWorking,
  type OrderEnding,
  type TrackedOrder,
} from './tracked-order.ts';
import { type FillOwners, UnattributedFills } from './unattributed-fills.ts';
import { UnattributedOrders } from './unattributed-orders.ts';

/** The orders of one account. */
export class OrderStore {
  readonly orders: OrderTracker;
  readonly reservations: Reservations;
  /** The seq of the first complete state: an unknown order, or a fill of one, from before it is history, not an anomaly. */
  watchedFrom: Seq | undefined;
  readonly #absent = new MissingOrders();
  readonly #nameless = new NamelessEnds();
  readonly #changes: ChangeQueue;
  readonly #owners: FillOwners;
  readonly #held: UnattributedOrders;
  readonly #unclaimedFills = new UnattributedFills();
  readonly #overfills: Overfills;
  /** The seq of the newest complete set of working orders. */
  #snapshotSeq: Seq | undefined;
  readonly #heirs = new Heirs();

  /** `touched`: the exposure of a market is another now. */
  constructor(changes: ChangeQueue, owners: FillOwners, touched: (symbol: MarketSymbol) => void) {
    this.#changes = changes;
    this.#owners = owners;
    this.#held = new UnattributedOrders(touched);
    this.orders = new OrderTracker(touched);
    this.reservations = new Reservations(touched);
    this.#overfills = new Overfills({
      mayBeReplaced: (orderId) => this.watchedFrom === undefined || this.reservations.isReplacing(orderId),
      onOverfill: ({ symbol, orderId }) =>
        this.anomaly('overfill', symbol, `order ${orderId} is filled beyond its size`, orderId),
    });
  }

  /** Adds everything in a market that could still be executed. */
  addOpen(symbol: MarketSymbol, open: OwnedExposure): void {
    this.orders.addExposed(symbol, open);
    if (this.reservations.size > 0)
      for (const { spec } of this.reservations.all())
        if (spec.symbol === symbol)
          open.add(spec.strategyId, spec.side, spec.priceTicks, openLotsOf(spec, spec.sizeLots));
    this.#held.addOpen(symbol, open);
  }

  /** Adds the markets with anything in {@link addOpen}. */
  addActive(symbols: Set<MarketSymbol>): void {
    for (const symbol of this.orders.symbols()) symbols.add(symbol);
    for (const { spec } of this.reservations.all()) symbols.add(spec.symbol);
    for (const { order } of this.#held.all()) symbols.add(order.symbol);
  }

  /** Takes in what happened to a write or an order of ours. */
  foldWrite(fact: WriteFact): void {
    switch (fact.type) {
      case 'WriteSent':
        this.reservations.send(fact);
        for (const ref of fact.cancels) this.orders.setCancelPending(ref.orderId, true);
        return;
      case 'OrderAccepted':
        this.#accept(fact);
        return;
      case 'CancelExecuted':
        this.#cancel(fact);
        return;
      case 'WriteResolved':
        this.#resolve(fact);
        return;
      case 'OrderRejected':
        if (fact.proof.by === 'refusal') this.reservations.refuse(fact.spec.intentId);
        else this.reservations.release(fact.spec.intentId);
        this.#changes.intent(fact.spec, 'rejected', fact);
        this.#reviewHeld();
        return;
      case 'OrderNotExecuted':
        this.reservations.release(fact.spec.intentId);
        this.#changes.intent(fact.spec, 'notExecuted', fact);
        this.#reviewHeld();
        return;
      case 'CancelRejected':
        this.#rejectCancel(fact);
        return;
      case 'WriteUnresolved':
        for (const { spec } of this.reservations.markUnresolved(fact.requestId))
          this.#changes.intent(spec, 'unresolved', { reason: fact.why });
        return;
      case 'WriteVoided':
        for (const ref of this.reservations.void(fact.requestId)) this.#endCancel(ref);
        return;
      default:
        return;
    }
  }

  /** Takes in an order as the exchange shows it. */
  open(order: WorkingOrder, seq: Seq): void {
    this.#nameless.name(order, seq, this);
    const record = this.orders.get(order.orderId);
    if (record !== undefined && isOtherOrder(record, order, seq, this.reservations))
      this.#takeOver(record, seq);
    else if (record?.order !== undefined || record?.endedAs !== undefined) {
      this.#update(record, order, seq);
      return;
    }
    const known = this.#held.get(order.orderId);
    if (known !== undefined && known.seq > seq) return;
    this.#held.set({ order, seq, isOld: known?.isOld ?? this.watchedFrom === undefined });
    if (order.intentId !== undefined || !this.reservations.couldOwn(order)) this.#admitHeld(order.orderId);
  }

  /** Ends an order by proof: now, or once its market is known. */
  end({ orderId, symbol: named }: EndedRef, status: TerminalStatus, by: OrderEnding): void {
    const known = this.#held.get(orderId)?.order ?? this.orders.get(orderId);
    const symbol = named ?? known?.symbol ?? this.#nameless.keep(orderId, status, by);
    if (symbol === undefined) return;
    this.#leaveHeld(orderId);
    const record = this.orders.of(symbol, orderId);
    if (by.seq !== undefined) record.seq = by.seq;
    // What a cancel of ours has said of it already is said again by the stream.
    if (by.remainingLots !== undefined && by.remainingLots !== record.remainingLots)
      this.orders.noteCanceled(record, by.remainingLots, by.seq);
    if (this.orders.end(record, status)) this.#changes.order(record, status, by.proof, by.reason);
  }

  /** History is missing from now on. */
  fallBehind(): void {
    this.#absent.fallBehind();
  }

  /** All is followed again from `seq` on, with the history booked up to `bookedSeq`, which is absent where nobody says how far. */
  catchUp(seq: Seq, bookedSeq: Seq | undefined): void {
    this.#absent.catchUp();
    this.booked(bookedSeq);
    this.orders.settle(bookedSeq ?? seq);
    this.#overfills.checkAgain();
  }

  /** The history is booked, up to `bookedSeq`: what is gone, not filled and not shown since then has been canceled. */
  booked(bookedSeq: Seq | undefined): void {
    for (const { ref, seq } of this.#absent.booked(bookedSeq)) {
      const known = this.#held.get(ref.orderId) ?? this.orders.get(ref.orderId);
      if (known?.seq !== undefined && known.seq <= seq) this.#leave(ref, seq);
    }
  }

  /** Takes in the complete set of working orders at `seq`. What is not in it and is older has ended. */
  replaceAll(orders: readonly WorkingOrder[], seq: Seq): void {
    const present = new Set<OrderId>();
    for (const order of orders) {
      present.add(order.orderId);
      this.#absent.delete(order.orderId);
      this.open(order, seq);
    }
    if (this.#snapshotSeq === undefined || seq > this.#snapshotSeq) this.#snapshotSeq = seq;
    for (const record of this.orders.working()) {
      if (present.has(record.orderId)) continue;
      // Accepted by an answer that gave no log position: this snapshot may be older. The next one decides.
      if (record.seq === undefined) record.seq = seq;
      else if (record.seq <= seq) this.#leave(record, seq);
    }
    for (const held of this.#held.all())
      if (!present.has(held.order.orderId) && held.seq <= seq) this.#leave(held.order, seq);
  }

  /** Takes in a fill that is booked on the account already. */
  fill(fill: Fill): void {
    const record = this.orders.addFill(fill);
    this.#overfills.check(record);
    if (record.order !== undefined || record.strategyId !== undefined) this.#attribute(fill, record);
    else {
      this.#unclaimedFills.add(fill, this.watchedFrom);
      if (!this.reservations.couldOwnFill(fill)) this.#abandonFills(record);
    }
    this.#endFilled(record, fill.id);
  }

  /**
   * Ends an order of which nothing is left. Not while it is being replaced: its fills may be those of the order that takes
   * its number over (ambiguity A10).
   */
  #endFilled(record: TrackedOrder, by: string): void {
    if (!isFilledUp(record.order) || this.reservations.isReplacing(record.orderId)) return;
    if (this.orders.end(record, 'filled')) this.#changes.order(record, 'filled', { by: 'stream', id: by });
  }

  /** Calls `onOpen` for each order and each intent in flight that has an owner. */
  eachOpen(onOpen: (strategyId: StrategyId, symbol: MarketSymbol) => void): void {
    for (const { strategyId, symbol } of this.orders.working())
      if (strategyId !== undefined) onOpen(strategyId, symbol);
    for (const { spec } of this.reservations.all()) onOpen(spec.strategyId, spec.symbol);
  }

  /** Fills whose owner is not known yet. */
  waitingFills(): readonly Fill[] {
    return this.#unclaimedFills.all();
  }

  /** Forgets all orders, which are void; intents in flight stay until their proof. */
  beginEpoch(epoch: string): void {
    const gone = this.orders.working();
    this.#heirs.beginEpoch(this.orders.clear());
    for (const record of gone) this.#changes.order(record, 'voided', { by: 'epoch', id: epoch });
    for (const one of [this.#held, this.#unclaimedFills, this.#absent, this.#nameless, this.#overfills])
      one.clear();
    this.#snapshotSeq = undefined;
    this.watchedFrom = undefined;
  }

  /**
   * The state of the ledger is rebuilt: it shows what writes did that were closed by the change to it. What waited only for
   * one of them may well be ours, and is no anomaly.
   */
  releaseVoid(epoch: string): void {
    for (const { spec } of this.reservations.releaseVoid()) {
      this.#heirs.close(spec);
      this.#changes.intent(spec, 'voided', { proof: { by: 'epoch', id: epoch } });
    }
    this.#reviewHeld(true);
  }

  /** Reports something that no valid history explains. */
  anomaly(kind: AnomalyKind, symbol: MarketSymbol | undefined, detail: string, filled?: OrderId): void {
    this.#changes.add({ type: 'AnomalySeen', kind, symbol, detail, filled });
  }

  #accept(fact: Extract<WriteFact, { type: 'OrderAccepted' }>): void {
    const { spec, orderId } = fact;
    this.#nameless.name({ symbol: spec.symbol, orderId }, fact.seq, this);
    const reservation = this.reservations.release(spec.intentId);
    const record = this.orders.ofPlaced(fact);
    record.strategyId = spec.strategyId;
    record.intentId = spec.intentId;
    record.requestId ??= reservation?.requestId;
    record.reportedLots = Math.max(record.reportedLots, fact.filledLots);
    const held = this.#held.take(orderId);
    if (held !== undefined) {
      record.seq = held.seq;
      record.reportedLots = Math.max(record.reportedLots, held.order.sizeLots - held.order.remainingLots);
    }
    if (fact.acceptedLots > spec.sizeLots && !isPositionLeg(spec))
      this.anomaly('overfill', spec.symbol, `order ${orderId} was accepted larger than it was asked for`);
    const hadEnded = record.endedAs !== undefined;
    const shown = record.order ?? (isOutsideBook(spec) ? held?.order : undefined); // It may have fired since.
    this.orders.set(record, shown ?? orderFromSpec(spec, orderId, fact.acceptedLots));
    const isFilled = isFilledUp(record.order);
    if (isFilled || !(fact.isResting || isOutsideBook(spec)))
      this.orders.end(record, isFilled ? 'filled' : 'canceled');
    this.#changes.order(record, hadEnded ? (record.endedAs ?? 'working') : 'working', fact.proof);
    this.#claimFills(record);
    if (!hadEnded && record.endedAs !== undefined) this.#changes.order(record, record.endedAs, fact.proof);
    this.#reviewHeld();
  }

  /** The number of an order that is being replaced shows another order: this one is gone. */
  #takeOver(record: TrackedOrder, seq: Seq): void {
    if (this.orders.end(record, 'canceled'))
      this.#changes.order(record, 'canceled', { by: 'stream', id: seq.toString() });
    this.orders.renew(record);
  }

  /** A cancel of ours was carried out. */
  #cancel({ ref, seq, proof, canceledLots }: Extract<WriteFact, { type: 'CancelExecuted' }>): void {
    const record = this.orders.of(ref.symbol, ref.orderId);
    if (isBehind(record, seq)) {
      const { previous } = record;
      if (previous?.order !== undefined) this.orders.noteCanceled(previous, canceledLots, seq);
      return;
    }
    this.orders.noteCanceled(record, canceledLots, seq);
    const held = this.#held.get(ref.orderId);
    // What was shown at the seq of the cancel or later is not what it canceled, but another order of the number (ambiguity A10).
    if (held !== undefined && (seq === undefined || held.seq < seq)) this.#leaveHeld(ref.orderId);
    if (this.orders.end(record, 'canceled')) this.#changes.order(record, 'canceled', proof);
    record.canceledBy = proof.id;
  }

  /** An order that is held ends: it waits for no write any more. */
  #leaveHeld(orderId: OrderId): void {
    const held = this.#held.get(orderId);
    if (held === undefined) return;
    if (!this.reservations.couldOwn(held.order)) this.#admitHeld(orderId);
    this.#held.take(orderId);
  }

  /** A cancel of ours was not carried out. */
  #rejectCancel({ ref, proof, reason }: Extract<WriteFact, { type: 'CancelRejected' }>): void {
    this.#endCancel(ref);
    const record = this.orders.get(ref.orderId);
    if (record === undefined) return;
    this.orders.noteRejectedCancel(record, reason);
    this.#changes.order(record, 'cancelRejected', proof, reason);
  }

  /** A cancel of an order has ended without effect; another write may cancel it still. */
  #endCancel({ orderId }: OrderRef): void {
    const record = this.orders.get(orderId);
    // What has ended is canceled no more.
    if (record === undefined || record.endedAs !== undefined || this.reservations.isCanceling(orderId))
      return;
    this.orders.setPendingOf(record, record.isUnknown);
    const lastFill = record.fills.at(-1);
    if (lastFill !== undefined) this.#endFilled(record, lastFill.seq.toString());
  }

  #update(record: TrackedOrder, order: WorkingOrder, seq: Seq): void {
    if (record.endedAs !== undefined || (record.seq !== undefined && seq < record.seq)) return;
    const before = record.order;
    const { reportedLots } = record;
    if (record.isUnknown) this.orders.noteShown(record, this.reservations.isCanceling(record.orderId));
    record.seq = seq;
    record.reportedLots = Math.max(reportedLots, order.sizeLots - order.remainingLots);
    // Mostly a frame says of an order of ours what its answer has said.
    const isKnown = record.reportedLots === reportedLots && before !== undefined;
    if (isKnown && isSameOrder(before, order, record)) return;
    this.orders.set(record, order);
    if (hasFired(before, order)) this.#changes.order(record, 'fired', undefined);
    else if (!isSameWorking(before, record.order)) this.#changes.order(record, 'working', undefined);
  }

  /** A held order is not one of ours after all, or says itself whose it is: it works from now on. */
  #admitHeld(orderId: OrderId, mayBeOurs = false): void {
    const held = this.#held.take(orderId);
    if (held === undefined) return;
    const { order, seq, isOld } = held;
    const record = this.orders.of(order.symbol, orderId);
    record.seq = seq;
    // The exchange does not say whose an order of a previous run is: the journal has said it.
    record.strategyId = order.strategyId ?? record.strategyId;
    record.intentId = order.intentId ?? record.intentId;
    this.orders.find(record, order.sizeLots - order.remainingLots, seq);
    record.reportedLots = Math.max(record.reportedLots, order.sizeLots - order.remainingLots);
    this.orders.set(record, order);
    if (record.intentId === undefined && !isOld && !mayBeOurs)
      this.anomaly('unknownOrder', order.symbol, `order ${orderId} is not one of ours`);
    this.#changes.order(record, 'working', undefined);
    this.#claimFills(record);
  }

  #resolve(fact: Extract<WriteFact, { type: 'WriteResolved' }>): void {
    const { cancels, missing } = this.reservations.resolve(fact.requestId, fact.outcome);
    if (fact.seq !== undefined) this.#place(fact.requestId, fact.seq);
    for (const ref of cancels) this.#endCancel(ref);
    this.#overfills.checkAgain();
    for (const { spec } of missing) {
      this.anomaly('missingItem', spec.symbol, `write ${fact.requestId} says nothing of ${spec.intentId}`);
      this.#changes.intent(spec, 'unresolved', { reason: 'the outcome names no item for it' });
    }
    this.#reviewHeld();
    this.orders.cool(this.reservations);
  }

  /** The orders of a write have their seq: one that a later snapshot does not show has ended in between. */
  #place(requestId: RequestId, seq: Seq): void {
    const snapshotSeq = this.#snapshotSeq;
    if (snapshotSeq === undefined || seq > snapshotSeq) {
      this.orders.setSeq(requestId, seq, undefined);
      return;
    }
    const unseen: TrackedOrder[] = [];
    this.orders.setSeq(requestId, seq, unseen);
    for (const record of unseen) this.#leave(record, snapshotSeq);
  }

  /** A snapshot at `seq` does not show an order: canceled, unless fills show otherwise. Those of a held one wait with it. */
  #leave(ref: OrderRef, seq: Seq): void {
    if (this.#absent.keep(ref, seq)) return;
    const record = this.orders.get(ref.orderId);
    // Only the write that would replace it shows whether these were its fills (ambiguity A10).
    if (isFilledUp(record?.order) && this.reservations.isReplacing(ref.orderId)) return;
    const { status, ...how } = endOfGone(record, this.#held.get(ref.orderId));
    this.end(ref, status, { seq, proof: { by: 'snapshot', id: seq.toString() }, ...how });
  }

  /** A write was resolved: what it could have owned and did not is not ours. Closed by a new ledger, it may be. */
  #reviewHeld(mayBeOurs = false): void {
    if (this.#held.isEmpty && this.#unclaimedFills.isEmpty) return;
    for (const { order } of this.#held.all())
      if (!this.reservations.couldOwn(order)) this.#admitHeld(order.orderId, mayBeOurs);
    for (const fill of this.#unclaimedFills.firsts())
      if (!this.reservations.couldOwnFill(fill))
        this.#abandonFills(this.orders.of(fill.symbol, fill.orderId), mayBeOurs);
  }

  #claimFills(record: TrackedOrder): void {
    if (this.#unclaimedFills.isEmpty) return;
    for (const fill of this.#unclaimedFills.take(record.orderId)?.fills ?? []) this.#attribute(fill, record);
  }

  /** A fill, booked on the account already, has found its order. */
  #attribute(fill: Fill, record: TrackedOrder): void {
    const heir = this.#heirs.take(record, fill);
    if (heir === undefined) {
      this.#owners.attribute(fill, record.strategyId);
      this.#changes.fill(fill, record);
    } else {
      this.#owners.inherit(fill, heir);
      this.#changes.fill(fill, { strategyId: heir, intentId: record.intentId });
    }
  }

  /** No write in flight can own these fills: they belong only to the account (denials.md M2). */
  #abandonFills(record: TrackedOrder, mayBeOurs = false): void {
    const { fills, isOld } = this.#unclaimedFills.take(record.orderId) ?? { fills: [], isOld: true };
    for (const fill of fills) this.#attribute(fill, record);
    if (isOld || mayBeOurs) return;
    const { symbol, orderId } = record;
    this.anomaly('fillWithoutOrder', symbol, `order ${orderId} was filled and is not one of ours`, orderId);
  }
}
