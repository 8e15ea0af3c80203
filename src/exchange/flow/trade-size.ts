/**
 * @module Sizes of background orders from amounts of money, as the market accepts them, and fractions of prices. What
 * this does not do: round prices (see domain).
 */
import type { Market } from '../../domain/index.ts';

/**
 * The size in lots worth about `notional` quantums at `priceTicks`: an integer of lot steps, and at least the smallest
 * that meets the market's minimum notional.
 */
export function lotsWorth(market: Market, priceTicks: number, notional: number): number {
  const perLot = priceTicks * Number(market.quantumsPerTickLot);
  const wanted = Math.max(notional, Number(market.minNotional), perLot * market.lotStep);
  return Math.ceil(wanted / perLot / market.lotStep) * market.lotStep;
}

/** `partPpm` millionths of `value`, with fractions. */
export function partOf(value: number, partPpm: number): number {
  return (value * partPpm) / 1_000_000;
}
