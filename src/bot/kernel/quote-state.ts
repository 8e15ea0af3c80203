/**
 * @module
 * What one strategy wants in one market, and what became of what it asked for: from these the reason is derived for which
 * a side has no order (`gap-reasons.ts`).
 */
import { added } from '../../core/index.ts';
import {
  type AccountChange,
  type AccountView,
  type IntentId,
  isOver,
  type LaneId,
  type MarketRecord,
  type MarketSymbol,
  type OrderId,
  type OrderSpec,
  type Side,
  type StrategyId,
  type TimeInForce,
} from '../../domain/index.ts';
import type { IntentCode } from './intent-codes.ts';
import type { IntentIds } from './intent-ids.ts';
import type { WantedQuotes } from './intent-reader.ts';
import { type OrderTerms, specOf } from './order-spec.ts';
import type { QuoteReconciler } from './ports.ts';
import type { QuoteRenewal } from './quote-renewal.ts';
import type { StrategyHost } from './strategy-host.ts';

const NO_SPECS: readonly OrderSpec[] = [];

/** Who took quotes away, and why: the strategy, the run, or a target that could not be used, by its code. */
export interface Withdrawal {
  readonly by: 'strategy' | 'run' | IntentCode;
  /** In words. */
  readonly why: string;
}

/** What became of the last order of a side. */
export interface LastOrder {
  /** Why it was not sent; `undefined`: it was. */
  denial: { readonly code: string; readonly message: string } | undefined;
  /** How it ended; `undefined`: there was none, or it has not. */
  end:
    | { readonly status: string; readonly orderId: OrderId | undefined; readonly reason: string | undefined }
    | undefined;
}

/** The quoteStates whose quotes are to be sent, in the order in which they were stated first. Each knows whether it is here. */
export class DueQuotes {
  readonly quoteStates: QuoteState[] = [];

  join(quoteState: QuoteState): void {
    if (quoteState.isDue) return;
    quoteState.isDue = true;
    this.quoteStates.push(quoteState);
  }

  leave(quoteState: QuoteState): void {
    if (!quoteState.isDue) return;
    quoteState.isDue = false;
    const { quoteStates } = this;
    // A loop, for `splice` makes a list of what it takes out.
    for (let next = quoteStates.indexOf(quoteState) + 1; next < quoteStates.length; next++)
      quoteStates[next - 1] = quoteStates[next] as QuoteState;
    quoteStates.pop();
  }

  clear(): void {
    for (const quoteState of this.quoteStates) quoteState.isDue = false;
    this.quoteStates.length = 0;
  }
}

/** One strategy in one market. */
export class QuoteState {
  readonly host: StrategyHost;
  readonly symbol: MarketSymbol;
  readonly strategyId: StrategyId;
  /** The lane its writes go through. */
  readonly lane: LaneId;
  /** What is wanted; `undefined`: never asked. */
  wanted: WantedQuotes | undefined;
  /** Of quotes with an end; `undefined`: there was none. */
  renewal: QuoteRenewal | undefined;
  /** True if it is among those whose quotes are to be sent. */
  isDue = false;
  /** What is known of the market. */
  record: MarketRecord | undefined;
  /** Why nothing is wanted, where something was or could have been; `undefined`: nobody took anything away. */
  withdrawn: Withdrawal | undefined;
  /** How long the budget of writes holds the quotes back, ms; 0: it does not. */
  throttledForMs = 0;
  readonly lastBuy: LastOrder = { denial: undefined, end: undefined };
  readonly lastSell: LastOrder = { denial: undefined, end: undefined };
  /** Something has changed that {@link onChange} was told of and nobody has looked at yet. */
  isChanged = false;
  /** Told once of all changes until someone looks; `undefined`: nobody does. */
  onChange: (() => void) | undefined;

  constructor(host: StrategyHost, symbol: MarketSymbol) {
    this.host = host;
    this.symbol = symbol;
    this.strategyId = host.setup.id;
    this.lane = host.setup.lane;
  }

  /** Notes that orders, or what is asked for, have changed. */
  changed(): void {
    if (this.isChanged || this.onChange === undefined) return;
    this.isChanged = true;
    this.onChange();
  }

  /** Notes what became of an order. */
  follow({ status, orderId, order, spec, reason }: Extract<AccountChange, { type: 'OrderChanged' }>): void {
    const side = order?.side ?? spec?.side;
    if (side !== undefined && isOver(status)) this.#lastOf(side).end = { status, orderId, reason };
    this.changed();
  }

  /** Notes which orders of a review were sent, and why the others were not. */
  reviewed(
    orders: readonly OrderSpec[],
    denied: readonly { readonly intentId: IntentId; readonly code: string; readonly message: string }[],
  ): void {
    for (const { side, intentId } of orders)
      this.#lastOf(side).denial =
        denied.length === 0 ? undefined : denied.find((denial) => denial.intentId === intentId);
    this.changed();
  }

  /** Its quotes whose outcome is not known: they count as being there. `singles` are orders that are no quotes. */
  quotesInFlight(
    reservations: ReturnType<AccountView['reservations']>,
    singles: ReadonlySet<IntentId>,
  ): readonly OrderSpec[] {
    let inFlight = NO_SPECS;
    for (const { spec, stage } of reservations) {
      const isOurs = spec.strategyId === this.strategyId && spec.symbol === this.symbol && stage !== 'shadow';
      if (!isOurs || singles.has(spec.intentId)) continue;
      inFlight = added(inFlight, spec);
    }
    return inFlight;
  }

  /** The orders that `places` are, each with its own intent. */
  specsOf(
    places: ReturnType<QuoteReconciler>['places'],
    timeInForce: TimeInForce,
    ids: IntentIds,
    expiresAtMs: OrderTerms['expiresAtMs'] = 0,
  ): readonly OrderSpec[] {
    let orders = NO_SPECS;
    for (const level of places) {
      const names = { intentId: ids.next(), strategyId: this.strategyId };
      const { side } = level;
      const terms: OrderTerms = { symbol: this.symbol, side, timeInForce, reduceOnly: false, expiresAtMs };
      orders = added(orders, specOf(names, terms, level));
    }
    return orders;
  }

  #lastOf(side: Side): LastOrder {
    return side === 'buy' ? this.lastBuy : this.lastSell;
  }
}
