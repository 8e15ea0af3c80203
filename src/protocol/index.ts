/** @module The gateway interface as code, shared by the client and by the embedded exchange. */
export { decodeCommand } from './codec/decode.ts';
export { encodeCommand, encodeOrderIds, encodeOrders, hashCommand } from './codec/encode.ts';
export {
  canonicalOrderId,
  NO_ORDER_ID,
  ORDER_SEQ_LIMIT,
  packOrderId,
  unpackOrderId,
} from './codec/order-id.ts';
export {
  CODEC_VERSION,
  COMMAND_TAGS,
  SIDE_CODES,
  TIME_IN_FORCE_CODES,
} from './codec/tags.ts';
export type { WriteProblem } from './commands/body-fields.ts';
export { planCancelWaiting } from './commands/cancel.ts';
export { marginPpmOf } from './commands/leverage.ts';
export type { PlannedWrite, ReadWrite } from './commands/operation.ts';
export { planTrigger } from './commands/place.ts';
export { planTpsl } from './commands/tpsl.ts';
export { planTwap } from './commands/twap.ts';
export { planVaultWrite, takesVaultIdentity, vaultNumber } from './commands/vaults.ts';
export { planMainWalletWrite, planWrite, readWrite } from './commands/write.ts';
export {
  type AtSeq,
  decodeAccount,
  decodeOrders,
  decodePositions,
  ORDER_STATUSES,
  type OrderState,
  type WaitingState,
} from './decode/account.ts';
export {
  allocateBookLevels,
  type BookHead,
  type BookLevels,
  decodeBook,
  decodeBookInto,
} from './decode/book.ts';
export {
  type AgentGrant,
  decodeAgentAccounts,
  decodeAgents,
  decodeExchange,
  decodeMarket,
  decodeMarkets,
  decodeNonce,
  decodeTime,
  type ExchangeInfo,
  type Grant,
  type MarketTable,
  type NonceRecord,
  type Token,
} from './decode/environment.ts';
export type { DecodeContext, Decoded, Fields } from './decode/fields.ts';
export type {
  AccountFrame,
  AccountFrameHead,
  ControlFrame,
  MarketFrame,
  ServerFrame,
} from './decode/frame-types.ts';
export { decodeServerFrame } from './decode/frames.ts';
export { decodeCandles, decodeFundingHistory, decodePrices, decodeTrades } from './decode/market-data.ts';
export {
  decodeFill,
  decodeFillsPage,
  decodeLedgerEntry,
  decodeLedgerPage,
  decodePage,
  type Page,
} from './decode/pages.ts';
export {
  decodeAccountVaults,
  decodePortfolio,
  decodeVault,
  decodeVaultDepositors,
  decodeVaultNav,
  decodeVaults,
  type PortfolioPoint,
  type Vault,
  type VaultDepositor,
  type VaultEffect,
  type VaultHolding,
  type VaultNavPoint,
  type VaultParty,
  type VaultShares,
} from './decode/vaults.ts';
export {
  decodeErrorBody,
  decodeReceipt,
  decodeWriteAnswer,
  type ErrorBody,
  type ItemResult,
  type WritePending,
  type WriteResult,
} from './decode/writes.ts';
export {
  ENDPOINTS,
  type Endpoint,
  type EndpointId,
  type EndpointMatch,
  endpointOf,
  matchEndpoint,
} from './endpoints.ts';
export { composeWrite, type Envelope, type OpenedWrite, openEnvelope } from './envelope.ts';
export {
  ERROR_CODES,
  type ErrorCode,
  errorCodeOf,
  isPreNonceReason,
  type KnownErrorCode,
  PRE_NONCE_REASONS,
} from './error-codes.ts';
export {
  formatRateLimit,
  formatRateLimitPolicy,
  HEADER_PREFIX_DEFAULT,
  type HeaderNames,
  headerNames,
  parseRateLimit,
  parseRateLimitPolicy,
  parseRetryAfterMs,
  parseSeqHeader,
  type RateLimit,
  type RateLimitPolicy,
} from './headers.ts';
export {
  BATCH_ITEMS_MAX,
  BOOK_DEPTH_DEFAULT,
  BOOK_DEPTH_MAX,
  CANDLES_MAX,
  CLIENT_ORDER_ID_LENGTH_MAX,
  COLLATERAL_DECIMALS_DEFAULT,
  IDLE_CLOSE_MS,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
  PING_INTERVAL_MS,
  RATE_WINDOW_MS,
  RETRY_AFTER_MS_MAX,
  SUBSCRIPTIONS_PER_CONNECTION_MAX,
  TRADES_MAX,
  VAULT_LEVERAGE_MAX,
  VAULT_NAME_LENGTH_MAX,
} from './limits.ts';
export { formatQuery, type PathParams, pathOf } from './paths.ts';
export { makeRequestIdOf, type RequestIdDerivation, signerAndDigest } from './request-id.ts';
export { type MainWalletMessage, type MessageContext, mainWalletMessage } from './struct-messages.ts';
export { isStructName, replaceStructs, STRUCTS, type StructName, type StructTable } from './structs.ts';
export type {
  DecimalText,
  WireAccount,
  WireAgentAccounts,
  WireAgents,
  WireBbo,
  WireBook,
  WireCandle,
  WireCandles,
  WireEvent,
  WireExchange,
  WireFees,
  WireFill,
  WireFunding,
  WireFundingHistory,
  WireFundingPayment,
  WireFundingPayments,
  WireGrant,
  WireLedgerEntry,
  WireLevel,
  WireMarket,
  WireMarkets,
  WireNonce,
  WireOrder,
  WireOrders,
  WirePage,
  WirePosition,
  WirePositions,
  WirePrice,
  WirePrices,
  WireSide,
  WireSubaccounts,
  WireTime,
  WireTimeInForce,
  WireTrade,
  WireTrades,
  WireTrigger,
  WireTwap,
  WireWithdrawals,
} from './wire/answers.ts';
export type { WireBuilderSummary, WireDex, WireDexes } from './wire/dexes.ts';
export {
  CHANNELS,
  type Channel,
  type SubscriptionParams,
  type WireClientFrame,
  type WireControlFrame,
  type WireDataFrame,
  type WireFrameAccount,
  type WireServerFrame,
} from './wire/frames.ts';
export type {
  WireAccountVaults,
  WireConfigureVaultBody,
  WireCreateVaultBody,
  WireDepositVaultBody,
  WirePortfolio,
  WireRedeemVaultBody,
  WireVault,
  WireVaultDepositors,
  WireVaultEffect,
  WireVaultNav,
  WireVaultParty,
  WireVaults,
} from './wire/vaults.ts';
export type {
  WireApproveBody,
  WireCancelBody,
  WireCancelRequest,
  WireEnvelope,
  WireErrorBody,
  WireItem,
  WireLeverageBody,
  WireOrderRequest,
  WirePlaceBody,
  WireReceipt,
  WireReplaceBody,
  WireRevokeBody,
  WireScheduleCancelBody,
  WireSequencedAnswer,
  WireTpslBody,
  WireTriggerLeg,
  WireTriggerRequest,
  WireTwapBody,
  WireWriteAnswer,
} from './wire/writes.ts';
export type { WriteContext } from './write-context.ts';
