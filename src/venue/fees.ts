/**
 * @module
 * Fees in parts per million of notional, truncated towards zero. A taker order is charged once, on the sum of its
 * legs; the parts its fills show are found by the cumulative method, so their sum is the charge (wire-facts 6).
 */
import { MILLION } from './amounts.ts';

/** The fee of an amount: positive is paid, negative a rebate. */
export function feeOf(notional: bigint, ratePpm: bigint): bigint {
  return (notional * ratePpm) / MILLION;
}

/** The running fee of one taker order. */
export class TakerFee {
  readonly #ratePpm: bigint;
  #notional = 0n;
  #charged = 0n;

  constructor(ratePpm: bigint) {
    this.#ratePpm = ratePpm;
  }

  /** What has been charged so far. */
  get charged(): bigint {
    return this.#charged;
  }

  /** Adds a leg and gives the part of the fee that its fill carries. */
  add(notional: bigint): bigint {
    this.#notional += notional;
    const total = feeOf(this.#notional, this.#ratePpm);
    const part = total - this.#charged;
    this.#charged = total;
    return part;
  }
}
