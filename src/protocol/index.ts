/** @module The gateway interface as code, shared by the client and by the embedded exchange. */
export { decodeCommand } from './codec/decode.ts';
export { encodeCommand, encodeOrderIds, encodeOrders, hashCommand } from './codec/encode.ts';
export { canonicalOrderId, packOrderId, unpackOrderId } from './codec/order-id.ts';
export { CODEC_VERSION, COMMAND_TAGS } from './codec/tags.ts';
export { planCancelWaiting } from './commands/cancel.ts';
export type { ReadWrite } from './commands/operation.ts';
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
} from './decode/account.ts';
export { allocateBookLevels, type BookLevels, decodeBook, decodeBookInto } from './decode/book.ts';
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
} from './decode/environment.ts';
export type { DecodeContext, Decoded } from './decode/fields.ts';
export type { AccountFrame, ControlFrame, MarketFrame, ServerFrame } from './decode/frame-types.ts';
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
} from './decode/vaults.ts';
export {
  decodeErrorBody,
  decodeReceipt,
  decodeWriteAnswer,
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
export { composeWrite, type Envelope, openEnvelope } from './envelope.ts';
export { ERROR_CODES, errorCodeOf, isPreNonceReason, PRE_NONCE_REASONS } from './error-codes.ts';
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
} from './headers.ts';
export {
  BATCH_ITEMS_MAX,
  BOOK_DEPTH_DEFAULT,
  BOOK_DEPTH_MAX,
  CANDLES_MAX,
  CLIENT_ORDER_ID_LENGTH_MAX,
  IDLE_CLOSE_MS,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
  PING_INTERVAL_MS,
  RATE_WINDOW_MS,
  SUBSCRIPTIONS_PER_CONNECTION_MAX,
  TRADES_MAX,
  VAULT_LEVERAGE_MAX,
} from './limits.ts';
export { type PathParams, pathOf } from './paths.ts';
export { makeRequestIdOf, type RequestIdDerivation, signerAndDigest } from './request-id.ts';
export { mainWalletMessage } from './struct-messages.ts';
export { replaceStructs, STRUCTS, type StructTable } from './structs.ts';
export type {
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
  WireSubaccounts,
  WireTime,
  WireTrade,
  WireTrades,
  WireWithdrawals,
} from './wire/answers.ts';
export type { WireBuilderSummary, WireDex, WireDexes } from './wire/dexes.ts';
export {
  CHANNELS,
  type Channel,
  type SubscriptionParams,
  type WireClientFrame,
  type WireServerFrame,
} from './wire/frames.ts';
export type {
  WireAccountVaults,
  WirePortfolio,
  WireVault,
  WireVaultDepositors,
  WireVaultEffect,
  WireVaultNav,
  WireVaultParty,
  WireVaults,
} from './wire/vaults.ts';
export type {
  WireErrorBody,
  WireItem,
  WireReceipt,
  WireSequencedAnswer,
  WireWriteAnswer,
} from './wire/writes.ts';
export type { WriteContext } from './write-context.ts';
