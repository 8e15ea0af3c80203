/** @module What accounts answer. Amounts are Decimals in the token's own unit (USDC), sizes of positions are signed. */
import {
  choice,
  decimal,
  flag,
  id,
  integer,
  list,
  nullable,
  object,
  optional,
  position,
  type Read,
  type RecordShape,
  record,
  type Shape,
  text,
} from '../shape.ts';

/** GET /v1/account and frames of the `account` channel. */
export const ACCOUNT = record({
  accountId: optional(integer),
  collateral: decimal,
  equity: decimal,
  initialMargin: decimal,
  maintenanceMargin: decimal,
  withdrawable: decimal,
  balances: optional(
    list(
      record({
        token: integer,
        symbol: optional(text),
        amount: decimal,
        available: optional(decimal),
        hold: optional(decimal),
      }),
    ),
  ),
  feeTier: nullable(integer),
  takerFeePpm: optional(integer),
  makerFeePpm: optional(integer),
  seq: optional(position),
  epoch: optional(id),
});
/** The summary of an account in USDC: cash, equity, margins, what could be withdrawn, fee rates in ppm. */
export type AccountSummary = Read<typeof ACCOUNT>;

/** One position. */
export const POSITION = record({
  symbol: text,
  size: decimal,
  costBasis: decimal,
  entryPrice: nullable(decimal),
  markPrice: nullable(decimal),
  unrealizedPnl: decimal,
  accruedFunding: nullable(decimal),
  initialMarginPpm: optional(integer),
});
/** A position: `size` above 0 is long. */
export type OpenPosition = Read<typeof POSITION>;

/** GET /v1/account/positions. */
export const POSITIONS = record({
  positions: list(POSITION),
  seq: optional(position),
  epoch: optional(id),
});

/** One order. */
export const ORDER = record({
  orderId: id,
  clientOrderId: nullable(text),
  symbol: text,
  side: choice('buy', 'sell'),
  price: decimal,
  size: decimal,
  remaining: decimal,
  timeInForce: text,
  reduceOnly: optional(flag),
  expiresAt: optional(integer),
  status: choice('open', 'filled', 'canceled', 'expired'),
  createdAt: optional(integer),
  seq: optional(position),
  kind: optional(text),
  trigger: optional(record({ price: decimal, above: flag, parentOrderId: nullable(id) })),
  twap: optional(
    record({
      slices: integer,
      slicesDone: integer,
      intervalMs: integer,
      priceTolerancePpm: integer,
      nextSliceAt: integer,
    }),
  ),
});
/**
 * An order as it stands; `seq` is the log position of its last change. `kind` (conditional, takeProfit, stopLoss, twap) only
 * of one that waits outside the book, with its `trigger` or the progress of its slices.
 */
export type Order = Read<typeof ORDER>;

/** GET /v1/account/orders and its history. */
export const ORDERS = record({ orders: list(ORDER), seq: optional(position), epoch: optional(id) });

/** One fill of an account. */
export const FILL = record({
  id: id,
  seq: optional(position),
  sub: optional(integer),
  idx: optional(integer),
  symbol: text,
  orderId: id,
  counterOrderId: optional(id),
  side: choice('buy', 'sell'),
  role: choice('maker', 'taker'),
  price: decimal,
  size: decimal,
  fee: nullable(decimal),
  ts: nullable(integer),
});
/** A fill from the account's own view. `id` is its place in history; `fee` below 0 is a rebate, null is not known. */
export type AccountFill = Read<typeof FILL>;

/** One ledger entry. */
export const LEDGER_ENTRY = record({
  id: id,
  seq: optional(position),
  sub: optional(integer),
  idx: optional(integer),
  kind: text,
  token: optional(integer),
  amount: decimal,
  symbol: nullable(text),
  orderId: nullable(id),
  counterOrderId: nullable(id),
  reference: nullable(text),
  ts: nullable(integer),
});
/** One change of a balance; the sum of all `amount`s of a token is its balance. Kinds are an open list. */
export type AccountLedgerEntry = Read<typeof LEDGER_ENTRY>;

/** One raw execution event. */
export const EVENT = record({
  id: id,
  seq: optional(position),
  sub: optional(integer),
  idx: optional(integer),
  kind: text,
  ts: nullable(integer),
  data: object,
});
/** A raw execution event: its place in history, its kind (an open list), its fields as they came. */
export type ExecutionEvent = Read<typeof EVENT>;

/** A page of history with entries of one shape. */
export function pageOf<Entry>(entry: Shape<Entry>): RecordShape<HistoryPage<Entry>> {
  return record({ epoch: id, upper: id, next: nullable(id), hasMore: flag, data: list(entry) });
}

/** One page of history. `epoch` and `upper` go unchanged into every later question, `next` as its `after`. */
export interface HistoryPage<Entry> {
  readonly epoch: string;
  readonly upper: string;
  readonly next: string | null;
  readonly hasMore: boolean;
  readonly data: readonly Entry[];
}

/** GET /v1/account/funding. */
export const FUNDING_PAYMENTS = record({
  payments: list(record({ id: id, symbol: text, amount: decimal, ts: nullable(integer) })),
});
/** A funding payment of an account: above 0 it was received. */
export type FundingPayment = Read<typeof FUNDING_PAYMENTS>['payments'][number];

/** GET /v1/account/withdrawals. */
export const WITHDRAWALS = record({
  withdrawals: list(
    record({
      id: id,
      token: integer,
      amount: decimal,
      status: choice('pending', 'acked'),
      ts: nullable(integer),
    }),
  ),
});
/** A withdrawal that is under way. */
export type Withdrawal = Read<typeof WITHDRAWALS>['withdrawals'][number];

/** GET /v1/account/subaccounts. */
export const SUBACCOUNTS = record({
  subaccounts: list(record({ subaccount: integer, accountId: integer })),
});
/** A subaccount: its index (0 is the main account) and its number in signed structs. */
export type Subaccount = Read<typeof SUBACCOUNTS>['subaccounts'][number];

/** GET /v1/account/agents. */
export const AGENTS = record({
  accountId: optional(integer),
  agents: list(
    record({
      address: text,
      validUntilMs: integer,
      expired: flag,
      nextNonce: optional(position),
    }),
  ),
});
/** A grant of an API wallet; `validUntilMs` 0: for ever. */
export type ApiWalletGrant = Read<typeof AGENTS>['agents'][number];

/** GET /v1/agents/{address}. */
export const AGENT_ACCOUNTS = record({
  agent: text,
  nextNonce: optional(position),
  grants: list(
    record({
      account: text,
      subaccount: integer,
      accountId: integer,
      validUntilMs: integer,
      expired: flag,
    }),
  ),
});
/** An account that an API wallet may act for. */
export type ApiWalletAccount = Read<typeof AGENT_ACCOUNTS>['grants'][number];

/** GET /v1/account/nonce. */
export const NONCE = record({ nonce: position, signingAccountId: integer, scope: text });
/** The next nonce of a scope, the account's number in signed structs, and the scope's name. */
export type NonceRecord = Read<typeof NONCE>;

/** GET /v1/account/portfolio. */
export const PORTFOLIO = record({
  points: list(record({ ts: integer, accountValue: decimal, pnl: decimal })),
});
/** The value of an account and its profit so far at one time, in USDC. */
export type PortfolioPoint = Read<typeof PORTFOLIO>['points'][number];

/** GET /v1/account/vaults. */
export const ACCOUNT_VAULTS = record({
  vaults: list(
    record({
      id: id,
      name: optional(text),
      shares: decimal,
      value: decimal,
      netDeposits: optional(decimal),
    }),
  ),
});
/** What an account holds of a vault: shares, their value now, and what was paid in less what was taken out, in USDC. */
export type VaultHolding = Read<typeof ACCOUNT_VAULTS>['vaults'][number];
