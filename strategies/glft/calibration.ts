/**
 * @module
 * A and k of one market, estimated while it runs: how often public trades reach how deep, on each side, and the curve
 * through it. What this does not do: know what of a trade an order of ours would have got.
 */
import { type IntensityCurve, intensityCurveOf, type Side, TradeIntensity } from 'ballast/strategy';

/** Trades that a curve must rest on, weighted by their age, before it is believed. */
export const TRADES_MIN = 30;

/** The estimate of one market. */
export class Calibration {
  readonly #depthsPpm: readonly number[];
  readonly #sides: Readonly<Record<Side, TradeIntensity>>;
  #curve: IntensityCurve | undefined;

  /** `levels` depths, evenly up to `depthPpm`, the mid itself among them. */
  constructor({ levels, depthPpm, halfLifeMs }: { levels: number; depthPpm: number; halfLifeMs: number }) {
    this.#depthsPpm = Array.from({ length: levels }, (_, at) => (depthPpm * at) / (levels - 1));
    const intensity = () => new TradeIntensity({ depths: this.#depthsPpm, halfLifeMs });
    this.#sides = { buy: intensity(), sell: intensity() };
  }

  /** Takes in a trade of `aggressor` at a distance from the mid, ppm; a better price than the mid counts as 0. */
  observe(aggressor: Side, depthPpm: number, atMs: number): void {
    this.#sides[aggressor].observe(Math.max(0, depthPpm), atMs);
  }

  /** Estimates again, as of `atMs`. Where nothing can be said, the last curve stays. */
  fit(atMs: number): void {
    const sides = Object.values(this.#sides);
    for (const side of sides) side.advance(atMs);
    const points = this.#depthsPpm.map((depth, at) => ({
      depth,
      // One side's quote meets one side's trades: the mean of both sides.
      perSecond: sides.reduce((sum, side) => sum + (side.perSecond?.[at] ?? 0), 0) / sides.length,
      hits: sides.reduce((sum, side) => sum + (side.hits[at] ?? 0), 0),
    }));
    if ((points[0]?.hits ?? 0) < TRADES_MIN) return;
    this.#curve = intensityCurveOf(points) ?? this.#curve;
  }

  /** The newest estimate, per second and per ppm; `undefined` until enough has been seen. */
  get curve(): IntensityCurve | undefined {
    return this.#curve;
  }
}
