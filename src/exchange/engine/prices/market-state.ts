/** @module What changes of a market: its book, its prices, its funding. The rules that change it are elsewhere. */
import { product, type UnixMs, unixMs } from '../../../core/index.ts';
import { isTradable, type Market } from '../../../domain/index.ts';
import { OrderBook } from '../matching/order-book.ts';
import type { MarketDex, MarketFees, MarketRules, VenueMarket, VenueMarketView } from '../types.ts';

/** One market of the venue. */
export class MarketState {
  readonly number: number;
  /** Its index among the markets, from 0. */
  readonly ordinal: number;
  readonly book = new OrderBook();
  /** The market with its present status. */
  market: Market;
  isTradable: boolean;
  /** The value of a tick times a lot, as a number: for products that are checked to be safe. */
  readonly perTickLot: number;
  /** Its positions were settled for good. */
  isSettled = false;
  indexTicks: number;
  markTicks: number;
  /** 0: no trade yet. */
  lastTicks = 0;
  openInterestLots = 0;
  /** Smoothed distance of the mid from the index, in thousandths of a tick. */
  basisMilliTicks = 0;
  /** When the index price was last set; `undefined`: never. */
  indexAtMs: UnixMs | undefined;
  /** Sum and number of premium samples of the running interval, in 10^-12. */
  premiumSumE12 = 0n;
  premiumSamples = 0;
  /** Rate of the running interval as it looks now: what a settlement would charge. */
  fundingRatePpm = 0;
  /** What is left of the rates that were settled so far, below one part per million, in 10^-12. */
  fundingRestE12 = 0n;
  /** What a long of one lot has paid since the beginning, in 10^-12 quantums. */
  fundingIndexE12 = 0n;
  nextFundingAtMs: UnixMs = unixMs(0);

  /** Its own rates; `undefined`: those of the account's tier. */
  readonly fees: MarketFees | undefined;
  readonly dex: MarketDex | undefined;

  constructor(told: VenueMarket, ordinal: number) {
    this.fees = told.fees;
    this.dex = told.dex;
    this.number = told.market.signingMarketId;
    this.ordinal = ordinal;
    this.market = told.market;
    this.isTradable = isTradable(told.market);
    this.perTickLot = Number(told.market.quantumsPerTickLot);
    this.indexTicks = told.indexTicks;
    this.markTicks = told.indexTicks;
  }

  setStatus(status: string): void {
    this.market = { ...this.market, status };
    this.isTradable = isTradable(this.market);
    this.isSettled = false;
  }

  setRules(rules: MarketRules): void {
    this.market = { ...this.market, ...rules };
  }

  /** True if the notional of an order is below the market's minimum. Exact. */
  isBelowMinimum(priceTicks: number, lots: number): boolean {
    const { minNotional, quantumsPerTickLot } = this.market;
    if (minNotional <= 0n) return false;
    const fast = priceTicks * lots * this.perTickLot;
    if (fast <= Number.MAX_SAFE_INTEGER) return fast < minNotional;
    return product(priceTicks, lots) * quantumsPerTickLot < minNotional;
  }

  view(): VenueMarketView {
    return {
      market: this.market,
      indexTicks: this.indexTicks,
      markTicks: this.markTicks,
      lastTicks: this.lastTicks,
      openInterestLots: this.openInterestLots,
      fundingRatePpm: this.fundingRatePpm,
      nextFundingAtMs: this.nextFundingAtMs,
    };
  }
}
