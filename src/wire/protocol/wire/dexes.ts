/**
 * @module
 * The JSON shapes of builder dexes and of builders. The interface document shows none of their fields: all are own
 * choices, `x-assumed` in openapi.yaml.
 */
import type { DecimalText } from './answers.ts';

/** GET /v1/dexes/{id}: markets that somebody else deployed, and what trading there costs on top. */
export interface WireDex {
  readonly id: string;
  readonly name: string;
  readonly deployer: string;
  readonly symbols: readonly string[];
  /** Part of the protocol's taker rate that comes on top, in ppm of it. */
  readonly feeScalePpm: number;
  /** What the deployer receives of each taker's notional. */
  readonly deployerFeePpm: number;
}

/** GET /v1/dexes. */
export interface WireDexes {
  readonly dexes: readonly WireDex[];
}

/** GET /v1/builders/{address}/summary. */
export interface WireBuilderSummary {
  readonly builder: string;
  /** The `router` of orders that pay this builder. */
  readonly accountId: number;
  readonly feesEarned: DecimalText;
  /** Notional that the orders it routed have taken. */
  readonly volume: DecimalText;
}
