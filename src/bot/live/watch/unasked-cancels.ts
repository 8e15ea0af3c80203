/**
 * @module
 * Orders that the exchange cancels on its own for what they are or where they rest, which is no sign that the switch has
 * fired; and orders that are gone without a word, which may be one. Only what the account shows is looked at: some gateways
 * give no reason. What this does not do: knowing whether the switch has fired as well.
 */
import {
  type Fact,
  type MarketSymbol,
  type OrderSpec,
  oppositeOf,
  type Seq,
  type Side,
  type WorkingOrder,
} from '../../../domain/index.ts';
import type { Bot } from '../../kernel/index.ts';

type Account = Pick<
  Bot['account'],
  'workingOrder' | 'workingOrders' | 'reservations' | 'isCancelPending' | 'activeSymbols' | 'seqOf'
>;

/** Where an order is in the book, or would be. */
type Placed = Pick<WorkingOrder, 'symbol' | 'side' | 'priceTicks'>;

/** Facts about one order, in the order of the log. */
export type OrderFact = Extract<Fact, { type: 'OrderOpened' | 'OrderEnded' }>;

/**
 * True if a snapshot lacks an order that worked at its position: its end was lost on the way, and with it whether the switch
 * has taken it. A cancel of ours that is on its way is no excuse: it finds nothing where the switch was first.
 */
export function isOneGone(
  { orders, seq }: Extract<Fact, { type: 'OrdersReplaced' }>,
  account: Account | undefined,
): boolean {
  const shown = new Set(orders.map(({ orderId }) => orderId));
  for (const symbol of account?.activeSymbols() ?? [])
    for (const { orderId } of account?.workingOrders(symbol) ?? []) {
      const knownSeq = account?.seqOf(orderId);
      // Of one that was placed after the snapshot, or nobody knows when, it says nothing.
      if (!shown.has(orderId) && knownSeq !== undefined && knownSeq <= seq) return true;
    }
  return false;
}

/** See the module. */
export class UnaskedCancels {
  #seq: Seq | undefined;
  /** Own orders of which something was heard at that position, other than that they were canceled. */
  #there: WorkingOrder[] = [];
  /** The same, of orders that nobody knows: their markets; `undefined`: one that was not said. */
  #unknownIn = new Set<MarketSymbol | undefined>();

  /**
   * Takes a fact before the account does. Of an order that was canceled and that nothing but the switch, or a cancel of
   * ours, explains: how sure that is. Slices that are left may have been refused as well.
   */
  takes(fact: OrderFact, account: Account | undefined): 'certain' | 'possible' | undefined {
    if (fact.seq !== this.#seq) {
      this.#there = [];
      this.#unknownIn.clear();
    }
    this.#seq = fact.seq;
    if (fact.type === 'OrderOpened') {
      this.#there.push(fact.order);
      return undefined;
    }
    const { orderId } = fact.ref;
    const order = account?.workingOrder(orderId);
    const symbol = fact.ref.symbol ?? order?.symbol;
    if (fact.status !== 'canceled') {
      if (order === undefined) this.#unknownIn.add(symbol);
      else this.#there.push(order);
      return undefined;
    }
    // Not even its market is known, and so nothing of what explains its end: most are orders that took what they could.
    if (symbol === undefined) return undefined;
    if (account === undefined || !this.#isUnasked(account, order, symbol)) return 'certain';
    const isOurs = account.isCancelPending(orderId);
    return order !== undefined && !isOurs && this.#hasSlicesLeft(order) ? 'possible' : undefined;
  }

  /** True of an order whose last slice was not seen. */
  #hasSlicesLeft({ orderId, twap, reduceOnly }: WorkingOrder): boolean {
    if (twap === undefined || reduceOnly) return false;
    const newest = this.#there.findLast((one) => one.orderId === orderId)?.twap ?? twap;
    return newest.slicesDone < newest.slices;
  }

  /**
   * An order of which nothing is left, a slice, of a number that nobody knows, with what it could not take, and an order in the
   * way of an own one that has just taken.
   */
  #isUnasked(account: Account, order: WorkingOrder | undefined, symbol: MarketSymbol): boolean {
    if (order === undefined) return this.#isUnaskedInFlight(account, symbol);
    if (isLeft(order)) return true;
    // Slices have numbers that nobody knows.
    if (this.#there.some((one) => isMet(order, one)) || isWorked(account, symbol, oppositeOf(order.side)))
      return true;
    // What took may be an order whose answer is still on its way.
    const isTakenBy = this.#unknownIn.has(symbol) || this.#unknownIn.has(undefined);
    return isTakenBy && inFlight(account, symbol).some((spec) => isMet(order, spec));
  }

  /** An order of a number that nobody knows may be one whose answer is still on its way. */
  #isUnaskedInFlight(account: Account, symbol: MarketSymbol): boolean {
    if (isWorked(account, symbol)) return true;
    return inFlight(account, symbol).some(
      (spec) => isLeft(spec) || this.#there.some((one) => isMet(spec, one)),
    );
  }
}

/** Orders of a market that were asked for, and whose answers are still on their way. */
function inFlight(account: Account, symbol: MarketSymbol): readonly OrderSpec[] {
  return [...account.reservations()].map(({ spec }) => spec).filter((spec) => spec.symbol === symbol);
}

/** True if the exchange ends an order where nothing is left to take or to reduce, or its last slice is out. */
function isLeft(order: Pick<OrderSpec, 'reduceOnly' | 'twap' | 'trigger' | 'timeInForce'>): boolean {
  // With a trigger, it is sent by the exchange: no answer says what it could not take.
  const takesOnly = order.timeInForce === 'ioc' || order.timeInForce === 'fok';
  return order.reduceOnly || order.twap !== undefined || (order.trigger !== undefined && takesOnly);
}

/** True if an order of the market, and of this side where it is given, is worked over time, or was asked for. */
function isWorked(account: Account, symbol: MarketSymbol, side?: Side): boolean {
  const isOne = (order: Pick<OrderSpec, 'symbol' | 'side' | 'twap'>): boolean =>
    order.twap !== undefined && order.symbol === symbol && (side === undefined || order.side === side);
  return (
    account.workingOrders(symbol).some(isOne) || [...account.reservations()].some(({ spec }) => isOne(spec))
  );
}

/** True if an order that takes meets one that rests. */
function isMet(resting: Placed, taking: Placed): boolean {
  if (taking.symbol !== resting.symbol || taking.side === resting.side) return false;
  return taking.side === 'buy'
    ? taking.priceTicks >= resting.priceTicks
    : taking.priceTicks <= resting.priceTicks;
}
