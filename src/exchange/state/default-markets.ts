/**
 * @module The default markets of an exchange: two perpetuals with the margins of the real one (20x, a maintenance of 60
 * % of it; exchange.md#resources).
 */
import { lots, type Market, type MarketSymbol, ppm, quantums, ticks } from '../../domain/index.ts';
import type { VenueMarket } from '../engine/index.ts';

/** Decimals of the collateral token, USDC. */
export const COLLATERAL_DECIMALS = 6;

/** What differs between two perpetuals. */
export interface PerpetualSpec {
  /** Symbol of the market. */
  readonly symbol: string;
  /** Id of the market in signed commands. */
  readonly signingMarketId: number;
  /** Decimals of a price; one tick is 10^-priceDecimals. */
  readonly priceDecimals: number;
  /** Decimals of a size; one lot is 10^-sizeDecimals. */
  readonly sizeDecimals: number;
  /** Index price in ticks. */
  readonly indexTicks: number;
}

/** A perpetual with tick and lot of one unit, 20x leverage and a minimum notional of 10 USDC. */
export function perpetual(spec: PerpetualSpec): VenueMarket {
  const market: Market = {
    symbol: spec.symbol as MarketSymbol,
    signingMarketId: spec.signingMarketId,
    priceDecimals: spec.priceDecimals,
    sizeDecimals: spec.sizeDecimals,
    tickStep: ticks(1),
    lotStep: lots(1),
    status: 'Active',
    quantumsPerTickLot: 10n ** BigInt(COLLATERAL_DECIMALS - spec.priceDecimals - spec.sizeDecimals),
    initialMarginPpm: ppm(50_000),
    maintenanceFractionPpm: ppm(600_000),
    minNotional: quantums(10_000_000n),
  };
  return { market, indexTicks: ticks(spec.indexTicks) };
}

/** BTC-USD at 0.1 and 0.0001, ETH-USD at 0.01 and 0.001. */
export function defaultMarkets(): readonly VenueMarket[] {
  return [
    perpetual({
      symbol: 'BTC-USD',
      signingMarketId: 0,
      priceDecimals: 1,
      sizeDecimals: 4,
      indexTicks: 1_000_000,
    }),
    perpetual({
      symbol: 'ETH-USD',
      signingMarketId: 1,
      priceDecimals: 2,
      sizeDecimals: 3,
      indexTicks: 400_000,
    }),
  ];
}
