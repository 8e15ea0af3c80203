/**
 * @module
 * What commands do when they arrive: the exchange's rules for placing and canceling, in its order, on one account. The
 * rules themselves are those of the venue (`placement`, `affordability`, `reasons`); strangers' orders are in the matcher.
 */
import { must } from '../../core/index.ts';
import {
  type CanonicalOrder,
  lots as lotsOf,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  type Proof,
} from '../../domain/index.ts';
import { closableLots } from '../accounts/position.ts';
import { affords } from '../orders/affordability.ts';
import { refuseTerms } from '../orders/placement.ts';
import type { RejectReason } from '../reasons.ts';
import type { VenueState } from '../state.ts';
import type { LocalAccount } from './local-account.ts';
import type { LocalMarket } from './local-market.ts';
import { LocalOrder } from './local-order.ts';
import type { Matcher } from './matcher.ts';

/** A market with what matches there. */
export interface Booth {
  readonly market: LocalMarket;
  readonly matcher: Matcher;
}

/** What came of the items of a command: how many, and how many were carried out. */
export interface Tally {
  readonly items: number;
  readonly done: number;
}

/** What the desk asks of the whole. */
export interface DeskPorts {
  boothOf(symbol: string): Booth | undefined;
  /** Brings the price by which margins are judged up to date. */
  refreshMark(market: LocalMarket, fallbackTicks: number): void;
  /** An order with an end of validity rests. */
  noteExpiry(goodTilMs: number): void;
}

/** See the module. */
export class OrderDesk {
  readonly #account: LocalAccount;
  readonly #state: VenueState;
  readonly #ports: DeskPorts;
  readonly #orders = new Map<OrderId, LocalOrder>();

  constructor(account: LocalAccount, ports: DeskPorts) {
    this.#account = account;
    this.#state = account.state;
    this.#ports = ports;
  }

  /** An order that rests. */
  get(orderId: OrderId): LocalOrder | undefined {
    return this.#orders.get(orderId);
  }

  /** Does no order rest? */
  get isEmpty(): boolean {
    return this.#orders.size === 0;
  }

  /** All orders that rest, oldest first. */
  all(): LocalOrder[] {
    return [...this.#orders.values()];
  }

  /** Carries out cancels and placements, each alone, cancels first. Acceptances are told before what follows of them. */
  run(
    batch: { readonly cancels: readonly OrderRef[]; readonly orders: readonly OrderSpec[] },
    context: { readonly proof: Proof; readonly sentAtMs: number },
  ): Tally {
    let done = 0;
    for (const ref of batch.cancels) if (this.#cancelItem(ref, context.proof)) done++;
    for (const spec of batch.orders) {
      const reason = this.#place(spec, context);
      if (reason === undefined) done++;
      else this.#account.answer({ type: 'OrderRejected', spec, reason, proof: context.proof });
    }
    return { items: batch.cancels.length + batch.orders.length, done };
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

  /** Takes an order that rests out of the book and tells of it. */
  end(order: LocalOrder, status: 'canceled' | 'expired'): void {
    if (order.status !== 'open') return;
    this.#state.orders.remove(order, status);
    this.#forget(order);
    this.#account.tellOrder(order);
  }

  /** The book has dropped an order already. */
  dropped(order: LocalOrder): void {
    this.#state.orders.onDropped(order, 'canceled');
    this.#forget(order);
    this.#account.tellOrder(order);
  }

  /** Everything leaves. */
  endAll(): void {
    for (const order of this.all()) this.end(order, 'canceled');
  }

  #forget(order: LocalOrder): void {
    this.#orders.delete(order.orderId);
    this.#ports.boothOf(order.symbol)?.market.remove(order);
  }

  #cancelItem({ symbol, orderId }: OrderRef, proof: Proof): boolean {
    const order = this.#orders.get(orderId);
    const ref = { symbol, orderId };
    if (order === undefined || order.symbol !== symbol) {
      this.#account.answer({ type: 'CancelRejected', ref, reason: 'UnknownOrder', proof });
      return false;
    }
    const canceledLots = lotsOf(this.#state.orders.remove(order, 'canceled'));
    this.#forget(order);
    this.#account.answer({ type: 'CancelExecuted', ref, canceledLots, proof });
    this.#account.tellOrder(order);
    return true;
  }

  /** Places an order; the reason when it is refused. Order of the rules: as `placement`. */
  #place(
    spec: OrderSpec,
    { proof, sentAtMs }: { readonly proof: Proof; readonly sentAtMs: number },
  ): RejectReason | undefined {
    // The number is spent whether the order is accepted or not (wire-facts 3.4).
    const orderSeq = this.#account.nextOrderSeq();
    const booth = this.#ports.boothOf(spec.symbol);
    if (booth === undefined) return 'UnknownMarket';
    const { state: market, holding } = booth.market;
    const request = canonicalOf(spec, market.number);
    const malformed = refuseTerms(market, request);
    if (malformed !== undefined) return malformed;
    const goodTilMs = spec.expiresAtMs;
    const { atMs } = this.#account;
    if (goodTilMs !== 0 && goodTilMs < Math.max(sentAtMs, atMs)) return 'OrderExpired';
    let lots: number = spec.sizeLots;
    if (spec.reduceOnly) {
      if (holding.lots === 0) return 'ReduceOnlyNoPosition';
      lots = Math.min(lots, closableLots(holding, spec.side));
      if (lots === 0) return 'ReduceOnlyWrongSide';
    }
    this.#ports.refreshMark(booth.market, spec.priceTicks);
    const crosses = booth.matcher.crosses(spec.side, spec.priceTicks);
    const refusal = this.#refuse(booth, { ...request, lots, crosses });
    if (refusal !== undefined) return refusal;
    const order = new LocalOrder(
      holding,
      {
        orderSeq,
        side: spec.side,
        priceTicks: spec.priceTicks,
        lots,
        tif: spec.timeInForce,
        reduceOnly: spec.reduceOnly,
        goodTilMs,
        createdAtMs: atMs,
        seq: 0,
      },
      spec,
    );
    this.#execute(booth, order, { spec, crosses, proof });
    return undefined;
  }

  #refuse(
    { market, matcher }: Booth,
    order: Omit<CanonicalOrder, 'lots'> & { readonly lots: number; readonly crosses: boolean },
  ): RejectReason | undefined {
    const { side, price: priceTicks, lots, tif, reduceOnly, crosses } = order;
    if (tif === 'postOnly' && crosses) return 'PostOnlyWouldCross';
    const trade = crosses ? matcher.preview({ side, priceTicks, lots }) : { lots: 0, tickLots: 0n };
    if (tif === 'fok' && trade.lots < lots) return 'FokInsufficientLiquidity';
    const candidate = { side, priceTicks, lots, tif, reduceOnly, crosses, trade, builder: undefined };
    return affords(this.#state, market.holding, candidate) ? undefined : 'InsufficientMargin';
  }

  /** Matches and rests. The acceptance tells how the order came out; fills follow on the stream. */
  #execute(
    { market, matcher }: Booth,
    order: LocalOrder,
    { spec, crosses, proof }: { readonly spec: OrderSpec; readonly crosses: boolean; readonly proof: Proof },
  ): void {
    const { terms, orderId } = order;
    const legs = crosses ? matcher.take(order) : [];
    const canRest = terms.tif === 'gtc' || terms.tif === 'postOnly';
    const isResting = order.remainingLots > 0 && canRest;
    const filledLots = terms.lots - order.remainingLots;
    if (!isResting) order.status = order.remainingLots === 0 ? 'filled' : 'canceled';
    const accepted = { acceptedLots: lotsOf(terms.lots), filledLots: lotsOf(filledLots), isResting };
    this.#account.answer({ type: 'OrderAccepted', spec, orderId, ...accepted, proof });
    if (isResting) {
      this.#rest(market, matcher, order);
      this.#account.tellOrder(order);
    }
    this.#account.fillTaker(order, legs);
    if (!isResting) this.#account.tellOrder(order);
    if (legs.length > 0) this.#dropStaleReduceOnly(order);
  }

  #rest(market: LocalMarket, matcher: Matcher, order: LocalOrder): void {
    const { terms } = order;
    const { markTicks } = market.state;
    const lossTicks = terms.side === 'buy' ? terms.priceTicks - markTicks : markTicks - terms.priceTicks;
    this.#state.orders.rest(order, terms.reduceOnly ? 0 : Math.max(0, lossTicks));
    matcher.rested(order);
    this.#orders.set(order.orderId, order);
    market.add(order);
    if (terms.goodTilMs !== 0) this.#ports.noteExpiry(terms.goodTilMs);
  }

  /** Reduce-only orders that no longer reduce anything leave, as at the exchange. */
  #dropStaleReduceOnly({ holding, symbol }: LocalOrder): void {
    if (holding.reduceOnlyOrders === 0) return;
    const { market } = must(this.#ports.boothOf(symbol), `market ${symbol}`);
    for (const order of [...market.bids, ...market.asks]) {
      const isStale = order.terms.reduceOnly && closableLots(holding, order.terms.side) === 0;
      if (isStale) this.end(order, 'canceled');
    }
  }
}

function canonicalOf(spec: OrderSpec, market: number): CanonicalOrder {
  return {
    market,
    side: spec.side,
    price: spec.priceTicks,
    lots: BigInt(spec.sizeLots),
    tif: spec.timeInForce,
    reduceOnly: spec.reduceOnly,
  };
}
