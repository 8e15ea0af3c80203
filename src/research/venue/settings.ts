/** @module The settings of the exchange's own state machine, as the local venue runs its arithmetic. */
import { assert } from '../../core/index.ts';
import { ppm, ticks } from '../../domain/index.ts';
import type { VenueSettings } from '../../exchange/engine/index.ts';
import type { LocalVenueOptions } from './types.ts';

const HOUR_MS = 3_600_000;
const NO_PRICE = ticks(1);

/** Markets are numbered by their index in the rows. No price is known yet: `AccountCharges` sets them. */
export function venueSettingsOf(options: LocalVenueOptions): VenueSettings {
  const { markets, fees, feeTiers, collateral, fundingIntervalMs = HOUR_MS } = options;
  assert(collateral >= 0n, `a collateral of at least 0, got ${collateral}`);
  const tiers = feeTiers?.map(({ volumeMin, makerPpm, takerPpm }, at) => ({
    tier: at + 1,
    volume: volumeMin,
    makerFeePpm: makerPpm,
    takerFeePpm: takerPpm,
  }));
  return {
    markets: markets.map((market, place) => ({
      market: { ...market, signingMarketId: place },
      indexTicks: NO_PRICE,
    })),
    takerFeePpm: ppm(fees.takerPpm),
    makerFeePpm: ppm(fees.makerPpm),
    ...(tiers === undefined ? {} : { feeTiers: tiers }),
    fundingIntervalMs,
    // Rates come from the tape, none is made from a book.
    impactNotional: 1n as VenueSettings['impactNotional'],
    openOrdersMax: Number.MAX_SAFE_INTEGER,
    scheduleCancelLeadMs: 0,
  };
}
