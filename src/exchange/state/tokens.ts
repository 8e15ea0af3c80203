/**
 * @module The tokens of the embedded exchange. Only the collateral is traded with; of the others an account can hold
 * what was deposited, each counted in its own decimals (obligation O9).
 */
import { formatScaled, must } from '../../core/index.ts';
import { COLLATERAL_DECIMALS } from './default-markets.ts';

/** One token as the exchange lists it. */
export interface ListedToken {
  /** Number of the token. */
  readonly token: number;
  /** Symbol of the token. */
  readonly symbol: string;
  /** Decimals of the token. */
  readonly decimals: number;
}

/** The collateral token in balances and ledger entries. */
export const COLLATERAL = { token: 0, symbol: 'USDC' } as const;

/** All of them, the collateral first. */
export const TOKENS: readonly ListedToken[] = [
  { ...COLLATERAL, decimals: COLLATERAL_DECIMALS },
  { token: 1, symbol: 'WETH', decimals: 18 },
  { token: 2, symbol: 'WBTC', decimals: 8 },
];

/** The token of this number. */
export function listedToken(token: number): ListedToken {
  return must(
    TOKENS.find((one) => one.token === token),
    `token ${token}`,
  );
}

/** An amount of a token as text. */
export function tokenText(token: number, amount: bigint): string {
  return formatScaled(amount, listedToken(token).decimals);
}
