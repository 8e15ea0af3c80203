/**
 * @module
 * What the functions of the client give: the form for people of each answer. Prices, sizes and amounts are Decimals (amounts
 * in the token's own unit, USDC), log positions bigints, times Unix milliseconds.
 */
import type {
  ACCOUNT,
  ACCOUNT_VAULTS,
  AGENT_ACCOUNTS,
  AGENTS,
  BBO,
  BOOK,
  BUILDER_SUMMARY,
  CANDLE,
  DEX,
  EVENT,
  EXCHANGE,
  FEES,
  FILL,
  FUNDING,
  FUNDING_PAYMENTS,
  ITEM,
  LEDGER_ENTRY,
  MARKET,
  NONCE,
  ORDER,
  OUTCOME,
  People,
  PORTFOLIO,
  POSITION,
  PRICE,
  SUBACCOUNTS,
  TIME,
  TRADE,
  VAULT,
  VAULT_DEPOSITORS,
  VAULT_EFFECT,
  VAULT_NAV,
  WITHDRAWALS,
} from '../wire/protocol/index.ts';

/** The summary of an account in USDC: cash, equity, margins, what could be withdrawn, fee rates in ppm. */
export type AccountSummary = People<typeof ACCOUNT>;

/** A position: `size` above 0 is long. */
export type Position = People<typeof POSITION>;

/**
 * The current state of an order; `seq` is the log position of its last change. `kind` (conditional, takeProfit,
 * stopLoss, twap) only of one that waits outside the book, with its `trigger` or the progress of its slices.
 */
export type Order = People<typeof ORDER>;

/**
 * A fill from the account's own view. `id` is its position in history; `fee` below 0 is a rebate, null is not known.
 */
export type AccountFill = People<typeof FILL>;

/** One change of a balance; the sum of all `amount`s of a token is its balance. Kinds are an open list. */
export type AccountLedgerEntry = People<typeof LEDGER_ENTRY>;

/** A raw execution event: its position in history, its kind (an open list), its fields as they came. */
export type ExchangeLogEvent = People<typeof EVENT>;

/** A funding payment of an account: above 0 it was received. */
export type FundingPayment = People<typeof FUNDING_PAYMENTS>['payments'][number];

/** A withdrawal that is under way. */
export type Withdrawal = People<typeof WITHDRAWALS>['withdrawals'][number];

/** A subaccount: its index (0 is the main account) and its number in signed structs. */
export type Subaccount = People<typeof SUBACCOUNTS>['subaccounts'][number];

/** A grant of an API wallet; `validUntilMs` 0: it never expires. */
export type ApiWalletGrant = People<typeof AGENTS>['agents'][number];

/** An account that an API wallet may act for. */
export type ApiWalletAccount = People<typeof AGENT_ACCOUNTS>['grants'][number];

/** The next nonce of a scope, the account's number in signed structs, and the scope's name. */
export type NonceRecord = People<typeof NONCE>;

/** The value of an account and its profit so far at one time, in USDC. */
export type PortfolioPoint = People<typeof PORTFOLIO>['points'][number];

/** What an account holds of a vault: shares, their value now, and what was paid in less what was taken out, in USDC. */
export type VaultHolding = People<typeof ACCOUNT_VAULTS>['vaults'][number];

/** Unix milliseconds by the exchange's clock. */
export type ServerTime = People<typeof TIME>;

/** Signing domain, chain id, tokens with their decimals, version, length of a funding interval in ms. */
export type ExchangeInfo = People<typeof EXCHANGE>;

/** A market: its steps in price and size, its margins in parts per million, the smallest notional in USDC. */
export type MarketInfo = People<typeof MARKET>;

/** Prices of one market; null where there is none. The funding rate is of the current interval, positive: longs pay. */
export type MarketPrices = People<typeof PRICE>;

/** A book: levels are `[price, size]`, bids falling, asks rising. */
export type OrderBook = People<typeof BOOK>;

/** Best bid and ask as `[price, size]`; null for an empty side. */
export type Bbo = People<typeof BBO>;

/** A public trade; `side` is the taker's. */
export type PublicTrade = People<typeof TRADE>;

/** A bar; on the stream its latest state, which replaces the one before. */
export type Candle = People<typeof CANDLE>;

/** A funding settlement: rate in parts per million, positive: longs paid. */
export type FundingSettlement = People<typeof FUNDING>;

/** The fee schedule in parts per million of the notional; a negative maker rate is a rebate. */
export type FeeSchedule = People<typeof FEES>;

/** A builder dex with the symbols of its markets; its fees in parts per million. */
export type Dex = People<typeof DEX>;

/** What a builder has earned in fees, and the volume they came from, in USDC. */
export type BuilderSummary = People<typeof BUILDER_SUMMARY>;

/**
 * A vault: who made it (null: the operator), who manages it (null while it is fresh), equity and net asset value per share
 * in USDC (null without shares), its limits (null: none).
 */
export type Vault = People<typeof VAULT>;

/** Net asset value per share, equity in USDC and shares at one time. */
export type VaultNavPoint = People<typeof VAULT_NAV>['points'][number];

/** A depositor of a vault: shares, and what they would give now in USDC. */
export type VaultDepositor = People<typeof VAULT_DEPOSITORS>['depositors'][number];

/** Outcome of one item. Cancels and placements are numbered separately from 0, by `inputIndex`. */
export type WriteItem = People<typeof ITEM>;

/** The vault, the shares minted or burned, the USDC paid in or taken out. */
export type VaultEffect = People<typeof VAULT_EFFECT>;

/** A receipt: `pending` is waited on; `rejected` is final only when `nonceConsumed` is true. */
export type Receipt = People<typeof OUTCOME>;

/** One page of history. `epoch` and `upper` go unchanged into every later question, `next` as its `after`. */
export interface HistoryPage<Entry> {
  /** Epoch of the ledger. */
  readonly epoch: string;
  /** Log position that bounds all pages of the walk. */
  readonly upper: string;
  /** Cursor of the next page; `null`: none. */
  readonly next: string | null;
  /** True if rows remain after this page. */
  readonly hasMore: boolean;
  /** Entries of the page, in order. */
  readonly data: readonly Entry[];
}
