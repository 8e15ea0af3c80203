/** @module The typed client for people, `ballast/client`: every read and write of a gateway as one documented function. */
export { Decimal } from '../core/index.ts';
export type { DecimalInput } from './amounts.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { ENDPOINT_FUNCTIONS } from './endpoints.ts';
export { ClientUsageError, GatewayError } from './errors.ts';
export type { PageParams, WalkParams } from './history.ts';
export type { JournalPlace } from './journal.ts';
export type { AccountQuery, AccountReads, ExecutionReads } from './reads/account.ts';
export type {
  CandleQuery,
  DexReads,
  EnvironmentReads,
  Limited,
  MarketReads,
  OfMarket,
} from './reads/market.ts';
export type { ApiWalletReads, OfVault, VaultReads } from './reads/wallets.ts';
export { REMEDIES, remedyOf } from './remedies.ts';
export type { AccountSelector } from './selection.ts';
export type {
  AccountFill,
  AccountLedgerEntry,
  AccountSummary,
  ApiWalletAccount,
  ApiWalletGrant,
  BestQuotes,
  BuilderSummary,
  CandleBar,
  Dex,
  Exchange,
  ExecutionEvent,
  FeeSchedule,
  FundingPayment,
  FundingSettlement,
  HistoryPage,
  MarketInfo,
  NonceRecord,
  OpenPosition,
  Order,
  OrderBook,
  PortfolioPoint,
  Price,
  PublicTrade,
  Receipt,
  Subaccount,
  Time,
  Vault,
  VaultDepositor,
  VaultEffect,
  VaultHolding,
  VaultNavPoint,
  Withdrawal,
  WriteItem,
} from './shapes.ts';
export type { FromWhere, OrdersUpdate, PositionsUpdate, PricesUpdate, Streams } from './streams/channels.ts';
export type { HistoryStart } from './streams/history-topic.ts';
export type { Subscription } from './streams/hub.ts';
export type { StreamHandlers, StreamListener } from './streams/topic.ts';
export { UnresolvedWriteError } from './unresolved.ts';
export type { WriteOptions } from './write-client.ts';
export type { WriteResult } from './write-result.ts';
export type { AccountWrites, ApiWalletWrites } from './writes/account.ts';
export type { BuilderFee, OrderReference, OrderRequest, OrderWrites, SingleOrder } from './writes/orders.ts';
export type { ParticipantOptions, VaultWrites } from './writes/vaults.ts';
export type { TpslOrder, TriggerLeg, TriggerOrder, TwapOrder, WaitingOrderWrites } from './writes/waiting.ts';
