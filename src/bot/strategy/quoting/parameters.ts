/** @module The parameters that strategies which quote have in common: sizes, and when and how far quotes are moved. */
import type { Decimal } from '../../../core/index.ts';
import { param } from '../parameters.ts';

/** When quotes are stated again. */
export interface RequoteParameters {
  /** An order this many ticks from where it should be stays. */
  readonly requoteTicks: number;
  /** Time between two quotes, ms; fills are answered at once. */
  readonly requoteInterval: number;
}

/** How much a market maker trades and holds. */
export interface SizeParameters {
  /** Size of each order in units of the market. */
  readonly size: Decimal;
  /** Greatest inventory, long or short, in units of the market. */
  readonly maxInventory: Decimal;
}

/** What all market makers take. */
export interface MakerParameters extends SizeParameters, RequoteParameters {}

/**
 * The entries of {@link SizeParameters} in a `param.object`.
 * @example param.object({ ...sizeParams(), halfSpreadPpm: param.ppm(), ...requoteParams() })
 */
export function sizeParams() {
  return { size: param.decimal({ above: '0' }), maxInventory: param.decimal({ above: '0' }) };
}

/** The entries of {@link RequoteParameters} in a `param.object`; the interval's default as a configuration writes it. */
export function requoteParams(interval = '250ms') {
  return {
    requoteTicks: param.integer({ min: 0, max: 1_000_000 }).prefault(0),
    requoteInterval: param.durationMs({ min: '50ms' }).prefault(interval),
  };
}
