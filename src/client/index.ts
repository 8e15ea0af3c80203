/** @module The typed client for people, `ballast/client`: every read and write of a gateway as one documented function. */
export { Decimal } from '../core/index.ts';
export type { DecimalInput } from './amounts.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { ENDPOINT_FUNCTIONS } from './endpoints.ts';
export { ApiError, ClientUsageError } from './errors.ts';
export type { PageParams, PagingParams } from './history.ts';
export type { JournalLocation } from './journal.ts';
export type { AccountQuery, AccountReads, EventFilter, EventReads, RequestReads } from './reads/account.ts';
export type {
  CandleQuery,
  DexReads,
  EnvironmentReads,
  LimitParam,
  MarketParam,
  MarketReads,
} from './reads/market.ts';
export type { ApiWalletReads, VaultParam, VaultReads } from './reads/wallets.ts';
export { REMEDIES, remedyOf } from './remedies.ts';
export type { AccountSelector } from './selection.ts';
export type {
  AccountFill,
  AccountLedgerEntry,
  AccountSummary,
  ApiWalletAccount,
  ApiWalletGrant,
  Bbo,
  BuilderSummary,
  Candle,
  Dex,
  ExchangeInfo,
  ExchangeLogEvent,
  FeeSchedule,
  FundingPayment,
  FundingSettlement,
  HistoryPage,
  MarketInfo,
  MarketPrices,
  NonceRecord,
  Order,
  OrderBook,
  PortfolioPoint,
  Position,
  PublicTrade,
  Receipt,
  ServerTime,
  Subaccount,
  Vault,
  VaultDepositor,
  VaultEffect,
  VaultHolding,
  VaultNavPoint,
  Withdrawal,
  WriteItem,
} from './shapes.ts';
export type { OrdersUpdate, PositionsUpdate, PricesUpdate, ResumeFrom, Streams } from './streams/channels.ts';
export type { ResumePosition } from './streams/history-topic.ts';
export type { Subscription } from './streams/hub.ts';
export type { StreamHandlers, StreamListener } from './streams/topic.ts';
export { UnresolvedWriteError } from './unresolved.ts';
export type { WriteOptions } from './write-client.ts';
export type { WriteResult } from './write-result.ts';
export type { AccountWrites, ApiWalletWrites } from './writes/account.ts';
export type {
  AlgoOrderWrites,
  TpslOrder,
  TriggerLeg,
  TriggerOrder,
  TwapOrder,
} from './writes/algo-orders.ts';
export type {
  BuilderFee,
  ExpiringOrderRequest,
  OrderRef,
  OrderRequest,
  OrderWrites,
} from './writes/orders.ts';
export type { DepositorOptions, VaultWrites } from './writes/vaults.ts';
