/**
 * @module
 * The arithmetic of a vault's shares, in integers: equity in quantums of collateral, shares in millionths. Whatever is
 * rounded is rounded down, so dust stays in the vault and belongs to those who stay (own choice).
 */
import { floorDivide } from '../../core/index.ts';

/** Shares of one whole share: they are counted as finely as collateral. */
const ONE_SHARE = 1_000_000n;

/** What a vault is worth and who it is divided among. */
export interface ShareBook {
  /** Equity of the vault's account. */
  readonly equity: bigint;
  /** Shares of all depositors. */
  readonly shares: bigint;
}

/**
 * Shares minted for `amount`: its share of the resulting equity. Without shares, one share by unit of collateral. 0
 * when it is worth none, or when a vault with shares has no equity above zero.
 */
export function sharesFor(amount: bigint, { equity, shares }: ShareBook): bigint {
  if (shares === 0n) return amount;
  return equity <= 0n ? 0n : (amount * shares) / equity;
}

/** What `burned` shares are worth: their share of the equity; 0 when there is none above zero. */
export function worthOf(burned: bigint, { equity, shares }: ShareBook): bigint {
  return shares === 0n || equity <= 0n ? 0n : (burned * equity) / shares;
}

/** Quantums of collateral by one whole share, rounded down; `undefined` while there are no shares. */
export function navPerShare({ equity, shares }: ShareBook): bigint | undefined {
  return shares === 0n ? undefined : floorDivide(equity * ONE_SHARE, shares);
}
