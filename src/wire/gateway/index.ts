/** @module Talks to one gateway over REST and WebSocket and signs with the wallets; knows no strategy and no order logic. */

export type { AnswerTap } from './answer-tap.ts';
export { parseBaseUrl } from './base-url.ts';
export { createHttpFeed } from './feeds/http.ts';
export { createWsFeed } from './feeds/ws.ts';
export { createGateway, type Gateway } from './gateway.ts';
export { createNetworkTransport } from './network-transport.ts';
export { readAssumedNames } from './rest/assumed-names.ts';
export type { ReadCall } from './rest/client.ts';
export { type PageAnswer, type PageCall, pageOf } from './rest/history-reader.ts';
export {
  readAccount,
  readAgentAccounts,
  readAgents,
  readCandles,
  readExchange,
  readFillsPage,
  readLedgerPage,
  readMarkets,
  readNonce,
  readOpenOrders,
  readPositions,
  readReceipt,
  readVault,
} from './rest/reads.ts';
export type { BucketName, BudgetSharing, RequestBudget } from './rest/request-budget.ts';
export type { AccountWritePipe } from './rest/write-pipe.ts';
export { createApiWallet } from './signing/api-wallet.ts';
export { ExternalSignatures } from './signing/external-signatures.ts';
export { createMainWallet, type GrantChange } from './signing/main-wallet.ts';
export { createMainWalletSigner } from './signing/main-wallet-signer.ts';
export { createAbsentSigner, createAccountSigner, digestByViem } from './signing/typed-data.ts';
export type { AnswerHeaders, HttpRequest, StreamSocket, Transport } from './transport.ts';
export { connectBy, type NetworkRoute } from './tunnel.ts';
