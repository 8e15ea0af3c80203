/**
 * @module
 * Own orders outside the book: those that wait for the index price, and those that are worked over time. They are taken in by
 * the rules of the exchange, in its order, and leave by their number, with everything, or with the switch.
 */
import { lots, type MarketSymbol, type OrderRef, type OrderSpec, type Proof } from '../../domain/index.ts';
import { closableLots, type RejectReason, refuseTerms } from '../../exchange/engine/index.ts';
import type { LocalAccount } from './local-account.ts';
import type { LocalMarket } from './local-market.ts';
import { LocalTriggers, type WaitingOrder } from './local-triggers.ts';
import { type LocalTwap, LocalTwaps } from './local-twaps.ts';

/** All of an account. */
export class LocalWaiting {
  readonly #account: LocalAccount;
  readonly #triggers: LocalTriggers;
  readonly #twaps: LocalTwaps;

  constructor(account: LocalAccount) {
    this.#account = account;
    this.#triggers = new LocalTriggers(account);
    this.#twaps = new LocalTwaps(account);
  }

  get isEmpty(): boolean {
    return this.#triggers.size === 0 && this.#twaps.size === 0;
  }

  /** True if any order waits for its trigger. */
  get hasTriggers(): boolean {
    return this.#triggers.size > 0;
  }

  /** When the next slice of an order that is worked over time is due, Unix ms; infinity: none is. */
  get nextSliceAtMs(): number {
    return this.#twaps.size === 0 ? Number.POSITIVE_INFINITY : this.#twaps.nextSliceAtMs;
  }

  /** Takes an order in that waits; the reason when it is refused. The first slice of one goes out right after this entry. */
  place(
    market: LocalMarket,
    spec: OrderSpec,
    { orderSeq, proof }: { readonly orderSeq: bigint; readonly proof: Proof },
  ): RejectReason | undefined {
    const { priceTicks: price, sizeLots, reduceOnly, trigger, twap } = spec;
    if (twap !== undefined) {
      const refusal = this.#twaps.refuse(market, { ...spec, twap });
      if (refusal !== undefined) return refusal;
      this.#accepted(this.#twaps.add(market, { ...spec, twap }, orderSeq), proof);
    } else if (trigger !== undefined) {
      if (trigger.leg !== undefined && market.holding.lots === 0) return 'ReduceOnlyNoPosition';
      const size = trigger.leg === undefined ? sizeLots : closableLots(market.holding, spec.side);
      if (size === 0) return 'ReduceOnlyWrongSide';
      const malformed = refuseTerms(market.state, { price, lots: size, reduceOnly });
      if (malformed !== undefined) return malformed;
      if (trigger.priceTicks <= 0) return 'InvalidConditional';
      this.#accepted(this.#triggers.add(market, { ...spec, trigger }, { orderSeq, proof }), proof);
    }
    return undefined;
  }

  /** Takes away those whose trigger is reached, oldest first, and what each of them was a pair with. */
  takeDue(symbol: MarketSymbol): readonly WaitingOrder[] {
    const due = this.#triggers.due(symbol);
    for (const one of due) {
      this.#triggers.take(one.ref);
      const twin = this.#triggers.takeTwin(one);
      if (twin !== undefined) this.drop(twin);
    }
    return due;
  }

  /** True while any follows a position that is closed. */
  get hasClosed(): boolean {
    return this.#triggers.closed().length > 0;
  }

  /** What follows a position that is closed leaves. */
  endClosed(): void {
    for (const one of this.#triggers.closed()) {
      this.#triggers.take(one.ref);
      this.drop(one);
    }
  }

  /** True if the index price has reached the trigger of an order. */
  isDue(symbol: MarketSymbol): boolean {
    return this.#triggers.due(symbol).length > 0;
  }

  /** Sends out the slices that are due, see `LocalTwaps`. */
  slice(enter: Parameters<LocalTwaps['slice']>[0]): void {
    this.#twaps.slice(enter);
  }

  /** How facts name all of them: those that wait for a price first, then by age. */
  refs(): readonly OrderRef[] {
    return [...this.#triggers.all(), ...this.#twaps.all()].map(({ ref }) => ref);
  }

  /** Cancels one by its number; false: none of that number waits in that market. */
  cancel(ref: OrderRef, proof: Proof): boolean {
    const taken = this.#take(ref);
    if (taken === undefined) return false;
    const canceledLots = lots(taken.remainingLots);
    this.#account.answer({ type: 'CancelExecuted', ref: taken.ref, canceledLots, proof });
    this.#account.emitOrder(taken);
    return true;
  }

  /** Everything leaves. */
  endAll(): void {
    for (const ref of this.refs()) {
      const taken = this.#take(ref);
      if (taken !== undefined) this.#account.emitOrder(taken);
    }
  }

  /** One leaves without entering the book. */
  drop(waiting: WaitingOrder): void {
    waiting.status = 'canceled';
    this.#account.emitOrder(waiting);
  }

  #take(ref: OrderRef): WaitingOrder | LocalTwap | undefined {
    const waiting = this.#triggers.take(ref);
    if (waiting === undefined) return this.#twaps.take(ref);
    waiting.status = 'canceled';
    return waiting;
  }

  #accepted(waiting: WaitingOrder | LocalTwap, proof: Proof): void {
    const { spec, orderId } = waiting;
    const acceptedLots = lots(waiting.remainingLots);
    const accepted = { spec, orderId, acceptedLots, filledLots: lots(0), isResting: false };
    this.#account.answer({ type: 'OrderAccepted', ...accepted, proof });
    this.#account.emitOrder(waiting);
  }
}
