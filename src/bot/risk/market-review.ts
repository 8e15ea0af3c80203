/**
 * @module
 * One market in a review: its arithmetic and its prices, and the worst cases there of the account and of the strategy
 * whose order is checked. Each market has one, which every review reads again: nothing of it holds for longer.
 */
import { type Whole, whole } from '../../core/index.ts';
import {
  type AccountView,
  bestAskOf,
  bestBidOf,
  type Lots,
  type Market,
  type MarketRecord,
  type MarketSymbol,
  type OrderSpec,
  OwnedExposure,
  openLotsOf,
  type StrategyId,
  type Ticks,
  valuationTicksOf,
  type WorkingOrder,
} from '../../domain/index.ts';
import type { RiskLimits } from './limits.ts';
import { referenceTicksOf } from './reference.ts';
import { Totals } from './totals.ts';

const NO_ORDERS: readonly WorkingOrder[] = [];

/** See the module. */
export class MarketReview {
  readonly symbol: MarketSymbol;
  /** P1 and P2 for the market: whether orders may be placed in it, and of how many lots at most. */
  readonly isAllowed: boolean;
  readonly lotsMax: Lots | undefined;
  record: MarketRecord | undefined;
  /** Known to every check of an order that passed the first one. */
  market: Market | undefined;
  /** Quantums of collateral in one tick times one lot. */
  perTickLot: Whole = 0;
  /** The same as near as a number comes to it. */
  perTickLotNumber = 0;
  minNotional: Whole = 0;
  bidTicks: Ticks | undefined;
  askTicks: Ticks | undefined;
  midTicks: number | undefined;
  /** See {@link referenceTicksOf}. */
  referenceTicks: number | undefined;
  /** What a position is valued at. */
  valuationTicks: Ticks | undefined;
  /** The account's orders in the market, oldest first. */
  working = NO_ORDERS;
  /** Everything open, with what this review has approved: old orders count beside their replacements (O80). */
  readonly all = new OwnedExposure();
  /** Of it, what the command under review cancels first: filled or canceled, it rests no more. */
  readonly canceled = new OwnedExposure();
  readonly #part = new Totals();
  #isPartKnown = false;
  /** The review and the command that it was read for last. */
  review = 0;
  command = 0;

  constructor(symbol: MarketSymbol, limits: Pick<RiskLimits, 'allowedSymbols' | 'orderLotsMax'>) {
    this.symbol = symbol;
    this.isAllowed = limits.allowedSymbols.has(symbol);
    this.lotsMax = limits.orderLotsMax.get(symbol);
  }

  /** The share of the market in all sums. */
  get part(): Totals {
    if (!this.#isPartKnown) {
      this.#isPartKnown = true;
      this.#part.setPart(this, this.all.ofAccount);
    }
    return this.#part;
  }

  /** Counts an order that the review has approved. */
  count(spec: OrderSpec): void {
    const { strategyId, side, priceTicks, sizeLots } = spec;
    this.#isPartKnown = false;
    this.all.add(strategyId, side, priceTicks, openLotsOf(spec, sizeLots));
  }

  /** Reads what the exchange and the account say of the market. */
  readMarket(record: MarketRecord | undefined, account: AccountView): void {
    this.record = record;
    if (this.market !== record?.market) this.#define(record?.market);
    const bid = record === undefined ? undefined : bestBidOf(record);
    const ask = record === undefined ? undefined : bestAskOf(record);
    const mid = bid === undefined || ask === undefined ? undefined : (bid + ask) / 2;
    this.bidTicks = bid;
    this.askTicks = ask;
    this.midTicks = mid;
    this.referenceTicks = record === undefined ? undefined : referenceTicksOf(record, mid);
    this.valuationTicks = record === undefined ? undefined : valuationTicksOf(record, mid);
    this.working = account.workingOrders(this.symbol);
  }

  /** Reads what is open; a market without a definition has nothing open. */
  readOpen(account: AccountView, strategyId: StrategyId | undefined): void {
    this.command = 0;
    this.#isPartKnown = false;
    if (this.market === undefined) this.all.begin(strategyId);
    else account.readExposure(this.symbol, strategyId, this.all);
  }

  #define(market: Market | undefined): void {
    this.market = market;
    this.perTickLot = market === undefined ? 0 : whole(market.quantumsPerTickLot);
    this.perTickLotNumber = Number(this.perTickLot);
    this.minNotional = market === undefined ? 0 : whole(market.minNotional);
  }
}
