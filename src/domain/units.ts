/**
 * @module
 * The units of trading: prices are integer ticks, sizes integer lots, money is bigint quantums. One tick is
 * 10^-priceDecimals, one lot 10^-sizeDecimals of the market they belong to.
 */
import { assert, type Brand } from '../core/index.ts';

// The messages are made when they are needed: these constructors run for every number of every order.

/** A price in units of 10^-priceDecimals; fits an unsigned 32-bit integer on the wire. */
export type Ticks = Brand<number, 'Ticks'>;
/** A size in units of 10^-sizeDecimals, at most 2^53 - 1; signed where it is a position. */
export type Lots = Brand<number, 'Lots'>;
/** An amount of the collateral token in its atomic unit (USDC: 10^-6), signed. */
export type Quantums = Brand<bigint, 'Quantums'>;
/** A rate in parts per million, signed. */
export type Ppm = Brand<number, 'Ppm'>;

/** The highest price the wire can carry (exchange.md#command-bytes: u32). */
export const PRICE_TICKS_MAX = 0xffff_ffff;

/** `value` as a price. @throws AssertionError unless it is an integer from 0 to 2^32 - 1. */
export function ticks(value: number): Ticks {
  if (!(Number.isInteger(value) && value >= 0 && value <= PRICE_TICKS_MAX))
    assert(false, `a price in ticks, got ${value}`);
  return value as Ticks;
}

/** `value` as a size or a signed position. @throws AssertionError unless it is a safe integer. */
export function lots(value: number): Lots {
  if (!Number.isSafeInteger(value)) assert(false, `a size in lots, got ${value}`);
  return (value === 0 ? 0 : value) as Lots;
}

/** `value` as an amount of collateral. */
export function quantums(value: bigint): Quantums {
  return value as Quantums;
}

/** `value` as a rate. @throws AssertionError unless it is a safe integer. */
export function ppm(value: number): Ppm {
  if (!Number.isSafeInteger(value)) assert(false, `a rate in parts per million, got ${value}`);
  return value as Ppm;
}

/** `amount` x `rate` / 1,000,000, truncated towards zero (exchange.md#market-rules, Fees). */
export function ppmOfTruncated(amount: Quantums, rate: Ppm): Quantums {
  return ((amount * BigInt(rate)) / 1_000_000n) as Quantums;
}
