/**
 * @module
 * One review in progress: the view, plus everything this review has approved so far. An order is judged with all
 * earlier ones already counted, so that a whole round stays within the limits (I10).
 */
import {
  type Exposure,
  type ExposureItem,
  type Market,
  type MarketRecord,
  type MarketSymbol,
  NO_EXPOSURE,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  type Pnl,
  type Side,
  type StrategyId,
  valuationTicksOf,
  type WorkingOrder,
  withItem,
  withoutItem,
} from '../domain/index.ts';
import type { RiskLimits, StrategyLimits } from './limits.ts';
import { shift, sumOf, type TotalAmounts, totalsOf } from './totals.ts';
import type { RiskView } from './view.ts';

const NO_ORDERS: ReadonlySet<OrderId> = new Set();

/** Why an order may not leave: a code and one sentence with values and units. */
export interface Refusal<Code extends string> {
  readonly code: Code;
  readonly message: string;
}

/** The order under review, with what would be if it were approved. */
interface Judged {
  readonly spec: OrderSpec;
  readonly exposure: Exposure;
  /** The part of its market in all sums, and these. */
  part: TotalAmounts | undefined;
  totals: TotalAmounts | undefined;
}

/** Exposures of one owner in one market. */
interface KeptExposures {
  readonly symbol: MarketSymbol;
  readonly strategyId: StrategyId | undefined;
  all: Exposure | undefined;
  /** Without what this command cancels first. */
  resting: Exposure | undefined;
}

/** Everything a check may look at. */
export class Scene {
  readonly limits: RiskLimits;
  readonly view: RiskView;
  /** Orders approved in this review. */
  readonly approved: OrderSpec[] = [];
  /** Orders that the command under review cancels before it places. */
  canceled: ReadonlySet<OrderId> = NO_ORDERS;
  /** True when the command is a single placement: only that can carry an expiry. */
  canCarryExpiry = false;
  /**
   * What the checks of one order ask for again and again: of the account and of one strategy, in the market asked for
   * last. Kept until something is admitted or canceled.
   */
  #ofAccount: KeptExposures | undefined;
  #ofStrategy: KeptExposures | undefined;
  #judged: Judged | undefined;
  #parts: Map<MarketSymbol, TotalAmounts> | undefined;
  #sum: TotalAmounts | undefined;
  #pnl: { readonly strategyId: StrategyId; readonly pnl: Pnl } | undefined;

  constructor(limits: RiskLimits, view: RiskView) {
    this.limits = limits;
    this.view = view;
  }

  /** The exchange's time. */
  get serverNowMs(): number {
    return this.view.serverNowMs ?? this.view.nowMs;
  }

  /** Sets the command that the next orders belong to. */
  begin(cancels: readonly OrderRef[], canCarryExpiry: boolean): void {
    this.canceled = cancels.length === 0 ? NO_ORDERS : new Set(cancels.map((ref) => ref.orderId));
    this.canCarryExpiry = canCarryExpiry;
    this.#forget();
  }

  /** Counts `spec` from now on. */
  admit(spec: OrderSpec): void {
    this.#sum = this.totalsWith(spec);
    this.#parts?.set(spec.symbol, this.#partWith(spec));
    this.approved.push(spec);
    this.#forget();
  }

  /** Markets with anything in them, and `symbol`. */
  symbolsWith(symbol: MarketSymbol): Iterable<MarketSymbol> {
    const parts = this.#allParts();
    return parts.has(symbol) ? parts.keys() : [...parts.keys(), symbol];
  }

  /** What is known of a market. */
  record(symbol: MarketSymbol): MarketRecord | undefined {
    return this.view.markets.get(symbol);
  }

  /** The market of an order that passed the first check. */
  market(symbol: MarketSymbol): Market | undefined {
    return this.record(symbol)?.market;
  }

  /** The limits of a strategy. */
  strategyLimits(strategyId: StrategyId): StrategyLimits {
    return this.limits.strategies.get(strategyId) ?? this.limits.strategyDefaults;
  }

  /** Worst case of a market, of the account or of one strategy: old orders count beside their replacements (O80). */
  exposure(symbol: MarketSymbol, strategyId?: StrategyId): Exposure {
    const kept = this.#keptOf(symbol, strategyId);
    kept.all ??= this.#exposureNow(symbol, strategyId);
    return kept.all;
  }

  /** The worst case of the account in the market of `spec`, with `spec` in it. */
  exposureWith(spec: OrderSpec): Exposure {
    return this.#judge(spec).exposure;
  }

  /** As {@link exposure}, without the orders this command cancels first: filled or canceled, they rest no more. */
  restingExposure(symbol: MarketSymbol, strategyId?: StrategyId): Exposure {
    const exposure = this.exposure(symbol, strategyId);
    if (this.canceled.size === 0) return exposure;
    const kept = this.#keptOf(symbol, strategyId);
    kept.resting ??= this.#withoutCanceled(exposure, symbol, strategyId);
    return kept.resting;
  }

  /** Sums over all markets. */
  totals(): TotalAmounts {
    this.#sum ??= sumOf(this.#allParts().values());
    return this.#sum;
  }

  /** Sums over all markets as they would be with `spec`. */
  totalsWith(spec: OrderSpec): TotalAmounts {
    const judged = this.#judge(spec);
    judged.totals ??= shift(this.totals(), this.#partWith(spec), this.#partOf(spec.symbol));
    return judged.totals;
  }

  /** Profit and loss of a strategy at valuation prices; worked out once a review. */
  pnlOf(strategyId: StrategyId): Pnl {
    if (this.#pnl?.strategyId !== strategyId) {
      const pnl = this.view.account.pnl((symbol) => {
        const record = this.record(symbol);
        return record === undefined ? undefined : valuationTicksOf(record);
      }, strategyId);
      this.#pnl = { strategyId, pnl };
    }
    return this.#pnl.pnl;
  }

  /** An own order of the other side that `spec` would trade with: resting, on its way, or approved just now. */
  metBy(spec: OrderSpec): Pick<ExposureItem, 'side' | 'priceTicks'> | undefined {
    for (const order of this.view.account.workingOrders(spec.symbol))
      if (isMet(order, spec) && !this.canceled.has(order.orderId)) return order;
    for (const { spec: other } of this.view.account.reservations()) if (isMet(other, spec)) return other;
    for (const other of this.approved) if (isMet(other, spec)) return other;
    return undefined;
  }

  /** Size of own orders at a price that this command cancels first. */
  canceledLotsAt(symbol: MarketSymbol, side: Side, priceTicks: number): number {
    if (this.canceled.size === 0) return 0;
    let sum = 0;
    for (const order of this.view.account.workingOrders(symbol)) {
      const isThere = order.side === side && order.priceTicks === priceTicks;
      if (isThere && this.canceled.has(order.orderId)) sum += order.remainingLots;
    }
    return sum;
  }

  #judge(spec: OrderSpec): Judged {
    if (this.#judged?.spec === spec) return this.#judged;
    const market = this.market(spec.symbol);
    const exposure = this.exposure(spec.symbol);
    this.#judged = {
      spec,
      exposure: market === undefined ? exposure : withItem(exposure, spec, market),
      part: undefined,
      totals: undefined,
    };
    return this.#judged;
  }

  #keptOf(symbol: MarketSymbol, strategyId: StrategyId | undefined): KeptExposures {
    const known = strategyId === undefined ? this.#ofAccount : this.#ofStrategy;
    if (known?.symbol === symbol && known.strategyId === strategyId) return known;
    const made = { symbol, strategyId, all: undefined, resting: undefined };
    if (strategyId === undefined) this.#ofAccount = made;
    else this.#ofStrategy = made;
    return made;
  }

  #exposureNow(symbol: MarketSymbol, strategyId: StrategyId | undefined): Exposure {
    const market = this.market(symbol);
    if (market === undefined) return NO_EXPOSURE;
    let exposure = this.view.account.exposure(symbol, strategyId);
    for (const spec of this.approved) {
      const isCounted =
        spec.symbol === symbol && (strategyId === undefined || spec.strategyId === strategyId);
      if (isCounted) exposure = withItem(exposure, spec, market);
    }
    return exposure;
  }

  #withoutCanceled(exposure: Exposure, symbol: MarketSymbol, strategyId: StrategyId | undefined): Exposure {
    const market = this.market(symbol);
    let out = exposure;
    for (const order of this.view.account.workingOrders(symbol, strategyId)) {
      if (market !== undefined && this.canceled.has(order.orderId))
        out = withoutItem(out, asItem(order), market);
    }
    return out;
  }

  /** What was kept is of other orders. */
  #forget(): void {
    this.#ofAccount = undefined;
    this.#ofStrategy = undefined;
    this.#judged = undefined;
  }

  #partWith(spec: OrderSpec): TotalAmounts {
    const judged = this.#judge(spec);
    judged.part ??= totalsOf(this.record(spec.symbol), judged.exposure);
    return judged.part;
  }

  #partOf(symbol: MarketSymbol): TotalAmounts {
    const parts = this.#allParts();
    let part = parts.get(symbol);
    if (part === undefined) {
      part = totalsOf(this.record(symbol), this.exposure(symbol));
      parts.set(symbol, part);
    }
    return part;
  }

  #allParts(): Map<MarketSymbol, TotalAmounts> {
    if (this.#parts === undefined) {
      this.#parts = new Map();
      for (const symbol of this.view.account.activeSymbols())
        this.#parts.set(symbol, totalsOf(this.record(symbol), this.exposure(symbol)));
    }
    return this.#parts;
  }
}

/** Would `spec` trade with another order of the same account? */
function isMet(other: Pick<OrderSpec, 'symbol' | 'side' | 'priceTicks'>, spec: OrderSpec): boolean {
  if (other.symbol !== spec.symbol || other.side === spec.side) return false;
  return spec.side === 'buy' ? spec.priceTicks >= other.priceTicks : spec.priceTicks <= other.priceTicks;
}

function asItem(order: WorkingOrder): ExposureItem {
  return { side: order.side, priceTicks: order.priceTicks, sizeLots: order.remainingLots };
}
