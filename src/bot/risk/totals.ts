/**
 * @module
 * Worst-case sums over all markets: gross and netted notional, margins, open orders. Every position is valued at its
 * market's valuation price; a position without one makes the sums unknown.
 */
import { largerOf, plus, shareDown, times, type Whole } from '../../core/index.ts';
import {
  type Exposure,
  longestLots,
  type Market,
  openOrdersOf,
  openTickLotsOf,
  shortestLots,
  type Ticks,
} from '../../domain/index.ts';

/** Sums in quantums, or the share of one market in them. */
export interface TotalAmounts {
  /** Largest positions of either sign, added up. */
  readonly gross: Whole;
  /** Highest and lowest netted position. */
  readonly netLong: Whole;
  readonly netShort: Whole;
  /** Notional of all open orders, and how many there are. */
  readonly openNotional: Whole;
  /** Number of open orders. */
  readonly openOrders: number;
  /** True if a market has a position or orders, but no price. */
  readonly isUnpriced: boolean;
}

/** The same with the margins of the largest positions. */
export interface MarginAmounts extends TotalAmounts {
  readonly initialMargin: Whole;
  readonly maintenanceMargin: Whole;
}

/** What the share of a market is computed from. */
export interface Pricing {
  /** The definition; `undefined`: not known. */
  readonly market: Market | undefined;
  /** Quantums of collateral in one tick times one lot. */
  readonly perTickLot: Whole;
  /** Price to value a position at, ticks; `undefined`: not known. */
  readonly valuationTicks: Ticks | undefined;
}

/** Amounts that are worked out in the same place again and again. */
export class Totals implements MarginAmounts {
  gross: Whole = 0;
  netLong: Whole = 0;
  netShort: Whole = 0;
  openNotional: Whole = 0;
  openOrders = 0;
  isUnpriced = false;
  initialMargin: Whole = 0;
  maintenanceMargin: Whole = 0;

  /** Becomes nothing. */
  clear(): void {
    this.gross = 0;
    this.netLong = 0;
    this.netShort = 0;
    this.openNotional = 0;
    this.openOrders = 0;
    this.isUnpriced = false;
    this.initialMargin = 0;
    this.maintenanceMargin = 0;
  }

  /** Becomes the share of one market, less its margins: see {@link setMargins}. */
  setPart({ market, perTickLot, valuationTicks }: Pricing, exposure: Exposure): void {
    const longest = longestLots(exposure);
    const shortest = shortestLots(exposure);
    this.openOrders = openOrdersOf(exposure);
    this.openNotional = times(openTickLotsOf(exposure), perTickLot);
    const isEmpty = longest === 0 && shortest === 0 && this.openOrders === 0;
    this.isUnpriced = !isEmpty && (market === undefined || valuationTicks === undefined);
    const perLot = times(valuationTicks ?? 0, perTickLot);
    this.netLong = times(longest, perLot);
    this.netShort = times(shortest, perLot);
    this.gross = largerOf(this.netLong, this.netShort);
  }

  /** Works the margins of one market out, from its gross notional. */
  setMargins(market: Market | undefined): void {
    this.initialMargin = shareDown(this.gross, market?.initialMarginPpm ?? 0);
    this.maintenanceMargin = shareDown(this.initialMargin, market?.maintenanceFractionPpm ?? 0);
  }

  /** Becomes the sum of two. */
  setSum(a: MarginAmounts, b: MarginAmounts): void {
    this.gross = plus(a.gross, b.gross);
    this.netLong = plus(a.netLong, b.netLong);
    this.netShort = plus(a.netShort, b.netShort);
    this.openNotional = plus(a.openNotional, b.openNotional);
    this.openOrders = a.openOrders + b.openOrders;
    this.isUnpriced = a.isUnpriced || b.isUnpriced;
    this.initialMargin = plus(a.initialMargin, b.initialMargin);
    this.maintenanceMargin = plus(a.maintenanceMargin, b.maintenanceMargin);
  }
}
