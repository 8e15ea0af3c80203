/**
 * @module
 * Error codes and rejection reasons: number, HTTP status, meaning, and whether the nonce was consumed. Codes the table
 * does not have pass through unchanged: the exchange's list is open (exchange.md#market-rules). `num` values are own
 * choices (x-assumed).
 */

/** What is known of one code. */
export interface ErrorCode {
  /** Number of the code. */
  readonly num: number;
  /** HTTP status that it comes with. */
  readonly httpStatus: number;
  /** What it means, one sentence. */
  readonly meaning: string;
  /** True if a write that ended with it consumed its nonce (exchange.md#nonces). */
  readonly consumesNonce: boolean;
}

const gateway = (num: number, httpStatus: number, meaning: string): ErrorCode => ({
  num,
  httpStatus,
  meaning,
  consumesNonce: false,
});
const business = (num: number, meaning: string): ErrorCode => ({
  num,
  httpStatus: 422,
  meaning,
  consumesNonce: true,
});

/** All known codes. */
export const ERROR_CODES = {
  InvalidRequest: gateway(1000, 400, 'A parameter or a body field is missing, unknown or malformed.'),
  InvalidPrecision: gateway(1001, 400, 'A price or a size is no multiple of the tick or the lot.'),
  UnknownMarket: gateway(1002, 400, 'The symbol of a write names no market.'),
  InvalidPagination: gateway(1003, 400, 'Cursor or bounds of a history page are malformed or incomplete.'),
  HistoryNotComplete: gateway(1004, 400, 'The history up to these bounds is not written yet: retry later.'),
  OperationUnsupported: gateway(1005, 400, 'The gateway knows the path but does not offer the operation.'),
  UnknownTrader: gateway(1006, 400, 'The account does not exist yet: deposit first.'),

  GatewayBadSignature: gateway(1100, 401, 'The signature pre-check failed.'),
  BadSignature: gateway(1101, 401, 'The signature is not one of this struct.'),
  SignatureExpired: gateway(1102, 401, 'The signature carries an expiry that has passed.'),
  UnboundSigner: gateway(1103, 401, 'The recovered signer is not the one that was named.'),
  UnknownAgent: gateway(1110, 403, 'The API wallet has no grant of this account.'),
  AgentExpired: gateway(1111, 403, 'The grant of the API wallet has expired.'),
  AgentScopeViolation: gateway(1112, 403, 'API wallets may not do this.'),
  AgentMasterMismatch: gateway(1113, 403, 'The grant belongs to another account.'),
  Forbidden: gateway(1114, 403, 'The signer does not own what the write is about.'),
  VaultScopeViolation: gateway(1115, 403, 'The vault identity may not do this.'),
  AuthUnavailable: gateway(1120, 503, 'Grants cannot be checked right now.'),

  NotFound: gateway(1200, 404, 'The object does not exist, at this watermark.'),
  not_found: gateway(1201, 404, 'No execution of this request up to details.asOfSeq; not final.'),
  NonceMismatch: gateway(1300, 409, 'The nonce is not the next one of its scope.'),
  conflict: gateway(1301, 409, 'The nonce was consumed by details.conflictingRequest.'),
  history_epoch_mismatch: gateway(1302, 409, 'The ledger was restarted: cursors are void.'),
  ReplicaBehind: gateway(1400, 412, 'This replica has not reached the requested position.'),
  WrongNode: gateway(1401, 421, 'Another node serves this: use the public entry point.'),
  RateLimited: gateway(1402, 429, 'The budget of details.bucket is used up.'),
  InternalError: gateway(1500, 500, 'The gateway failed; the outcome of a write is unknown.'),
  Unavailable: gateway(1501, 503, 'The gateway cannot answer right now.'),
  history_unavailable: gateway(1502, 503, 'This replica has a gap in its history; proves nothing.'),
  read_model_not_ready: gateway(1503, 503, 'The read model is still being built.'),

  InsufficientMargin: business(2000, 'Equity does not cover the initial margin.'),
  InsufficientBalance: business(2001, 'The balance does not cover the amount.'),
  InsufficientWithdrawable: business(2002, 'The amount exceeds what can be withdrawn.'),
  InsufficientCollateral: business(2003, 'Older name of InsufficientMargin.'),
  NegativeEquity: business(2004, 'The equity of the account is negative, or nothing is left of the vault.'),
  PostOnlyWouldCross: business(2010, 'A post-only order would have taken liquidity.'),
  FokInsufficientLiquidity: business(2011, 'The book cannot fill the order whole.'),
  ReduceOnlyNoPosition: business(2012, 'There is no position to be reduced.'),
  ReduceOnlyWrongSide: business(2013, 'The order would increase the position.'),
  ReduceOnlyInvalid: business(2014, 'Older name of the reduce-only reasons.'),
  OrderNotAligned: business(2015, 'Price or size is no multiple of the tick or the lot.'),
  NotAligned: business(2016, 'Older name of OrderNotAligned.'),
  BelowMinNotional: business(2017, 'The notional is below the minimum of the market.'),
  OrderExpired: business(2018, 'The order was not valid any more when it was executed.'),
  OrderTooLarge: business(2019, 'Price times size is beyond what the exchange can count exactly.'),
  EquityTierLimitExceeded: business(2020, 'The account has as many open orders as its equity allows.'),
  UnknownOrder: business(2021, 'The order is not open, or belongs to another account.'),
  MarketNotTrading: business(2022, 'The status of the market does not allow it.'),
  SpotUnsupported: business(2023, 'Perpetuals only.'),
  BatchTooLarge: business(2024, 'The write has more records than one entry of the log can hold.'),
  NotOffered: business(2025, 'The command is known, but this exchange does not carry it out.'),
  UnknownAccount: business(2026, 'No account has this number.'),
  SubaccountLimitExceeded: business(2027, 'The wallet has as many subaccounts as it may have.'),
  InvalidLeverage: business(2030, 'The margin fraction is below the base of the market.'),
  InvalidConditional: business(2031, 'The trigger or a leg of the conditional order is invalid.'),
  InvalidBuilder: business(2034, 'The router of the order is no account, or its fee is above the maximum.'),
  InvalidTwap: business(2033, 'Slices, interval or tolerance of the time-weighted order are invalid.'),
  InvalidScheduleCancel: business(2032, 'The trigger of the scheduled cancel has passed or is too near.'),
  DepositCapExceeded: business(2040, 'The deposit would take the equity of the vault above its cap.'),
  InsufficientShares: business(2041, 'The account holds fewer shares of the vault.'),
  AmountTooSmall: business(2042, 'The amount is worth no share, or the shares no unit of money.'),
  VaultAlreadyManaged: business(2043, 'The vault has been claimed.'),
  VaultLimitExceeded: business(2044, 'The wallet has created as many vaults as it may.'),
  VaultLeverageExceeded: business(2045, 'The leverage is above the one that the vault is held to.'),
} as const satisfies Record<string, ErrorCode>;

/** A code of the table. */
export type KnownErrorCode = keyof typeof ERROR_CODES;

/** What is known of `code`; `undefined` for codes the table does not have. */
export function errorCodeOf(code: string): ErrorCode | undefined {
  return Object.hasOwn(ERROR_CODES, code) ? ERROR_CODES[code as KnownErrorCode] : undefined;
}

/** The reasons for which the exchange refuses a write before its nonce is spent (exchange.md#nonces). */
const PRE_NONCE_REASONS: ReadonlySet<string> = new Set([
  'BadSignature',
  'SignatureExpired',
  'UnboundSigner',
  'UnknownAgent',
  'AgentExpired',
  'AgentScopeViolation',
  'AgentMasterMismatch',
  'AuthUnavailable',
  'NonceMismatch',
]);

/** True if the write was refused before its nonce was consumed. Any other reason is a business rejection that consumed it. */
export function isPreNonceReason(reason: string): boolean {
  return PRE_NONCE_REASONS.has(reason);
}
