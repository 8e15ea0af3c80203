/** @module What a fee is made of, as data; the arithmetic is in `fees`. */
import type { AccountState } from './accounts/account.ts';

/** One part of a taker's charge beside the protocol's own rate, and who receives it. */
export interface FeePart {
  readonly kind: 'dex_fee' | 'deployer_fee' | 'builder_fee';
  readonly ratePpm: bigint;
  readonly payee: AccountState;
}

/** What an account pays in a market. */
export interface FeeRates {
  readonly takerPpm: bigint;
  readonly makerPpm: bigint;
  /** 0: the base rates. */
  readonly tier: number;
}
