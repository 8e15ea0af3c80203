/** @module The gateway interface as code, shared by the client and by the embedded exchange. */

export { CHANNELS, type Channel, type SubscriptionParams, type WireClientFrame } from './channels.ts';
export { encodeCommand, hashCommand } from './codec/encode.ts';
export { CODEC_VERSION, COMMAND_TAGS } from './codec/tags.ts';
export type { ReadWrite } from './commands/operation.ts';
export type { WireOrderRequest } from './commands/order-fields.ts';
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
  type OrderEnd,
  type OrderState,
} from './decode/account.ts';
export { allocateBookLevels, type BookLevels } from './decode/book.ts';
export type { Decoded } from './decode/decoded.ts';
export {
  type AgentGrant,
  decodeAgentAccounts,
  decodeAgents,
  decodeExchange,
  decodeMarkets,
  decodeNonce,
  decodeTime,
  decodeVault,
  type ExchangeEnvironment,
  type Grant,
  type MarketTable,
  type ScopeNonce,
  type VaultManagement,
} from './decode/environment.ts';
export type { DecodeContext } from './decode/fields.ts';
export { type StateFrameHead, stateFrameHead } from './decode/frame-head.ts';
export type {
  AccountFrame,
  ControlFrame,
  MarketFrame,
  RawFrame,
  UnknownFrame,
} from './decode/frame-types.ts';
export { type BookTargets, decodeFrame, decodeRawFrame } from './decode/frames.ts';
export { decodeCandles, decodeFundingHistory, decodeTrades } from './decode/market-data.ts';
export {
  decodeFill,
  decodeFillsPage,
  decodeLedgerEntry,
  decodeLedgerPage,
  decodePage,
  type Page,
} from './decode/pages.ts';
export { decodeErrorBody, decodeReceipt, type ReceiptOrders, readStatus } from './decode/writes.ts';
export {
  ENDPOINTS,
  type Endpoint,
  type EndpointId,
  type EndpointMatch,
  endpointOf,
  matchEndpoint,
} from './endpoints.ts';
export { composeWrite, type Envelope, openEnvelope } from './envelope.ts';
export { ERROR_CODES, errorCodeOf, isPreNonceReason } from './error-codes.ts';
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
} from './limits.ts';
export { DOUBT_ANSWERS_MAX, DOUBT_PAUSE_MS, LogReach } from './log-reach.ts';
export { type PathParams, pathOf } from './paths.ts';
export { makeRequestIdOf, type RequestIdDerivation, signerAndDigest } from './request-id.ts';
export {
  ACCOUNT,
  AGENT_ACCOUNTS,
  AGENTS,
  EVENT,
  EVENTS_PAGE,
  FILL,
  FILLS_PAGE,
  FUNDING_PAYMENTS,
  LEDGER_ENTRY,
  LEDGER_PAGE,
  NONCE,
  ORDER,
  ORDER_END,
  ORDERS,
  PORTFOLIO,
  POSITION,
  POSITIONS,
  SUBACCOUNTS,
  WITHDRAWALS,
} from './schema/account.ts';
export { type AssumedNames, decodeAssumedNames } from './schema/assumed-names.ts';
export {
  BBO,
  BOOK,
  BUILDER_SUMMARY,
  CANDLE,
  CANDLES,
  DEX,
  DEXES,
  EXCHANGE,
  FEES,
  FUNDING,
  FUNDING_HISTORY,
  MARKET,
  MARKETS,
  PRICE,
  PRICES,
  TIME,
  TRADE,
  TRADES,
} from './schema/market.ts';
export { decodeAnswer, type People, type PeopleSchema, readForPeople } from './schema/schema.ts';
export { ACCOUNT_VAULTS, VAULT, VAULT_DEPOSITORS, VAULT_EFFECT, VAULT_NAV, VAULTS } from './schema/vault.ts';
export type {
  WireAccount,
  WireAccountVaults,
  WireAgentAccounts,
  WireAgents,
  WireBbo,
  WireBook,
  WireBuilderSummary,
  WireCandle,
  WireCandles,
  WireDex,
  WireDexes,
  WireErrorBody,
  WireEvent,
  WireExchange,
  WireFees,
  WireFill,
  WireFunding,
  WireFundingHistory,
  WireFundingPayment,
  WireGrant,
  WireItem,
  WireLedgerEntry,
  WireLevel,
  WireMarket,
  WireMarkets,
  WireNonce,
  WireOrder,
  WireOrders,
  WirePage,
  WirePortfolio,
  WirePosition,
  WirePositions,
  WirePrice,
  WirePrices,
  WireReceipt,
  WireSubaccounts,
  WireTime,
  WireTrade,
  WireTrades,
  WireVault,
  WireVaultDepositors,
  WireVaultEffect,
  WireVaultNav,
  WireVaultParty,
  WireVaults,
  WireWithdrawals,
} from './schema/wire.ts';
export { ITEM, OUTCOME } from './schema/write.ts';
export { type MainWalletMessage, mainWalletMessage } from './struct-messages.ts';
export { structOfWrite } from './struct-of-write.ts';
export { replaceStructs, STRUCTS, type StructTable } from './structs.ts';
export type { WriteContext } from './write-context.ts';
