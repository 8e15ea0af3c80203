/**
 * @module
 * The orders that an execution component has out in one market, and what they may still become: each from its intent to
 * its proven end. What a child may still fill is its **claim**; nothing else may be placed for it. A child that ended with
 * more executed than fills have come keeps the rest as its claim until they come: an end and its fills arrive in any order.
 * What this does not do: decide what to place, or survive a restart (nothing of a previous run is out when one begins).
 */
import {
  type Denial,
  type Fill,
  floorToLot,
  type IntentId,
  lots,
  type MarketSymbol,
  notionalOf,
  type OrderId,
  type Side,
  type Ticks,
  type TimeInForce,
} from '../../../domain/index.ts';
import type { MarketView, StrategyContext } from '../context.ts';
import type { OrderUpdate } from '../handlers.ts';
import { type OrderDraft, order } from '../intents.ts';

/** One order to be placed. */
export interface ChildRequest {
  readonly side: Side;
  readonly priceTicks: Ticks;
  /** Size, lots. */
  readonly sizeLots: number;
  readonly timeInForce: TimeInForce;
  /** True: the order may only make a position smaller. Default false. */
  readonly reduceOnly?: boolean;
}

/** One order that is out. */
export interface Child extends ChildRequest {
  readonly intentId: IntentId;
  /** The exchange's number of the order; `undefined`: not known yet. */
  orderId: OrderId | undefined;
  /** Lots filled so far. */
  filledLots: number;
  /** Filled by the exchange's word, once it has ended. */
  executedLots: number | undefined;
  /** True once its cancel was asked for. */
  isCancelAsked: boolean;
}

/** Ended orders that are remembered for late fills, and orders of others of the same strategy. */
const ORDERS_MAX = 10_000;

/** See the module. */
export class Children {
  readonly #context: StrategyContext;
  readonly #symbol: MarketSymbol;
  readonly #byIntent = new Map<IntentId, Child>();
  readonly #byOrder = new Map<OrderId, Child>();
  /** Orders of this run that another component of the same strategy placed. */
  readonly #others = new Set<OrderId>();
  #count = 0;

  constructor(context: StrategyContext, symbol: MarketSymbol) {
    this.#context = context;
    this.#symbol = symbol;
  }

  /** How many were placed. */
  get count(): number {
    return this.#count;
  }

  /** Those that have not ended. */
  live(): readonly Child[] {
    return Array.from(this.#byIntent.values()).filter((child) => child.executedLots === undefined);
  }

  /** What all children of a side may still fill, lots. */
  claimLots(side: Side): number {
    let sum = 0;
    for (const child of this.#byIntent.values()) if (child.side === side) sum += claimOf(child);
    return sum;
  }

  /** Asks for an order. */
  place(request: ChildRequest): void {
    const { side, priceTicks, sizeLots, timeInForce, reduceOnly = false } = request;
    const input = { symbol: this.#symbol, side, priceTicks, sizeLots: lots(sizeLots) };
    const draft: OrderDraft = { ...input, timeInForce, reduceOnly };
    const intentId = this.#context.place(reduceOnly ? order.reduceOnly(draft) : draft);
    this.#count++;
    this.#byIntent.set(intentId, {
      ...request,
      intentId,
      orderId: undefined,
      filledLots: 0,
      executedLots: undefined,
      isCancelAsked: false,
    });
  }

  /** Asks for the cancel of every child that is not to be kept, each once. One that is no order yet is canceled when it is. */
  cancel(isKept: (child: Child) => boolean = () => false): void {
    for (const child of this.live()) {
      // A fill comes before the end of its order: one of which nothing is left needs no cancel.
      const isFilled = child.filledLots >= child.sizeLots;
      if (isFilled || isKept(child) || child.isCancelAsked || child.orderId === undefined) continue;
      child.isCancelAsked = true;
      this.#context.cancel({ symbol: this.#symbol, orderId: child.orderId });
    }
  }

  /** Takes in the outcome of an order of the strategy. True: of a child. */
  onOrder(update: OrderUpdate): boolean {
    const { intentId, orderId, status } = update;
    const child = intentId === undefined ? undefined : this.#byIntent.get(intentId);
    if (child === undefined) {
      if (orderId === undefined) return false;
      const own = this.#byOrder.get(orderId);
      if (own === undefined) forgetOldest(this.#others.add(orderId));
      return own !== undefined;
    }
    if (orderId !== undefined) {
      child.orderId = orderId;
      forgetOldest(this.#byOrder.set(orderId, child));
    }
    switch (status) {
      case 'working':
      case 'unresolved':
        break;
      case 'cancelRejected':
        child.isCancelAsked = false;
        break;
      case 'filled':
        this.#end(child, update.order?.sizeLots ?? child.sizeLots);
        break;
      case 'canceled':
      case 'expired':
      case 'rejected':
      case 'notExecuted':
      case 'voided': {
        const executedLots =
          update.order === undefined ? 0 : update.order.sizeLots - update.order.remainingLots;
        this.#end(child, Math.max(child.filledLots, executedLots));
        break;
      }
    }
    return true;
  }

  /** Takes in an intent that was stopped inside, and gives the child it was. */
  onDenied({ intentId }: Denial): Child | undefined {
    const child = this.#byIntent.get(intentId);
    if (child !== undefined) this.#end(child, 0);
    return child;
  }

  /** Takes in a fill of the strategy: of a `child`, of `another` order of this run, or of an `earlier` run. */
  onFill(fill: Fill): 'child' | 'another' | 'earlier' {
    if (fill.symbol !== this.#symbol) return 'another';
    const child = this.#byOrder.get(fill.orderId);
    if (child === undefined) return this.#others.has(fill.orderId) ? 'another' : 'earlier';
    child.filledLots += fill.sizeLots;
    if (child.executedLots !== undefined) this.#end(child, child.executedLots);
    return 'child';
  }

  #end(child: Child, executedLots: number): void {
    child.executedLots = executedLots;
    // One without pending lots is forgotten as an intent; a late fill of its order still finds it.
    if (claimOf(child) === 0) this.#byIntent.delete(child.intentId);
  }
}

/** The greatest size up to `wantedLots` that the market takes at a price; 0: none. */
export function placeableOf(view: MarketView, priceTicks: Ticks, wantedLots: number): number {
  const sizeLots = floorToLot(view.market, wantedLots);
  return sizeLots > 0 && notionalOf(view.market, priceTicks, lots(sizeLots)) >= view.minNotional
    ? sizeLots
    : 0;
}

/** What a child may still fill. */
function claimOf({ sizeLots, filledLots, executedLots }: Child): number {
  return Math.max(0, (executedLots ?? sizeLots) - filledLots);
}

/** Keeps a memory bounded: the first that was put in goes first. */
function forgetOldest(memory: Map<OrderId, Child> | Set<OrderId>): void {
  if (memory.size <= ORDERS_MAX) return;
  for (const oldest of memory.keys()) {
    memory.delete(oldest);
    return;
  }
}
