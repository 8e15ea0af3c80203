/**
 * @module
 * Margin (exchange.md#market-rules). Net collateral = cash + value of positions at mark + funding not yet paid. Initial
 * margin = notional at mark x the account's initial margin fraction; maintenance margin = notional x the market's
 * fraction x its maintenance fraction (a custom leverage raises the initial margin only). Both are rounded up per
 * market.
 *
 * Own choices for resting orders, which the sources do not describe:
 * - required margin of a market is the initial margin of its worst case: the larger of |position|, |position + resting
 *   buys| and |position - resting sells|, reduce-only orders left out;
 * - an order whose price is worse than the mark price when it comes to rest also reserves that difference (openLoss),
 *   fixed at that moment, given back as it trades or leaves;
 * - fees of orders that rest are not reserved.
 * Withdrawable is what net collateral leaves above all of this.
 */

import { ceilDivide, product } from '../../core/index.ts';
import type { AccountState, Holding } from './accounts/account.ts';
import { accruedFunding, valueAt } from './accounts/position.ts';
import { MILLION, millionthsUp } from './amounts.ts';
import type { VenueState } from './state.ts';

const PARTS = Number(MILLION);

/** Cash + value at mark + funding not yet paid. */
export function netCollateral(state: VenueState, account: AccountState): bigint {
  if (account.netCollateral === undefined || account.netCollateralVersion !== state.priceVersion) {
    let sum = account.collateral;
    for (const holding of account.holdings.values()) {
      if (holding.lots !== 0) sum += valueAt(holding, holding.market.markTicks) + accruedFunding(holding);
    }
    account.netCollateral = sum;
    account.netCollateralVersion = state.priceVersion;
  }
  return account.netCollateral;
}

/** Lots a market can reach: position and resting orders at their worst. */
export function exposureLots(position: number, buyLots: number, sellLots: number): number {
  return Math.max(position < 0 ? -position : position, position + buyLots, sellLots - position);
}

/** Initial margin of `lots` at mark. */
export function initialMarginOf(holding: Holding, lots: number): bigint {
  if (lots === 0) return 0n;
  const { market, markTicks, perTickLot } = holding.market;
  // Factors from 1 on whose product is safe were multiplied without a loss.
  const fast = millionthsUp(lots * markTicks * perTickLot * holding.initialMarginPpm);
  if (fast !== undefined) return fast;
  const notional = product(lots, markTicks) * market.quantumsPerTickLot;
  return ceilDivide(notional * BigInt(holding.initialMarginPpm), MILLION);
}

/** Required margin of an account, with `except` left out. */
export function requiredMargin(state: VenueState, account: AccountState, except?: Holding): bigint {
  let sum = account.openLoss;
  // Mostly there is one, and a holding is always among those of its account.
  if (except !== undefined && account.holdings.size === 1) return sum;
  for (const holding of account.holdings.values()) {
    if (holding !== except) sum += requiredOf(state, holding);
  }
  return sum;
}

function requiredOf(state: VenueState, holding: Holding): bigint {
  const lots = exposureLots(holding.lots, holding.buyLots, holding.sellLots);
  if (holding.requiredForLots !== lots || holding.requiredVersion !== state.priceVersion) {
    holding.requiredMargin = initialMarginOf(holding, lots);
    holding.requiredForLots = lots;
    holding.requiredVersion = state.priceVersion;
  }
  return holding.requiredMargin;
}

/** The margin values that are published of an account. */
export interface MarginFigures {
  /** Cash plus positions at mark, in quantums. */
  readonly netCollateral: bigint;
  /** Of positions only. */
  readonly initialMargin: bigint;
  /** What resting orders may need on top. */
  readonly orderMargin: bigint;
  /** Maintenance margin in quantums. */
  readonly maintenanceMargin: bigint;
  /** Never below 0. */
  readonly withdrawable: bigint;
}

/** All margin values of an account. */
export function marginFigures(state: VenueState, account: AccountState): MarginFigures {
  const nc = netCollateral(state, account);
  const required = requiredMargin(state, account);
  let initial = 0n;
  let maintenance = 0n;
  for (const holding of account.holdings.values()) {
    const position = Math.abs(holding.lots);
    initial += initialMarginOf(holding, position);
    maintenance += maintenanceMarginOf(holding, position);
  }
  return {
    netCollateral: nc,
    initialMargin: initial,
    orderMargin: required - initial,
    maintenanceMargin: maintenance,
    withdrawable: nc > required ? nc - required : 0n,
  };
}

/** Maintenance margin of `lots` at mark. */
export function maintenanceMarginOf(holding: Holding, lots: number): bigint {
  return maintenanceMarginAt(holding, lots, holding.market.markTicks);
}

/** The same at any price. */
export function maintenanceMarginAt(holding: Holding, lots: number, priceTicks: number): bigint {
  if (lots === 0) return 0n;
  const { market, perTickLot } = holding.market;
  const fastRate = market.initialMarginPpm * market.maintenanceFractionPpm;
  if (fastRate % PARTS === 0) {
    const fast = millionthsUp(lots * priceTicks * perTickLot * (fastRate / PARTS));
    if (fast !== undefined) return fast;
  }
  const notional = product(lots, priceTicks) * market.quantumsPerTickLot;
  const rate = BigInt(market.initialMarginPpm) * BigInt(market.maintenanceFractionPpm);
  return ceilDivide(notional * rate, MILLION * MILLION);
}
