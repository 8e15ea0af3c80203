/** @module Talks to one gateway over REST and WebSocket and signs with the wallets; knows no strategy and no order logic. */
export type { AnswerTap } from './answer-tap.ts';
export { type BaseUrl, parseBaseUrl } from './base-url.ts';
export { createHttpFeed, type FeedListener, type HttpFeedOptions } from './feeds/http.ts';
export { createWsFeed, type WsFeedOptions } from './feeds/ws.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
export { createNetworkTransport } from './network-transport.ts';
export type { Answer, ReadCall, RestClient, WriteCall } from './rest/client.ts';
export {
  type BodyAnswer,
  type PageAnswer,
  type PageCall,
  pageOf,
  type StreamReads,
} from './rest/history-reader.ts';
export type { MinSeq } from './rest/min-seq.ts';
export type { RateBudget } from './rest/rate-budget.ts';
export type { Reader } from './rest/read.ts';
export {
  type AccountReadOptions,
  readAccount,
  readAgentAccounts,
  readAgents,
  readNonce,
  readOpenOrders,
  readOrderHistory,
  readPositions,
  readSubaccounts,
} from './rest/reads/account.ts';
export {
  readExchange,
  readFees,
  readMarket,
  readMarkets,
  readPrices,
  readTime,
} from './rest/reads/environment.ts';
export {
  type HistoryReadOptions,
  readEventsPage,
  readFillsPage,
  readLedgerPage,
  readReceipt,
} from './rest/reads/history.ts';
export {
  type MarketReadOptions,
  readCandles,
  readFundingHistory,
  readTrades,
} from './rest/reads/market.ts';
export type { AccountWritePipe, ReceiptCall } from './rest/write-pipe.ts';
export type { ClockSample, ServerClock, ServerClockState } from './server-clock.ts';
export { type ApiWallet, type ApiWalletOptions, createApiWallet } from './signing/api-wallet.ts';
export {
  createMainWallet,
  type MainWallet,
  type MainWalletOptions,
  type MainWalletReceipt,
} from './signing/main-wallet.ts';
export {
  createMainWalletSigner,
  type MainWalletSigner,
  type MainWalletSignerOptions,
} from './signing/main-wallet-signer.ts';
export type {
  AnswerHeaders,
  HttpAnswer,
  HttpRequest,
  NoAnswer,
  SocketListener,
  StreamSocket,
  Transport,
} from './transport.ts';
