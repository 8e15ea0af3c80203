/**
 * @module
 * What a trade and the passing of funding do to a position. Cost basis is the signed notional paid for what is still
 * held: value - cost basis is the unrealized profit (exchange.md#resources). Cash is not touched here.
 */
import { floorDivide, product } from '../../../core/index.ts';
import type { Holding } from './account.ts';

/** 10^-12 is the unit of funding indexes. */
const TRILLION = 1_000_000_000_000n;

/** Changes position, cost basis and open interest by a trade; `lots` and `notional` are signed alike, plus for a buy. */
export function applyTrade(holding: Holding, lots: number, notional: bigint): void {
  const before = holding.lots;
  const after = before + lots;
  if (before === 0 || before > 0 === lots > 0) holding.costBasis += notional;
  else if (after === 0 || after > 0 === before > 0) {
    // The closed part takes its share of the cost with it, the rounding stays with what is held.
    holding.costBasis = (holding.costBasis * BigInt(after)) / BigInt(before);
  } else holding.costBasis = (notional * BigInt(after)) / BigInt(lots);
  holding.lots = after;
  holding.market.openInterestLots += Math.max(after, 0) - Math.max(before, 0);
  holding.account.netCollateral = undefined;
}

/** Funding not yet paid, plus when the account will receive. Rounded down, so that the house never pays a fraction. */
export function accruedFunding(holding: Holding): bigint {
  if (holding.lots === 0) return 0n;
  const passed = holding.market.fundingIndexE12 - holding.fundingIndexE12;
  return passed === 0n ? 0n : floorDivide(-BigInt(holding.lots) * passed, TRILLION);
}

/** Value of the position at a price, signed. */
export function valueAt(holding: Holding, priceTicks: number): bigint {
  const { market, perTickLot } = holding.market;
  const { lots } = holding;
  if (lots === 0) return 0n;
  // Factors from 1 on whose product is safe were multiplied without a loss.
  const fast = lots * priceTicks * perTickLot;
  return Number.isSafeInteger(fast) ? BigInt(fast) : product(lots, priceTicks) * market.quantumsPerTickLot;
}

/** Lots of the position that an order of this side can close. */
export function closableLots(holding: Holding, side: 'buy' | 'sell'): number {
  return Math.max(0, side === 'buy' ? -holding.lots : holding.lots);
}
