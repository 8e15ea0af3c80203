/**
 * @module
 * The taker's rate of a run over bars: one for all, or by tiers of what was traded within the last 30 days of UTC, as at the
 * exchange (see `venue/fees`): the fill that reaches a tier still pays the rate before it.
 */
import type { Ppm, Quantums } from '../../domain/index.ts';

/** A rate from a volume on. */
export interface TakerTier {
  /** Least 30-day volume of the tier, in quantums. */
  readonly volumeMin: Quantums;
  /** Taker rate in parts per million. */
  readonly takerPpm: Ppm;
}

const DAY_US = 86_400_000_000;
const TIER_DAYS = 30;

/** See the module. */
export class TakerRate {
  readonly #base: Ppm;
  /** Lowest first. */
  readonly #tiers: readonly TakerTier[];
  readonly #byDay = new Map<number, bigint>();

  constructor(base: Ppm, tiers: readonly TakerTier[] = []) {
    this.#base = base;
    this.#tiers = tiers;
  }

  /** The rate of a fill at a time, Unix us that never fall; `notional` counts for later ones. */
  take(atUs: number, notional: bigint): Ppm {
    if (this.#tiers.length === 0) return this.#base;
    const today = Math.floor(atUs / DAY_US);
    let volume = 0n;
    for (const [day, traded] of this.#byDay) {
      if (day + TIER_DAYS <= today) this.#byDay.delete(day);
      else volume += traded;
    }
    this.#byDay.set(today, (this.#byDay.get(today) ?? 0n) + notional);
    let rate = this.#base;
    for (const { volumeMin, takerPpm } of this.#tiers) if (volume >= volumeMin) rate = takerPpm;
    return rate;
  }
}
