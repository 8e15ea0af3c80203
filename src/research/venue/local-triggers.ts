/**
 * @module
 * Own orders that wait for the index price, in no book and without margin. When one is due is the exchange's rule
 * (`trigger-orders` of the engine); here is whose they are, and how the bot hears of them.
 */
import { FewMap } from '../../core/index.ts';
import {
  type MarketSymbol,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  orderFromSpec,
  type Trigger,
  type WorkingOrder,
} from '../../domain/index.ts';
import { isDue, type OrderState, type TriggerOrder } from '../../exchange/engine/index.ts';
import type { LocalAccount } from './local-account.ts';
import type { LocalMarket } from './local-market.ts';

/** One of them. */
export class WaitingOrder {
  readonly spec: OrderSpec;
  readonly orderId: OrderId;
  readonly ref: OrderRef;
  readonly terms: TriggerOrder;
  status: OrderState['status'] = 'open';

  constructor(spec: OrderSpec, terms: TriggerOrder) {
    this.spec = spec;
    this.terms = terms;
    this.orderId = terms.orderSeq.toString() as OrderId;
    this.ref = { symbol: spec.symbol, orderId: this.orderId };
  }

  get remainingLots(): number {
    return this.spec.sizeLots;
  }

  /** As the private stream shows it. */
  working(): WorkingOrder {
    return orderFromSpec(this.spec, this.orderId, this.spec.sizeLots);
  }
}

/** All of an account. */
export class LocalTriggers {
  readonly #account: LocalAccount;
  readonly #waiting = new FewMap<OrderId, WaitingOrder>();

  constructor(account: LocalAccount) {
    this.#account = account;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Puts an order aside until the index price reaches its trigger. */
  add(market: LocalMarket, spec: OrderSpec & { readonly trigger: Trigger }, orderSeq: bigint): WaitingOrder {
    const { side, priceTicks: price, sizeLots, timeInForce: tif, reduceOnly, trigger } = spec;
    const account = this.#account;
    const order = { market: market.state.number, side, price, lots: BigInt(sizeLots), tif, reduceOnly };
    const waiting = new WaitingOrder(spec, {
      ...{ account: account.account, market: market.state, orderSeq, order },
      ...{ goodTilMs: spec.expiresAtMs, triggerTicks: trigger.priceTicks, isAbove: trigger.isAbove },
      ...{ createdAtMs: account.atMs, seq: Number(account.seq) },
    });
    this.#waiting.add(waiting.orderId, waiting);
    return waiting;
  }

  /** Takes one away; `undefined`: none of that number waits in that market. */
  take({ symbol, orderId }: OrderRef): WaitingOrder | undefined {
    return this.#waiting.get(orderId)?.spec.symbol === symbol ? this.#waiting.delete(orderId) : undefined;
  }

  /** All of them, oldest first. */
  all(): readonly WaitingOrder[] {
    return [...this.#waiting.values];
  }

  /** Those of a market that are due, oldest first. */
  due(symbol: MarketSymbol): readonly WaitingOrder[] {
    return this.all().filter(({ spec, terms }) => spec.symbol === symbol && isDue(terms));
  }
}
