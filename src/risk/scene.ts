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

/** Why an order may not leave: a code and one sentence with values and units. */
export interface Refusal<Code extends string> {
  readonly code: Code;
  readonly message: string;
}

/** The order under review, with what would be if it were approved. */
interface Judged {
  readonly spec: OrderSpec;
  readonly exposure: Exposure;
  totals: TotalAmounts | undefined;
}

/** Exposures by owner and market. */
class ExposureCache {
  readonly #ofAccount = new Map<MarketSymbol, Exposure>();
  readonly #ofStrategies = new Map<StrategyId, Map<MarketSymbol, Exposure>>();

  of(symbol: MarketSymbol, strategyId: StrategyId | undefined, make: () => Exposure): Exposure {
    let bySymbol = this.#ofAccount;
    if (strategyId !== undefined) {
      const known = this.#ofStrategies.get(strategyId);
      bySymbol = known ?? new Map<MarketSymbol, Exposure>();
      if (known === undefined) this.#ofStrategies.set(strategyId, bySymbol);
    }
    let exposure = bySymbol.get(symbol);
    if (exposure === undefined) {
      exposure = make();
      bySymbol.set(symbol, exposure);
    }
    return exposure;
  }

  clear(): void {
    this.#ofAccount.clear();
    this.#ofStrategies.clear();
  }
}

/** Everything a check may look at. */
export class Scene {
  readonly limits: RiskLimits;
  readonly view: RiskView;
  /** Orders approved in this review. */
  readonly approved: OrderSpec[] = [];
  /** Orders that the command under review cancels before it places. */
  canceled: ReadonlySet<OrderId> = new Set();
  /** True when the command is a single placement: only that can carry an expiry. */
  canCarryExpiry = false;
  /** Exposures are asked for by many checks of one order: kept until something is admitted or canceled. */
  readonly #exposures = new ExposureCache();
  readonly #resting = new ExposureCache();
  #judged: Judged | undefined;
  #parts: Map<MarketSymbol, TotalAmounts> | undefined;
  #sum: TotalAmounts | undefined;
  readonly #pnls = new Map<StrategyId, Pnl>();

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
    this.canceled = new Set(cancels.map((ref) => ref.orderId));
    this.canCarryExpiry = canCarryExpiry;
    this.#resting.clear();
  }

  /** Counts `spec` from now on. */
  admit(spec: OrderSpec): void {
    const exposure = this.exposureWith(spec);
    this.#sum = this.totalsWith(spec);
    this.#parts?.set(spec.symbol, totalsOf(this.record(spec.symbol), exposure));
    this.approved.push(spec);
    this.#exposures.clear();
    this.#resting.clear();
    this.#judged = undefined;
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
    return this.#exposures.of(symbol, strategyId, () => {
      const market = this.market(symbol);
      if (market === undefined) return NO_EXPOSURE;
      let exposure = this.view.account.exposure(symbol, strategyId);
      for (const spec of this.approved) {
        const isCounted =
          spec.symbol === symbol && (strategyId === undefined || spec.strategyId === strategyId);
        if (isCounted) exposure = withItem(exposure, spec, market);
      }
      return exposure;
    });
  }

  /** The worst case of the account in the market of `spec`, with `spec` in it. */
  exposureWith(spec: OrderSpec): Exposure {
    return this.#judge(spec).exposure;
  }

  /** As {@link exposure}, without the orders this command cancels first: filled or canceled, they rest no more. */
  restingExposure(symbol: MarketSymbol, strategyId?: StrategyId): Exposure {
    const exposure = this.exposure(symbol, strategyId);
    if (this.canceled.size === 0) return exposure;
    return this.#resting.of(symbol, strategyId, () => {
      const market = this.market(symbol);
      let out = exposure;
      for (const order of this.view.account.workingOrders(symbol, strategyId)) {
        if (market !== undefined && this.canceled.has(order.orderId))
          out = withoutItem(out, asItem(order), market);
      }
      return out;
    });
  }

  /** Sums over all markets. */
  totals(): TotalAmounts {
    this.#sum ??= sumOf(this.#allParts().values());
    return this.#sum;
  }

  /** Sums over all markets as they would be with `spec`. */
  totalsWith(spec: OrderSpec): TotalAmounts {
    const judged = this.#judge(spec);
    judged.totals ??= shift(
      this.totals(),
      totalsOf(this.record(spec.symbol), judged.exposure),
      this.#partOf(spec.symbol),
    );
    return judged.totals;
  }

  /** Profit and loss of a strategy at valuation prices; worked out once a review. */
  pnlOf(strategyId: StrategyId): Pnl {
    let pnl = this.#pnls.get(strategyId);
    if (pnl === undefined) {
      pnl = this.view.account.pnl((symbol) => {
        const record = this.record(symbol);
        return record === undefined ? undefined : valuationTicksOf(record);
      }, strategyId);
      this.#pnls.set(strategyId, pnl);
    }
    return pnl;
  }

  /** Own orders on the other side that `side` could trade with: resting, on their way, or approved just now. */
  *opposing(symbol: MarketSymbol, side: Side): Iterable<ExposureItem> {
    for (const order of this.view.account.workingOrders(symbol)) {
      if (order.side !== side && !this.canceled.has(order.orderId)) yield asItem(order);
    }
    for (const { spec } of this.view.account.reservations()) {
      if (spec.symbol === symbol && spec.side !== side) yield spec;
    }
    for (const spec of this.approved) {
      if (spec.symbol === symbol && spec.side !== side) yield spec;
    }
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
      totals: undefined,
    };
    return this.#judged;
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

function asItem(order: WorkingOrder): ExposureItem {
  return { side: order.side, priceTicks: order.priceTicks, sizeLots: order.remainingLots };
}
