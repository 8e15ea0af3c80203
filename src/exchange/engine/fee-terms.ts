/** @module What a fee is made of, as data; the arithmetic is in `fees`. */
import type { AccountState } from './accounts/account.ts';

/** One part of a taker's charge beside the protocol's own rate, and who receives it. */
export interface FeePart {
  readonly kind: 'dex_fee' | 'deployer_fee' | 'builder_fee';
  /** Rate in parts per million of the taker's notional. */
  readonly ratePpm: bigint;
  /** Account that receives it. */
  readonly payee: AccountState;
}

/** What an account pays in a market. */
export interface FeeRates {
  /** Taker rate in parts per million. */
  readonly takerPpm: bigint;
  /** Maker rate in parts per million; below 0: a rebate. */
  readonly makerPpm: bigint;
  /** 0: the base rates. */
  readonly tier: number;
}
