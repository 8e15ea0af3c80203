/**
 * @module
 * What must be known to turn a command into signed bytes and JSON, or JSON back into a command.
 */
import type { Market, MarketSymbol } from '../../domain/index.ts';

/** The markets of one environment and the account a write is for. */
export interface WriteContext {
  /** The account's number in signed structs: never an address (obligation O32). */
  readonly signingAccountId: number;
  /** The definition of a market; `undefined`: not known. */
  market(symbol: MarketSymbol): Market | undefined;
  /** The market of a number in signed structs; `undefined`: not known. */
  marketById(signingMarketId: number): Market | undefined;
  /** Of the collateral token, for amounts and shares of vault writes; default 6 (USDC). */
  readonly collateralDecimals?: number;
}
