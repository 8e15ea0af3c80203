/** @module The JSON of answers, as the embedded exchange writes it: types that follow from the schemas. */
import type * as account from './account.ts';
import type * as market from './market.ts';
import type { Wire } from './schema.ts';
import type * as vault from './vault.ts';
import type * as write from './write.ts';

/** Account of openapi.yaml. */
export type WireAccount = Wire<typeof account.ACCOUNT>;
/** Position of openapi.yaml. */
export type WirePosition = Wire<typeof account.POSITION>;
/** Positions of openapi.yaml. */
export type WirePositions = Wire<typeof account.POSITIONS>;
/** Order of openapi.yaml. */
export type WireOrder = Wire<typeof account.ORDER>;
/** Orders of openapi.yaml. */
export type WireOrders = Wire<typeof account.ORDERS>;
/** Fill of openapi.yaml. */
export type WireFill = Wire<typeof account.FILL>;
/** LedgerEntry of openapi.yaml. */
export type WireLedgerEntry = Wire<typeof account.LEDGER_ENTRY>;
/** Event of openapi.yaml. */
export type WireEvent = Wire<typeof account.EVENT>;
/** FundingPayments of openapi.yaml. */
export type WireFundingPayments = Wire<typeof account.FUNDING_PAYMENTS>;
/** Withdrawals of openapi.yaml. */
export type WireWithdrawals = Wire<typeof account.WITHDRAWALS>;
/** Subaccounts of openapi.yaml. */
export type WireSubaccounts = Wire<typeof account.SUBACCOUNTS>;
/** Agents of openapi.yaml. */
export type WireAgents = Wire<typeof account.AGENTS>;
/** AgentAccounts of openapi.yaml. */
export type WireAgentAccounts = Wire<typeof account.AGENT_ACCOUNTS>;
/** Nonce of openapi.yaml. */
export type WireNonce = Wire<typeof account.NONCE>;
/** Portfolio of openapi.yaml. */
export type WirePortfolio = Wire<typeof account.PORTFOLIO>;
/** Time of openapi.yaml. */
export type WireTime = Wire<typeof market.TIME>;
/** Exchange of openapi.yaml. */
export type WireExchange = Wire<typeof market.EXCHANGE>;
/** Market of openapi.yaml. */
export type WireMarket = Wire<typeof market.MARKET>;
/** Markets of openapi.yaml. */
export type WireMarkets = Wire<typeof market.MARKETS>;
/** Price of openapi.yaml. */
export type WirePrice = Wire<typeof market.PRICE>;
/** Prices of openapi.yaml. */
export type WirePrices = Wire<typeof market.PRICES>;
/** Book of openapi.yaml. */
export type WireBook = Wire<typeof market.BOOK>;
/** Bbo of openapi.yaml. */
export type WireBbo = Wire<typeof market.BBO>;
/** Trade of openapi.yaml. */
export type WireTrade = Wire<typeof market.TRADE>;
/** Trades of openapi.yaml. */
export type WireTrades = Wire<typeof market.TRADES>;
/** Candle of openapi.yaml. */
export type WireCandle = Wire<typeof market.CANDLE>;
/** Candles of openapi.yaml. */
export type WireCandles = Wire<typeof market.CANDLES>;
/** Funding of openapi.yaml. */
export type WireFunding = Wire<typeof market.FUNDING>;
/** FundingHistory of openapi.yaml. */
export type WireFundingHistory = Wire<typeof market.FUNDING_HISTORY>;
/** Fees of openapi.yaml. */
export type WireFees = Wire<typeof market.FEES>;
/** Dex of openapi.yaml. */
export type WireDex = Wire<typeof market.DEX>;
/** Dexes of openapi.yaml. */
export type WireDexes = Wire<typeof market.DEXES>;
/** BuilderSummary of openapi.yaml. */
export type WireBuilderSummary = Wire<typeof market.BUILDER_SUMMARY>;
/** VaultParty of openapi.yaml. */
export type WireVaultParty = Wire<typeof vault.VAULT_PARTY>;
/** Vault of openapi.yaml. */
export type WireVault = Wire<typeof vault.VAULT>;
/** Vaults of openapi.yaml. */
export type WireVaults = Wire<typeof vault.VAULTS>;
/** VaultNav of openapi.yaml. */
export type WireVaultNav = Wire<typeof vault.VAULT_NAV>;
/** VaultDepositors of openapi.yaml. */
export type WireVaultDepositors = Wire<typeof vault.VAULT_DEPOSITORS>;
/** AccountVaults of openapi.yaml. */
export type WireAccountVaults = Wire<typeof vault.ACCOUNT_VAULTS>;
/** VaultEffect of openapi.yaml. */
export type WireVaultEffect = Wire<typeof vault.VAULT_EFFECT>;
/** Item of openapi.yaml. */
export type WireItem = Wire<typeof write.ITEM>;
/** Receipt of openapi.yaml. */
export type WireReceipt = Wire<typeof write.RECEIPT>;
/** ErrorBody of openapi.yaml. */
export type WireErrorBody = Wire<typeof write.ERROR_BODY>;
/** A page of history. */
export type WirePage<Entry> = Omit<Wire<typeof account.FILLS_PAGE>, 'data'> & {
  readonly data: readonly Entry[];
};
/** One funding payment. */
export type WireFundingPayment = WireFundingPayments['payments'][number];
/** One grant of an account. */
export type WireGrant = WireAgents['agents'][number];
/** `[price, size]`. */
export type WireLevel = WireBook['bids'][number];
