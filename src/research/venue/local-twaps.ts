/**
 * @module
 * Own orders that are worked over time, in no book and without margin. Which slice is due, its size and its limit are the
 * exchange's rule (`twap-orders` of the engine); here is whose they are, and how the bot hears of them: fills of a slice
 * carry the number of the whole order.
 */
import { FewMap, unixMs } from '../../core/index.ts';
import {
  lots,
  type MarketSymbol,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  orderFromSpec,
  type TwapPlan,
  ticks,
  type WorkingOrder,
} from '../../domain/index.ts';
import { type RejectReason, sliceEnd, TwapOrder } from '../../exchange/engine/index.ts';
import type { LocalAccount } from './local-account.ts';
import type { LocalMarket } from './local-market.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** An order that is to be worked over time. */
export type TwapOrderSpec = OrderSpec & { readonly twap: TwapPlan };

/** One of them. */
export class LocalTwap {
  readonly spec: TwapOrderSpec;
  readonly orderId: OrderId;
  readonly ref: OrderRef;
  readonly order: TwapOrder;

  constructor(spec: TwapOrderSpec, order: TwapOrder) {
    this.spec = spec;
    this.order = order;
    this.orderId = order.terms.orderSeq.toString() as OrderId;
    this.ref = { symbol: spec.symbol, orderId: this.orderId };
  }

  get status(): TwapOrder['status'] {
    return this.order.status;
  }

  get remainingLots(): number {
    return this.order.terms.lots - this.order.filledLots;
  }

  /** As the private stream shows it. */
  working(): WorkingOrder {
    const { spec, order, orderId } = this;
    return {
      ...orderFromSpec(spec, orderId, spec.sizeLots),
      priceTicks: ticks(order.limitTicks()),
      remainingLots: lots(this.remainingLots),
      twap: { ...spec.twap, slicesDone: order.slicesDone, nextSliceAtMs: unixMs(order.nextSliceAtMs) },
    };
  }
}

/** All of an account. */
export class LocalTwaps {
  readonly #account: LocalAccount;
  readonly #live = new FewMap<OrderId, LocalTwap>();

  constructor(account: LocalAccount) {
    this.#account = account;
  }

  get size(): number {
    return this.#live.size;
  }

  /** When the next slice of any is due, Unix ms; infinity: none is. */
  get nextSliceAtMs(): number {
    let next = NEVER;
    for (const { order } of this.#live.values) next = Math.min(next, order.nextSliceAtMs);
    return next;
  }

  /** Why the exchange refuses one; `undefined`: it takes it. Order of the rules: as there. */
  refuse({ state }: LocalMarket, { sizeLots, twap }: TwapOrderSpec): RejectReason | undefined {
    if (!state.isTradable) return 'MarketNotTrading';
    const { lotStep } = state.market;
    if (sizeLots <= 0 || sizeLots % lotStep !== 0) return 'OrderNotAligned';
    if (!Number.isSafeInteger(sizeLots * state.indexTicks)) return 'OrderTooLarge';
    const { slices, intervalMs, priceTolerancePpm } = twap;
    const isPlan = slices > 0 && intervalMs > 0 && priceTolerancePpm < 1_000_000;
    return isPlan && sizeLots / lotStep >= slices ? undefined : 'InvalidTwap';
  }

  /** Takes one in; its first slice is due at once. */
  add(market: LocalMarket, spec: TwapOrderSpec, orderSeq: bigint): LocalTwap {
    const account = this.#account;
    const { side, sizeLots, reduceOnly, twap } = spec;
    const order = new TwapOrder(
      {
        ...{ account: account.account, market: market.state, orderSeq, side, lots: sizeLots, reduceOnly },
        ...{ ...twap, createdAtMs: account.atMs },
      },
      Number(account.seq),
    );
    const added = new LocalTwap(spec, order);
    this.#live.add(added.orderId, added);
    return added;
  }

  /** Takes one away at its owner's request; `undefined`: none of that number is in that market. */
  take({ symbol, orderId }: OrderRef): LocalTwap | undefined {
    if (this.#live.get(orderId)?.spec.symbol !== symbol) return undefined;
    const taken = this.#live.delete(orderId);
    if (taken?.status === 'open') taken.order.status = 'canceled';
    return taken;
  }

  /** All of them, oldest first. */
  all(): readonly LocalTwap[] {
    return [...this.#live.values];
  }

  /**
   * Sends out the slices that are due, at most one of each order. `enter` places a slice and gives what it has left, or why it
   * was refused; the state of the order is reported after what its slice traded.
   */
  slice(enter: (symbol: MarketSymbol, slice: OrderSpec, twap: LocalTwap) => number | RejectReason): void {
    const account = this.#account;
    for (const twap of this.all()) {
      const { order, spec } = twap;
      if (order.nextSliceAtMs > account.atMs) continue;
      const { lots: sizeLots, priceTicks } = order.next(account.atMs, Number(account.seq));
      const { twap: _plan, ...plain } = spec;
      const slice = { ...plain, priceTicks: ticks(priceTicks), sizeLots: lots(sizeLots) };
      const left = enter(spec.symbol, slice, twap);
      const refusal = typeof left === 'string' ? left : undefined;
      if (typeof left === 'number') order.traded(sizeLots - left);
      if (sliceEnd(order, refusal) !== undefined) this.take(twap.ref);
      account.emitOrder(twap);
    }
  }
}
