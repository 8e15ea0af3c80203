/**
 * @module
 * Worst-case sums over all markets, kept up to date market by market: gross and netted notional, margins. Every
 * position is valued at its market's valuation price; a position without one makes the sums unknown.
 */
import {
  type Exposure,
  longestLots,
  type MarketRecord,
  type MarketSymbol,
  notionalOf,
  shortestLots,
  valuationTicksOf,
  worstLots,
} from '../domain/index.ts';

/** Sums in quantums. */
export interface TotalAmounts {
  /** Largest positions of either sign, added up. */
  readonly gross: bigint;
  /** Highest and lowest netted position. */
  readonly netLong: bigint;
  readonly netShort: bigint;
  readonly initialMargin: bigint;
  readonly maintenanceMargin: bigint;
  /** Notional of all open orders, and how many there are. */
  readonly openNotional: bigint;
  readonly openOrders: number;
  /** A market with a position or orders but without a price. */
  readonly unpriced: MarketSymbol | undefined;
}

const NOTHING: TotalAmounts = {
  gross: 0n,
  netLong: 0n,
  netShort: 0n,
  initialMargin: 0n,
  maintenanceMargin: 0n,
  openNotional: 0n,
  openOrders: 0,
  unpriced: undefined,
};

/** The part of one market. */
export function totalsOf(record: MarketRecord | undefined, exposure: Exposure): TotalAmounts {
  const openOrders = exposure.buyOrders + exposure.sellOrders;
  const openNotional = exposure.buyNotional + exposure.sellNotional;
  const worst = worstLots(exposure);
  if (worst === 0 && openOrders === 0) return NOTHING;
  const price = record === undefined ? undefined : valuationTicksOf(record);
  const market = record?.market;
  if (record === undefined || market === undefined || price === undefined)
    return { ...NOTHING, openNotional, openOrders, unpriced: record?.symbol };
  const netLong: bigint = notionalOf(market, price, longestLots(exposure));
  const netShort: bigint = notionalOf(market, price, shortestLots(exposure));
  const gross = largest(netLong, netShort);
  const initialMargin = (gross * BigInt(market.initialMarginPpm)) / 1_000_000n;
  return {
    gross,
    netLong,
    netShort,
    initialMargin,
    maintenanceMargin: (initialMargin * BigInt(market.maintenanceFractionPpm)) / 1_000_000n,
    openNotional,
    openOrders,
    unpriced: undefined,
  };
}

function largest(a: bigint, b: bigint): bigint {
  const [left, right] = [a < 0n ? -a : a, b < 0n ? -b : b];
  return left > right ? left : right;
}

/** `sum` with `add` in it, and with `remove`, which was in it, out of it. */
export function shift(sum: TotalAmounts, add: TotalAmounts, remove: TotalAmounts = NOTHING): TotalAmounts {
  return {
    gross: sum.gross + add.gross - remove.gross,
    netLong: sum.netLong + add.netLong - remove.netLong,
    netShort: sum.netShort + add.netShort - remove.netShort,
    initialMargin: sum.initialMargin + add.initialMargin - remove.initialMargin,
    maintenanceMargin: sum.maintenanceMargin + add.maintenanceMargin - remove.maintenanceMargin,
    openNotional: sum.openNotional + add.openNotional - remove.openNotional,
    openOrders: sum.openOrders + add.openOrders - remove.openOrders,
    unpriced: add.unpriced ?? sum.unpriced,
  };
}

/** Sums over all parts. */
export function sumOf(parts: Iterable<TotalAmounts>): TotalAmounts {
  let sum: TotalAmounts | undefined;
  for (const part of parts) sum = sum === undefined ? part : shift(sum, part);
  return sum ?? NOTHING;
}
