/**
 * @module What to do about each code a gateway answers with. A test compares this table with the codes of `protocol`;
 * an unknown code gets the remedy of its HTTP status (openapi.yaml).
 */

/** The remedy by code. */
export const REMEDIES: Readonly<Record<string, string>> = {
  InvalidRequest: 'Compare the parameters with docs/reference/client.md; the message names the field.',
  InvalidPrecision: 'Round the price to tickSize and the size to lotSize of client.markets.get.',
  UnknownMarket: 'Take the symbol from client.markets.list: it is case-sensitive.',
  InvalidPagination:
    'Send after, epoch and upper together, as the first page gave them, or walk with the iterator.',
  HistoryNotComplete: 'Ask again later with the very same bounds; the iterators do that automatically.',
  OperationUnsupported: 'This gateway does not offer the operation, or not for this identity.',
  UnknownTrader: 'The account appears with its first deposit: fund it first.',

  GatewayBadSignature: 'Check the base URL (its signing domain), the key, the account and the nonce scope.',
  BadSignature:
    'Check the signing domain and the struct of the operation (x-eip712.typeString of the operator).',
  SignatureExpired: 'Sign again with a later expiry; check the clock of this machine.',
  UnboundSigner: 'The key does not belong to the signer that was named: check wallet and account.',
  UnknownAgent: 'Approve the API wallet with the main wallet: client.apiWallets.approve.',
  AgentExpired: 'Approve the API wallet again with a later validUntilMs.',
  AgentScopeViolation: 'Only the main wallet may do this: make a client with its key.',
  AgentMasterMismatch:
    'The grant is of another account: approve the API wallet on this one, subaccounts each.',
  Forbidden: 'Use the wallet that owns the account or manages the vault.',
  AuthUnavailable: 'Grants cannot be checked now: try again in a while.',

  NotFound: 'Check the id; what was written just now may not be there yet (minSeq).',
  not_found: 'Not final: ask again at a later position; never send the write again.',
  NonceMismatch: 'Another writer shares the nonce scope: give each process its own API wallet.',
  conflict:
    'The nonce was used by another request: this one will never execute; give each process its own wallet.',
  history_epoch_mismatch: 'The ledger was restarted: forget all cursors and begin with a first page.',
  ReplicaBehind: 'The read was not there yet: ask again with the same minSeq.',
  WrongNode: "Use the environment's public entry point as baseUrl.",
  RateLimited: 'Wait for retry-after, then continue more slowly; details.bucket names the budget.',
  InternalError: 'Reads: try again. Writes: their outcome is resolved by the receipt, never send them again.',
  Unavailable: 'Reads: try again. Writes: their outcome is resolved by the receipt, never send them again.',
  history_unavailable: 'This replica has a gap in its history and proves nothing: ask again later.',
  read_model_not_ready: 'The read model is being built: ask again in a while.',

  InsufficientMargin: 'Deposit, reduce positions or orders, or order a smaller size.',
  InsufficientBalance: 'The amount is more than the balance: see client.account.summary.',
  InsufficientWithdrawable: 'Withdraw at most `withdrawable` of client.account.summary.',
  InsufficientCollateral: 'Deposit, reduce positions or orders, or order a smaller size.',
  NegativeEquity: 'Deposit before anything else.',
  PostOnlyWouldCross: 'Move the price away from the other side of the book, or drop postOnly.',
  FokInsufficientLiquidity: 'Order a smaller size, or use ioc.',
  ReduceOnlyNoPosition: 'There is nothing to reduce: see client.account.positions.',
  ReduceOnlyWrongSide: 'Reduce a long with sell, a short with buy.',
  ReduceOnlyInvalid: 'There is nothing to reduce in this direction: see client.account.positions.',
  OrderNotAligned: 'Round the price to tickSize and the size to lotSize of client.markets.get.',
  NotAligned: 'Round the price to tickSize and the size to lotSize of client.markets.get.',
  BelowMinNotional: 'Price times size must reach minNotional of client.markets.get.',
  OrderExpired: 'Give expiresAt more time; check the clock of this machine.',
  OrderTooLarge: 'Order a smaller size.',
  EquityTierLimitExceeded: 'Cancel orders first: the number of open ones is limited by equity.',
  UnknownOrder:
    'It was filled, canceled or has expired, or is of another account or market: see orders and fills.',
  MarketNotTrading: 'See the status of the market in client.markets.get.',
  SpotUnsupported: 'Take a market of kind perp.',
  BatchTooLarge: 'Split the batch.',
  NotOffered: 'This exchange does not carry the operation out.',
  UnknownAccount: 'Check the address, the subaccount or the vault.',
  SubaccountLimitExceeded: 'No more subaccounts for this wallet.',
  InvalidLeverage: 'Ask for at most the leverage of the market: 1,000,000 / initialMarginPpm.',
  InvalidConditional: 'Give each leg a trigger and a limit price on the right side of the market.',
  VaultScopeViolation:
    'A vault may place, cancel, replace, cancel all, schedule cancels and set leverage, nothing else.',
  DepositCapExceeded: 'Deposit less: see depositCap and equity of client.vaults.get.',
  InsufficientShares: 'Redeem at most the shares of client.account.vaults.',
  AmountTooSmall: 'Take more: this is less than the smallest unit of the other side.',
  VaultAlreadyManaged: 'Only a fresh vault can be claimed: see state of client.vaults.get.',
  VaultLimitExceeded: 'No more vaults for this wallet.',
  VaultLeverageExceeded: 'Stay below leverageMax of client.vaults.get.',
  InvalidTwap: 'Give enough size for each slice, at least one slice, and a tolerance below 1,000,000 ppm.',
  InvalidBuilder: 'Take an account that exists and a fee within its limit.',
  InvalidScheduleCancel: 'The trigger must be in the future; 0 clears the switch.',
};

const BY_STATUS: ReadonlyMap<number, string> = new Map([
  [400, 'A parameter is wrong: correct it, do not repeat the request.'],
  [401, 'The signature was refused: check domain, signer, fields and scaling.'],
  [403, 'The grant does not cover this: check the grant and its expiry.'],
  [404, 'The object does not exist at this position.'],
  [409, 'It conflicts with what happened meanwhile: read the state again.'],
  [412, 'The replica lags: ask again with the same minSeq.'],
  [421, "Use the environment's public entry point as baseUrl."],
  [422, 'The exchange rejects the operation: correct it.'],
  [429, 'The request budget is used up: wait, then continue more slowly.'],
]);

/** What to do about `code` of an answer with this HTTP status. */
export function remedyOf(code: string | undefined, status: number): string {
  if (code !== undefined && Object.hasOwn(REMEDIES, code)) return REMEDIES[code] ?? '';
  return (
    BY_STATUS.get(status) ??
    (status >= 500
      ? 'The gateway failed: reads may be repeated, writes are resolved by their receipt.'
      : 'Read the body; ask the operator of the gateway with the requestId.')
  );
}
