/**
 * @module
 * What the checks of a review look at: the view, plus everything this review has approved so far. An order is checked
 * with all earlier ones already counted, so that a whole round stays within the limits (I10). The same scene serves one
 * review after the other: what is worked out for several checks is written where the last review had it.
 */
import { times, type Whole, whole } from '../../core/index.ts';
import {
  type AccountSummary,
  type Exposure,
  type ExposureItem,
  ExposureSum,
  isOutsideBook,
  type MarketSymbol,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  openLotsOf,
  openOrdersOf,
  type Side,
  type StrategyId,
  type Ticks,
  valuationTicksOf,
} from '../../domain/index.ts';
import type { WholeLimits, WholeStrategyLimits } from './limits.ts';
import { MarketReview } from './market-review.ts';
import { OtherMarkets } from './other-markets.ts';
import { type MarginAmounts, type TotalAmounts, Totals } from './totals.ts';
import type { RiskView } from './view.ts';

/** Of more cancels than these a set is made. */
const LISTED_CANCELS_MAX = 8;
const NO_CANCELS: readonly OrderRef[] = [];
const NOWHERE = '' as MarketSymbol;

/** Why an order may not leave: a code and one sentence with values and units. */
export interface Refusal<Code extends string> {
  readonly code: Code;
  /** What was expected and found. */
  readonly message: string;
}

/** Everything a check may look at. */
export class ReviewContext {
  readonly limits: WholeLimits;
  view: RiskView;
  /** Orders approved in this review. */
  readonly approved: OrderSpec[] = [];
  /** True when the command is a single placement: only that can carry an expiry. */
  canCarryExpiry = false;
  /** The market of the order under review, with what is open there of its strategy. */
  here: MarketReview;
  readonly #markets = new Map<MarketSymbol, MarketReview>();
  #review = 0;
  #command = 0;
  #cancels = NO_CANCELS;
  #canceledIds: ReadonlySet<OrderId> | undefined;
  readonly #elsewhere = new OtherMarkets();
  #isElsewhereKnown = false;
  readonly #totals = new Totals();
  /** Of the order under review: its notional, and what would be with it. */
  #notional: Whole | undefined;
  readonly #exposureWith = new ExposureSum();
  readonly #partWith = new Totals();
  readonly #totalsWith = new Totals();
  #isWithKnown = false;
  /** Whose limits were asked for last. */
  #strategyId: StrategyId | undefined;
  #strategyLimits: WholeStrategyLimits;
  #summary: AccountSummary | undefined;
  #equity: Whole | undefined;
  readonly #valuationOf = (symbol: MarketSymbol): Ticks | undefined => {
    if (symbol === this.here.symbol) return this.here.valuationTicks;
    const record = this.view.markets.get(symbol);
    return record === undefined ? undefined : valuationTicksOf(record);
  };

  constructor(limits: WholeLimits, view: RiskView) {
    this.limits = limits;
    this.view = view;
    this.here = new MarketReview(NOWHERE, limits);
    this.#strategyLimits = limits.strategyDefaults;
  }

  /** The exchange's time. */
  get serverNowMs(): number {
    return this.view.serverNowMs ?? this.view.nowMs;
  }

  /** Equity as it was published last. */
  get equity(): Whole | undefined {
    const { summary } = this.view.account;
    if (summary !== this.#summary) {
      this.#summary = summary;
      this.#equity = summary === undefined ? undefined : whole(summary.equity);
    }
    return this.#equity;
  }

  /** True if the command under review cancels anything before it places. */
  get hasCancels(): boolean {
    return this.#cancels.length > 0;
  }

  /** Begins a review. */
  open(view: RiskView): void {
    this.view = view;
    this.#review++;
    // One by one: a list that is cut to nothing gives its room away, and the next order makes it new.
    while (this.approved.length > 0) this.approved.pop();
  }

  /** Sets the command that the next orders belong to. */
  begin(cancels: readonly OrderRef[], canCarryExpiry: boolean): void {
    this.#command++;
    this.#cancels = cancels;
    this.#canceledIds =
      cancels.length <= LISTED_CANCELS_MAX ? undefined : new Set(cancels.map((ref) => ref.orderId));
    this.canCarryExpiry = canCarryExpiry;
    this.#isElsewhereKnown = false;
  }

  /** Sets the order that the checks look at next. */
  look({ symbol, strategyId }: OrderSpec): void {
    const { here } = this;
    if (here.symbol !== symbol || here.all.strategyId !== strategyId) this.#isElsewhereKnown = false;
    this.here = this.#read(symbol, strategyId);
    this.#notional = undefined;
    this.#isWithKnown = false;
  }

  /** Counts the order under review from now on. */
  admit(spec: OrderSpec): void {
    this.#isWithKnown = false;
    this.approved.push(spec);
    if (this.here.market !== undefined) this.here.count(spec);
  }

  /** True if an order is canceled by the command under review before it places. */
  isCanceled(orderId: OrderId): boolean {
    if (this.#canceledIds !== undefined) return this.#canceledIds.has(orderId);
    const cancels = this.#cancels;
    for (let at = 0; at < cancels.length; at++) if (cancels[at]?.orderId === orderId) return true;
    return false;
  }

  /** The limits of a strategy. */
  strategyLimits(strategyId: StrategyId): WholeStrategyLimits {
    if (strategyId !== this.#strategyId) {
      this.#strategyId = strategyId;
      this.#strategyLimits = this.limits.strategies.get(strategyId) ?? this.limits.strategyDefaults;
    }
    return this.#strategyLimits;
  }

  /** What the order under review is worth at its own price, in quantums. */
  notionalOf({ priceTicks, sizeLots }: OrderSpec): Whole {
    this.#notional ??= times(times(priceTicks, sizeLots), this.here.perTickLot);
    return this.#notional;
  }

  /** The worst case of the account in the market, with the order under review in it. */
  exposureWith(spec: OrderSpec): Exposure {
    this.#readWith(spec);
    return this.#exposureWith;
  }

  /** Sums over all markets. */
  totals(): TotalAmounts {
    const { isEmpty, totals } = this.elsewhere();
    if (isEmpty) return this.here.part;
    this.#totals.setSum(totals, this.here.part);
    return this.#totals;
  }

  /** Sums over all markets as they would be with the order under review. */
  totalsWith(spec: OrderSpec): TotalAmounts {
    const { isEmpty, totals } = this.elsewhere();
    this.#readWith(spec);
    if (isEmpty) return this.#partWith;
    this.#totalsWith.setSum(totals, this.#partWith);
    return this.#totalsWith;
  }

  /** As {@link totalsWith}, with margins. */
  marginsWith(spec: OrderSpec): MarginAmounts {
    this.#readWith(spec);
    this.#partWith.setMargins(this.here.market);
    this.totalsWith(spec);
    return this.#elsewhere.isEmpty ? this.#partWith : this.#totalsWith;
  }

  /** Sums over all other markets. */
  elsewhere(): OtherMarkets {
    if (this.#isElsewhereKnown) return this.#elsewhere;
    this.#isElsewhereKnown = true;
    const { symbol: here, all } = this.here;
    const { seenSymbols } = this.view.account;
    this.#elsewhere.clear();
    const isAlone = seenSymbols.size === 1 && seenSymbols.has(here) && this.approved.length === 0;
    if (isAlone) return this.#elsewhere;
    for (const symbol of seenSymbols)
      if (symbol !== here) this.#elsewhere.add(this.#read(symbol, all.strategyId));
    if (this.approved.length === 0) return this.#elsewhere;
    for (const symbol of new Set(this.approved.map((spec) => spec.symbol)))
      if (symbol !== here && !seenSymbols.has(symbol))
        this.#elsewhere.add(this.#read(symbol, all.strategyId));
    return this.#elsewhere;
  }

  /** The market that makes the sums unknown: it has a position or orders, but no price. */
  unpricedSymbol(): MarketSymbol | undefined {
    let unpriced: MarketSymbol | undefined;
    for (const symbol of this.view.account.activeSymbols())
      if (this.#read(symbol, this.here.all.strategyId).part.isUnpriced) unpriced = symbol;
    return unpriced;
  }

  /** Profit or loss of the strategy of the order under review, at valuation prices. */
  profitOf({ strategyId }: OrderSpec): Whole {
    return this.view.account.pnlTotal(this.#valuationOf, strategyId);
  }

  /** An own order of the other side that `spec` would trade with: resting, on its way, or approved just now. */
  metBy(spec: OrderSpec): Pick<ExposureItem, 'side' | 'priceTicks'> | undefined {
    for (const order of this.here.working)
      if (isMet(order, spec) && !this.isCanceled(order.orderId)) return order;
    for (const { spec: other } of this.view.account.reservations()) if (isMet(other, spec)) return other;
    for (const other of this.approved) if (isMet(other, spec)) return other;
    return undefined;
  }

  /** Size of own orders at a price of the market that this command cancels first. */
  canceledLotsAt(side: Side, priceTicks: number): number {
    if (!this.hasCancels) return 0;
    let sum = 0;
    for (const order of this.here.working) {
      const isThere = order.side === side && order.priceTicks === priceTicks;
      if (isThere && this.isCanceled(order.orderId)) sum += order.remainingLots;
    }
    return sum;
  }

  /** A market as it is for this command, with what is open there of a strategy. */
  #read(symbol: MarketSymbol, strategyId: StrategyId | undefined): MarketReview {
    const { account, markets } = this.view;
    const market = this.here.symbol === symbol ? this.here : this.#marketOf(symbol);
    const isNew = market.review !== this.#review;
    if (isNew) {
      market.review = this.#review;
      market.readMarket(markets.get(symbol), account);
    }
    if (isNew || market.all.strategyId !== strategyId) {
      market.readOpen(account, strategyId);
      if (market.market !== undefined)
        for (const spec of this.approved) if (spec.symbol === symbol) market.count(spec);
    }
    if (market.command !== this.#command) this.#readCanceled(market);
    return market;
  }

  #marketOf(symbol: MarketSymbol): MarketReview {
    let market = this.#markets.get(symbol);
    if (market === undefined) {
      market = new MarketReview(symbol, this.limits);
      this.#markets.set(symbol, market);
    }
    return market;
  }

  #readCanceled(market: MarketReview): void {
    market.command = this.#command;
    const { canceled } = market;
    // Most commands cancel nothing: what is empty stays so.
    if (openOrdersOf(canceled.ofAccount) > 0) canceled.begin(market.all.strategyId);
    else canceled.strategyId = market.all.strategyId;
    if (!this.hasCancels || market.market === undefined) return;
    for (const order of market.working) {
      const { orderId, strategyId, side, priceTicks, remainingLots } = order;
      if (this.isCanceled(orderId))
        market.canceled.add(strategyId, side, priceTicks, openLotsOf(order, remainingLots));
    }
  }

  /** Works out what would be with the order under review. */
  #readWith(spec: OrderSpec): void {
    const { side, priceTicks, sizeLots } = spec;
    if (this.#isWithKnown) return;
    this.#isWithKnown = true;
    this.#exposureWith.begin(this.here.all.ofAccount);
    if (this.here.market !== undefined) this.#exposureWith.add(side, priceTicks, openLotsOf(spec, sizeLots));
    this.#partWith.setPart(this.here, this.#exposureWith);
  }
}

/** True if `spec` would trade with another order of the same account. */
function isMet(
  other: Pick<OrderSpec, 'symbol' | 'side' | 'priceTicks' | 'trigger' | 'twap'>,
  spec: OrderSpec,
): boolean {
  // What waits is in no book, and no order of then is known now.
  if (isOutsideBook(other) || isOutsideBook(spec)) return false;
  if (other.symbol !== spec.symbol || other.side === spec.side) return false;
  return spec.side === 'buy' ? spec.priceTicks >= other.priceTicks : spec.priceTicks <= other.priceTicks;
}
