/**
 * @module
 * An exchange as an execution component sees it through its handlers, with everything that may go wrong on the way: orders
 * denied, rejected, filled in parts, fills told before or after the end of their order, cancels that come too late, lives
 * that end in the middle and states that were saved too early. It knows the truth: what was executed.
 */

import type { OrderDraft, StrategyDefinition, TickLevel } from '../../src/bot/strategy/index.ts';
import { type Random, VirtualClock } from '../../src/core/index.ts';
import {
  type Denial,
  type Fill,
  type IntentId,
  lots,
  type OrderId,
  type OrderStatus,
  type StrategyId,
  ticks,
} from '../../src/domain/index.ts';
import { ScriptedMarket, ScriptedRun } from './scripted-context.ts';
import { aFill, START_MS } from './trading-builders.ts';

/** Chances of what may go wrong, from 0 to 1. */
export interface Trouble {
  readonly denied: number;
  readonly rejected: number;
  /** Of a fill to be told later than it happened. */
  readonly late: number;
  /** Of a life to end, each step. */
  readonly crash: number;
}

export const NO_TROUBLE: Trouble = { denied: 0, rejected: 0, late: 0, crash: 0 };

interface Order {
  readonly intentId: IntentId;
  readonly orderId: OrderId;
  readonly draft: OrderDraft & TickLevel;
  executedLots: number;
}

/** See the module. One strategy in one market, whose touch the test may move. */
export class ExecutionVenue {
  readonly market = new ScriptedMarket();
  readonly clock = new VirtualClock(START_MS);
  run: ScriptedRun;
  trouble: Trouble;
  /** Signed sum of all executions: the truth. */
  executedLots = 0;
  /** All that was bought. */
  boughtLots = 0;
  /** Sizes of all orders that reached the exchange. */
  readonly accepted: OrderDraft[] = [];
  lives = 1;
  readonly #definition: StrategyDefinition;
  readonly #random: Random;
  #orders: Order[] = [];
  /** Executed, and not told yet. */
  #untold: Fill[] = [];
  #saved: unknown;
  #placedSeen = 0;
  #canceledSeen = 0;
  #orderCount = 0;

  constructor(
    definition: StrategyDefinition,
    options: { readonly random: Random; readonly trouble: Trouble },
  ) {
    this.#definition = definition;
    this.#random = options.random;
    this.trouble = options.trouble;
    this.moveTo(1_000_000);
    this.run = this.#newRun();
    this.run.handlers.onStart?.();
  }

  /** Orders that stand at the exchange. */
  get resting(): number {
    return this.#orders.length;
  }

  /** Others stand 100 ticks to each side of `mid`. */
  moveTo(mid: number): void {
    this.market.bids = [[mid - 100, 1_000]];
    this.market.asks = [[mid + 100, 1_000]];
  }

  /** Lets `ms` pass, and everything happen that happens meanwhile. */
  step(ms = 250): void {
    this.#takeRequests();
    this.#execute();
    this.clock.advance(ms);
    this.run.tellBook(this.market);
    this.#takeRequests();
    if (this.#random.chance(0.5)) this.save();
    this.#tellLate();
    if (this.#random.chance(this.trouble.crash)) this.crash();
  }

  /** What the guard of a runtime does each half second. */
  save(): void {
    this.run.save();
  }

  /** The life ends; what rested is canceled, some of it after it was filled; another one begins with what was saved. */
  crash(): void {
    for (const order of this.#orders) if (this.#random.chance(0.5)) this.#executePart(order, true);
    this.#orders = [];
    // A life begins with an account that is synced: every fill is in its inventory.
    for (const fill of this.#untold) this.#book(fill);
    this.#untold = [];
    this.lives++;
    this.run = this.#newRun();
    if (this.#saved !== undefined && this.#saved !== null) this.run.handlers.onLoad?.(this.#saved);
    this.run.handlers.onStart?.();
  }

  /** Tells everything that was not told. */
  settle(): void {
    for (const fill of this.#untold.splice(0)) this.#tell(fill);
  }

  #newRun(): ScriptedRun {
    this.#placedSeen = 0;
    this.#canceledSeen = 0;
    const run = new ScriptedRun(this.#definition, {}, { markets: [this.market], clock: this.clock });
    // A disk that fails now and then; the timers of a life that has ended store nothing.
    run.store = (state) => {
      if (run !== this.run || this.#random.chance(0.2)) return false;
      this.#saved = JSON.parse(JSON.stringify(state));
      return true;
    };
    return run;
  }

  #takeRequests(): void {
    const { placed, canceled } = this.run;
    while (this.#placedSeen < placed.length) {
      const draft = placed[this.#placedSeen];
      this.#placedSeen++;
      if (draft !== undefined && 'priceTicks' in draft)
        this.#accept(draft, `intent-${this.#placedSeen}` as IntentId);
    }
    while (this.#canceledSeen < canceled.length) {
      const orderId = canceled[this.#canceledSeen++];
      const order = this.#orders.find((one) => one.orderId === orderId);
      if (order === undefined) continue;
      if (this.#random.chance(0.3)) this.#executePart(order, false);
      this.#finish(order, 'canceled');
    }
  }

  #accept(draft: OrderDraft & TickLevel, intentId: IntentId): void {
    const { symbol } = draft;
    if (this.#random.chance(this.trouble.denied)) {
      const denial: Denial = {
        ...{ intentId, symbol, strategyId: 'under-test' as StrategyId },
        ...{ code: 'RISK_TEST', message: 'denied by the test', remedy: '' },
      };
      this.run.handlers.onDenied?.(denial);
      return;
    }
    if (this.#random.chance(this.trouble.rejected)) {
      const spec = undefined;
      const of = { symbol, intentId, orderId: undefined, order: undefined, spec };
      this.run.handlers.onOrder?.({ ...of, status: 'rejected', reason: 'refused by the test' });
      return;
    }
    this.accepted.push(draft);
    const order = { intentId, orderId: `${++this.#orderCount}` as OrderId, draft, executedLots: 0 };
    this.#orders.push(order);
    this.#update(order, 'working');
    if (draft.timeInForce !== 'ioc') return;
    this.#executePart(order, this.#random.chance(0.5));
    this.#finish(order, order.executedLots === draft.sizeLots ? 'filled' : 'canceled');
  }

  /** Somebody trades with what rests. */
  #execute(): void {
    for (const order of [...this.#orders]) {
      if (!this.#random.chance(0.3)) continue;
      this.#executePart(order, this.#random.chance(0.3));
      if (order.executedLots === order.draft.sizeLots) this.#finish(order, 'filled');
    }
  }

  #executePart(order: Order, isWhole: boolean): void {
    const { side, priceTicks, sizeLots, symbol } = order.draft;
    const left = sizeLots - order.executedLots;
    if (left <= 0) return;
    const size = isWhole ? left : this.#random.integer(1, left);
    order.executedLots += size;
    this.executedLots += side === 'buy' ? size : -size;
    if (side === 'buy') this.boughtLots += size;
    const { orderId } = order;
    const fill = aFill({ orderId, symbol, side, priceTicks: ticks(priceTicks), sizeLots: lots(size) });
    if (this.#random.chance(this.trouble.late)) this.#untold.push(fill);
    else this.#tell(fill);
  }

  #finish(order: Order, status: OrderStatus): void {
    this.#orders = this.#orders.filter((one) => one !== order);
    this.#update(order, status);
  }

  #update(order: Order, status: OrderStatus): void {
    const { intentId, orderId, draft, executedLots } = order;
    const { symbol, side, priceTicks, sizeLots, timeInForce, reduceOnly } = draft;
    this.run.handlers.onOrder?.({
      ...{ symbol, intentId, orderId, status, spec: undefined, reason: undefined },
      order: {
        ...{ symbol, orderId, side, priceTicks, sizeLots, timeInForce, reduceOnly, intentId },
        remainingLots: lots(sizeLots - executedLots),
      },
    });
  }

  #tellLate(): void {
    for (const fill of [...this.#untold]) {
      if (!this.#random.chance(0.5)) continue;
      this.#untold = this.#untold.filter((one) => one !== fill);
      this.#tell(fill);
    }
  }

  #book({ side, sizeLots }: Fill): void {
    this.market.inventoryLots = lots(this.market.inventoryLots + (side === 'buy' ? sizeLots : -sizeLots));
  }

  #tell(fill: Fill): void {
    this.#book(fill);
    this.run.handlers.onFill?.(fill, this.market);
  }
}
