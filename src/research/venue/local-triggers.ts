/**
 * @module
 * Own orders that wait for the index price, in no book and without margin. When one is due is the exchange's rule
 * (`trigger-orders` of the engine); here is whose they are, and how the bot hears of them.
 */
import { FewMap } from '../../core/index.ts';
import {
  type Lots,
  lots,
  type MarketSymbol,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  orderFromSpec,
  type Proof,
  type Trigger,
  type WorkingOrder,
} from '../../domain/index.ts';
import { isDue, type OrderState, type TriggerOrder, waitingLots } from '../../exchange/engine/index.ts';
import type { LocalAccount } from './local-account.ts';
import type { LocalMarket } from './local-market.ts';

const NONE: readonly WaitingOrder[] = [];

/** One of them. */
export class WaitingOrder {
  readonly spec: OrderSpec;
  readonly orderId: OrderId;
  readonly ref: OrderRef;
  readonly terms: TriggerOrder;
  /** What proves the write that placed it: legs of one write are a pair. */
  readonly placedBy: string;
  status: OrderState['status'] = 'open';

  constructor(spec: OrderSpec, terms: TriggerOrder, placedBy: string) {
    this.spec = spec;
    this.terms = terms;
    this.placedBy = placedBy;
    this.orderId = terms.orderSeq.toString() as OrderId;
    this.ref = { symbol: spec.symbol, orderId: this.orderId };
  }

  /** Of one that follows the position what that is now, and as it was asked for once there is none. */
  get remainingLots(): Lots {
    return lots(waitingLots(this.terms) || this.spec.sizeLots);
  }

  /** As it goes into the book. */
  get due(): OrderSpec {
    return { ...this.spec, sizeLots: this.remainingLots };
  }

  /** As the private stream shows it. */
  working(): WorkingOrder {
    return orderFromSpec(this.spec, this.orderId, this.remainingLots);
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
  add(
    market: LocalMarket,
    spec: OrderSpec & { readonly trigger: Trigger },
    { orderSeq, proof }: { readonly orderSeq: bigint; readonly proof: Proof },
  ): WaitingOrder {
    const { side, priceTicks: price, sizeLots, timeInForce: tif, reduceOnly, trigger } = spec;
    const account = this.#account;
    const order = { market: market.state.number, side, price, lots: BigInt(sizeLots), tif, reduceOnly };
    const { leg: kind, priceTicks: triggerTicks, isAbove } = trigger;
    const terms: TriggerOrder = {
      ...{ account: account.account, market: market.state, orderSeq, order },
      ...{ goodTilMs: spec.expiresAtMs, triggerTicks, isAbove },
      ...{ createdAtMs: account.atMs, seq: Number(account.seq) },
      ...(kind === undefined ? {} : { leg: { kind, twinSeq: undefined, parent: undefined } }),
    };
    const waiting = new WaitingOrder(spec, terms, proof.id);
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

  /** Takes away what was placed with a leg that fires. */
  takeTwin({ terms, placedBy }: WaitingOrder): WaitingOrder | undefined {
    if (terms.leg === undefined) return undefined;
    const twin = this.all().find((one) => one.placedBy === placedBy);
    return twin && this.take(twin.ref);
  }

  /** Those that follow a position that is closed. */
  closed(): readonly WaitingOrder[] {
    if (this.#waiting.size === 0) return NONE;
    return this.#waiting.values.filter(({ terms }) => terms.leg !== undefined && waitingLots(terms) === 0);
  }

  /** Those of a market that are due, oldest first. */
  due(symbol: MarketSymbol): readonly WaitingOrder[] {
    return this.all().filter(({ spec, terms }) => spec.symbol === symbol && isDue(terms));
  }
}
