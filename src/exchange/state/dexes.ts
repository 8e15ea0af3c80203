/**
 * @module Builder dexes: markets deployed by others. Their fees belong to the venue; here is who owns them.
 */
import { assert, must } from '../../core/index.ts';
import type { Address, Ppm } from '../../domain/index.ts';
import type { VenueMarket } from '../engine/index.ts';

/** A builder dex of an exchange. */
export interface DexSettings {
  /** Unique id of the dex. */
  readonly id: string;
  /** Name of the dex. */
  readonly name: string;
  /** The wallet that receives the deployer's fee; it gets an account with the exchange. */
  readonly deployer: Address;
  /** Markets of the exchange that belong to it. */
  readonly symbols: readonly string[];
  /** Fraction of the protocol's taker rate that comes on top, in ppm of it (exchange.md#market-rules). */
  readonly feeScalePpm: Ppm;
  /** Rate of the deployer, in parts per million. */
  readonly deployerFeePpm: Ppm;
}

/** Wallets that deployed a dex, in the order in which they get the first accounts. */
export function deployersOf(dexes: readonly DexSettings[]): readonly Address[] {
  return [...new Set(dexes.map(({ deployer }) => deployer))];
}

/**
 * The markets with what their dex adds. The deployers' accounts are numbered from 1 in their order.
 * @throws AssertionError when a dex names a market that is not there or is another's.
 */
export function marketsOfDexes(
  markets: readonly VenueMarket[],
  dexes: readonly DexSettings[],
): readonly VenueMarket[] {
  if (dexes.length === 0) return markets;
  const deployers = deployersOf(dexes);
  const bySymbol = new Map<string, DexSettings>();
  for (const dex of dexes)
    for (const symbol of dex.symbols) {
      must(
        markets.find(({ market }) => market.symbol === symbol),
        `market ${symbol} of dex ${dex.id}`,
      );
      assert(!bySymbol.has(symbol), `market ${symbol} in one dex only`);
      bySymbol.set(symbol, dex);
    }
  return markets.map((told) => {
    const dex = bySymbol.get(told.market.symbol);
    if (dex === undefined) return told;
    const { feeScalePpm, deployerFeePpm, deployer } = dex;
    return { ...told, dex: { feeScalePpm, deployerFeePpm, deployer: deployers.indexOf(deployer) + 1 } };
  });
}
