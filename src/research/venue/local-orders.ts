/**
 * @module What commands do when they arrive: the exchange's rules for placing and canceling, in its order, on one
 * account. The rules themselves are those of the venue (`placement`, `affordability`, `reasons`); recorded orders are
 * in the matcher.
 */
import { FewMap, must } from '../../core/index.ts';
import {
  isOutsideBook,
  lots as lotsOf,
  type MarketSymbol,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  type Proof,
} from '../../domain/index.ts';
import type { OrderTerms, RejectReason, VenueState } from '../../exchange/engine/index.ts';
import { affords, affordsResting, closableLots, refuseTerms } from '../../exchange/engine/index.ts';
import type { LocalAccount } from './local-account.ts';
import type { LocalMarket } from './local-market.ts';
import { LocalOrder } from './local-order.ts';
import { LocalWaiting } from './local-waiting.ts';
import type { Matcher } from './matcher.ts';

/** A market with what matches there. */
export interface MarketSlot {
  /** State of the market. */
  readonly market: LocalMarket;
  /** Matches own orders with recorded ones. */
  readonly matcher: Matcher;
}

/** What a command was sent with: what its outcome is proven by, and when it left, in Unix ms. */
export interface PendingSend {
  /** How the outcome was proven. */
  readonly proof: Proof;
  /** Time of sending, Unix ms. */
  readonly sentAtMs: number;
}

/** An order on its way into the book. */
interface Entering extends Omit<PendingSend, 'proof'> {
  readonly orderSeq: bigint;
  /** Of the command that placed it; absent: it was accepted before. */
  readonly proof?: Proof;
  /** Of a slice of an order that is worked over time: its own number, which only its end carries. */
  readonly sliceId?: OrderId;
}

const NO_LEGS: readonly (readonly [number, number])[] = [];

/** What `LocalOrders` asks of the venue. */
export interface LocalOrdersPorts {
  /** By the index of a market in the rows. */
  readonly slots: readonly MarketSlot[];
  /** Updates the price of the margin check. */
  refreshMark(slot: MarketSlot, fallbackTicks: number): void;
  /** An order with an end of validity rests. */
  noteExpiry(goodTilMs: number): void;
}

/** See the module. */
export class LocalOrders {
  readonly #account: LocalAccount;
  readonly #state: VenueState;
  readonly #ports: LocalOrdersPorts;
  readonly #bySymbol = new Map<MarketSymbol, MarketSlot>();
  #lastSlot: MarketSlot | undefined;
  /** Orders that rest, oldest first. */
  readonly #resting = new FewMap<OrderId, LocalOrder>();
  readonly #waiting: LocalWaiting;

  constructor(account: LocalAccount, ports: LocalOrdersPorts) {
    this.#account = account;
    this.#state = account.state;
    this.#ports = ports;
    this.#waiting = new LocalWaiting(account);
    for (const slot of ports.slots) this.#bySymbol.set(slot.market.symbol, slot);
  }

  /** The market of this name. */
  slotOf(symbol: MarketSymbol): MarketSlot | undefined {
    // Mostly it is the one that was asked for last.
    if (this.#lastSlot?.market.symbol !== symbol) this.#lastSlot = this.#bySymbol.get(symbol);
    return this.#lastSlot;
  }

  /** An order that rests. */
  get(orderId: OrderId): LocalOrder | undefined {
    return this.#resting.get(orderId);
  }

  /** True if no order rests and none waits. */
  get isEmpty(): boolean {
    return this.#resting.size === 0 && this.#waiting.isEmpty;
  }

  /** When the next slice of an order that is worked over time is due, Unix ms; infinity: none is. */
  get nextSliceAtMs(): number {
    return this.#waiting.nextSliceAtMs;
  }

  /** Sends out the slices that are due. What a reduce-only one has clamped off is left of it. */
  slice(): void {
    this.#waiting.slice((symbol, spec, { order: { terms } }) => {
      const slot = must(this.slotOf(symbol), symbol);
      const sliceId = this.#account.nextOrderSeq().toString() as OrderId;
      const slice = { orderSeq: terms.orderSeq, sentAtMs: 0, sliceId };
      const entered = this.#enter(slot, spec, slice);
      return typeof entered === 'string'
        ? entered
        : spec.sizeLots - entered.terms.lots + entered.remainingLots;
    });
  }

  /** True if any order waits for its trigger. */
  get hasWaiting(): boolean {
    return this.#waiting.hasTriggers;
  }

  /** True if the index price has reached the trigger of an order that waits. */
  isDue(slot: MarketSlot): boolean {
    return this.#waiting.isDue(slot.market.symbol);
  }

  /** The index price has moved: orders that are due go into the book, or are gone when they may not. */
  fire(slot: MarketSlot): void {
    for (const fired of this.#waiting.takeDue(slot.market.symbol)) {
      const { due, terms } = fired;
      const entered = this.#enter(slot, due, { orderSeq: terms.orderSeq, sentAtMs: 0 });
      if (typeof entered === 'string') this.#waiting.drop(fired);
    }
  }

  /** True while an order follows a position that is closed. */
  get hasClosed(): boolean {
    return this.#waiting.hasClosed;
  }

  /** Orders that follow a position that is closed leave. */
  endClosed(): void {
    this.#waiting.endClosed();
  }

  /** All orders that rest, oldest first. */
  all(): LocalOrder[] {
    return [...this.#resting.values];
  }

  /**
   * Carries out cancels and placements, each separately, cancels first; true when any of them was done, or there are
   * none. Acceptances are reported before what follows of them.
   */
  run(cancels: readonly OrderRef[], orders: readonly OrderSpec[], sending: PendingSend): boolean {
    let done = 0;
    for (const ref of cancels) if (this.#cancelItem(ref, sending.proof)) done++;
    for (const spec of orders) {
      const reason = this.#place(spec, sending);
      if (reason === undefined) done++;
      else this.#account.answer({ type: 'OrderRejected', spec, reason, proof: sending.proof });
    }
    return done > 0 || cancels.length + orders.length === 0;
  }

  /** Cancels each order that rests; as {@link run}. */
  cancelAll(sending: PendingSend): boolean {
    return this.run([...this.all().map(({ ref }) => ref), ...this.#waiting.refs()], [], sending);
  }

  /** Fills a resting order at its own price. */
  fill(order: LocalOrder, filledLots: number): void {
    const { market } = order.holding;
    market.book.reduce(order.slot, order.id, filledLots);
    this.filled(order, filledLots);
  }

  /** The book has filled a resting order. */
  filled(order: LocalOrder, filledLots: number): void {
    this.#account.fillMaker(order, filledLots, order.terms.priceTicks);
    if (order.status !== 'open') this.#forget(order);
    this.#dropStaleReduceOnly(order);
  }

  /** Takes an order that rests out of the book and reports it. */
  end(order: LocalOrder, status: 'canceled' | 'expired'): void {
    if (order.status !== 'open') return;
    this.#state.orders.remove(order, status);
    this.#forget(order);
    this.#account.emitOrder(order);
  }

  /** The book has dropped an order already. */
  dropped(order: LocalOrder): void {
    this.#state.orders.onDropped(order, 'canceled');
    this.#forget(order);
    this.#account.emitOrder(order);
  }

  /** Everything leaves. */
  endAll(): void {
    for (const order of this.all()) this.end(order, 'canceled');
    this.#waiting.endAll();
  }

  #forget(order: LocalOrder): void {
    this.#resting.delete(order.orderId);
    this.#slotWith(order).market.remove(order);
  }

  #slotWith({ holding, symbol }: LocalOrder): MarketSlot {
    return must(this.#ports.slots[holding.market.ordinal], symbol);
  }

  #cancelItem({ symbol, orderId }: OrderRef, proof: Proof): boolean {
    const order = this.get(orderId);
    if (order === undefined && this.#waiting.cancel({ symbol, orderId }, proof)) return true;
    if (order === undefined || order.symbol !== symbol) {
      const ref = { symbol, orderId };
      this.#account.answer({ type: 'CancelRejected', ref, reason: 'UnknownOrder', proof });
      return false;
    }
    const canceledLots = lotsOf(this.#state.orders.remove(order, 'canceled'));
    this.#forget(order);
    this.#account.answer({ type: 'CancelExecuted', ref: order.ref, canceledLots, proof });
    this.#account.emitOrder(order);
    return true;
  }

  /** Places an order; the reason when it is refused. Order of the rules: as `placement`. */
  #place(spec: OrderSpec, sending: PendingSend): RejectReason | undefined {
    // The number is used up whether the order is accepted or not (exchange.md#order-numbers).
    const orderSeq = this.#account.nextOrderSeq();
    const slot = this.slotOf(spec.symbol);
    if (slot === undefined) return 'UnknownMarket';
    if (isOutsideBook(spec))
      return this.#waiting.place(slot.market, spec, { orderSeq, proof: sending.proof });
    const entered = this.#enter(slot, spec, { ...sending, orderSeq });
    return typeof entered === 'string' ? entered : undefined;
  }

  /** An order goes into the book; without a proof it was there before, outside of it. */
  #enter(slot: MarketSlot, spec: OrderSpec, sending: Entering): LocalOrder | RejectReason {
    const { orderSeq } = sending;
    const { state: market, holding } = slot.market;
    const { side, priceTicks, sizeLots, timeInForce: tif, reduceOnly, expiresAtMs: goodTilMs } = spec;
    const malformed = refuseTerms(market, { price: priceTicks, lots: sizeLots, reduceOnly });
    if (malformed !== undefined) return malformed;
    const createdAtMs = this.#account.atMs;
    if (goodTilMs !== 0 && goodTilMs < Math.max(sending.sentAtMs, createdAtMs)) return 'OrderExpired';
    let lots: number = sizeLots;
    if (reduceOnly) {
      if (holding.lots === 0) return 'ReduceOnlyNoPosition';
      lots = Math.min(lots, closableLots(holding, side));
      if (lots === 0) return 'ReduceOnlyWrongSide';
    }
    this.#ports.refreshMark(slot, priceTicks);
    const terms: OrderTerms = {
      orderSeq,
      side,
      priceTicks,
      lots,
      tif,
      reduceOnly,
      goodTilMs,
      createdAtMs,
      seq: 0,
    };
    const crosses = slot.matcher.crosses(side, priceTicks);
    const refusal = this.#refuse(slot, terms, crosses);
    if (refusal !== undefined) return refusal;
    const order = new LocalOrder(holding, terms, spec);
    const legs = crosses ? slot.matcher.take(order) : NO_LEGS;
    this.#execute(slot, order, legs, sending);
    return order;
  }

  #refuse({ market, matcher }: MarketSlot, terms: OrderTerms, crosses: boolean): RejectReason | undefined {
    const { lots, tif } = terms;
    const { holding } = market;
    if (!crosses) {
      if (tif === 'fok') return 'FokInsufficientLiquidity';
      return affordsResting(this.#state, holding, terms) ? undefined : 'InsufficientMargin';
    }
    if (tif === 'postOnly') return 'PostOnlyWouldCross';
    const trade = matcher.preview(terms);
    if (tif === 'fok' && trade.lots < lots) return 'FokInsufficientLiquidity';
    const candidate = { ...terms, crosses, trade, builder: undefined };
    return affords(this.#state, holding, candidate) ? undefined : 'InsufficientMargin';
  }

  /** What was matched is there. The acceptance reports the order's final state; fills follow on the stream. */
  #execute(
    slot: MarketSlot,
    order: LocalOrder,
    legs: readonly (readonly [number, number])[],
    { proof, sliceId }: Entering,
  ): void {
    const { terms, orderId, spec } = order;
    const account = this.#account;
    const canRest = terms.tif === 'gtc' || terms.tif === 'postOnly';
    const isResting = order.remainingLots > 0 && canRest;
    if (!isResting) order.status = order.remainingLots === 0 ? 'filled' : 'canceled';
    if (spec !== undefined && proof !== undefined)
      account.answer({
        type: 'OrderAccepted',
        spec,
        orderId,
        acceptedLots: lotsOf(terms.lots),
        filledLots: lotsOf(terms.lots - order.remainingLots),
        isResting,
        proof,
      });
    if (isResting) {
      this.#rest(slot, order);
      account.emitOrder(order);
    }
    account.fillTaker(order, legs);
    const ref = sliceId === undefined ? order.ref : { symbol: order.symbol, orderId: sliceId };
    if (!isResting) account.emitOrder(order, ref);
    if (legs.length > 0) this.#dropStaleReduceOnly(order);
  }

  #rest({ market, matcher }: MarketSlot, order: LocalOrder): void {
    const { terms } = order;
    const { markTicks } = market.state;
    const lossTicks = terms.side === 'buy' ? terms.priceTicks - markTicks : markTicks - terms.priceTicks;
    this.#state.orders.rest(order, terms.reduceOnly ? 0 : Math.max(0, lossTicks));
    matcher.rested(order);
    market.add(order);
    // Its number is new.
    this.#resting.add(order.orderId, order);
    if (terms.goodTilMs !== 0) this.#ports.noteExpiry(terms.goodTilMs);
  }

  /** Reduce-only orders that no longer reduce anything leave, as at the exchange. */
  #dropStaleReduceOnly(traded: LocalOrder): void {
    const { holding } = traded;
    if (holding.reduceOnlyOrders === 0) return;
    const { market } = this.#slotWith(traded);
    for (const order of [...market.bids, ...market.asks]) {
      const isStale = order.terms.reduceOnly && closableLots(holding, order.terms.side) === 0;
      if (isStale) this.end(order, 'canceled');
    }
  }
}
