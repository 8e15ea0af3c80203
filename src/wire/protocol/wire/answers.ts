/**
 * @module
 * The JSON shapes of answers to reads. Prices, sizes and amounts are decimal text in human units. Fields that the
 * interface document does not show are own choices, marked `x-assumed` in openapi.yaml.
 */

/** A decimal number as text. */
export type DecimalText = string;
/** `[price, size]`. */
export type WireLevel = readonly [DecimalText, DecimalText];
/** Sides on the wire. */
export type WireSide = 'buy' | 'sell';
/** Times in force on the wire. */
export type WireTimeInForce = 'gtc' | 'ioc' | 'fok' | 'postOnly';

/** GET /v1/time. */
export interface WireTime {
  readonly serverTime: number;
}

/** GET /v1/exchange. */
export interface WireExchange {
  readonly chainId: number;
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: string;
  };
  readonly depositSystemAddress: string;
  readonly tokens: readonly {
    readonly token: number;
    readonly symbol: string;
    readonly decimals: number;
    readonly address: string;
  }[];
  readonly version: {
    readonly pkg: string;
    readonly snapshotVersion: number;
    readonly codecVersion: number;
    readonly buildId: string;
  };
  readonly numericConventions: {
    readonly price: string;
    readonly size: string;
    readonly amount: string;
    readonly rate: string;
  };
  readonly fundingIntervalMs: number;
}

/** An entry of GET /v1/markets. */
export interface WireMarket {
  readonly symbol: string;
  readonly kind: 'perp';
  readonly status: string;
  readonly signingMarketId: number;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  readonly tickSize: DecimalText;
  readonly lotSize: DecimalText;
  readonly initialMarginPpm: number;
  readonly maintenanceFractionPpm: number;
  readonly minNotional: DecimalText;
}

/** GET /v1/markets. */
export interface WireMarkets {
  readonly markets: readonly WireMarket[];
}

/** One market in GET /v1/prices and on the `prices` channel. */
export interface WirePrice {
  readonly symbol: string;
  readonly markPrice: DecimalText | null;
  readonly indexPrice: DecimalText | null;
  readonly lastPrice: DecimalText | null;
  readonly bestBid: DecimalText | null;
  readonly bestAsk: DecimalText | null;
  readonly openInterest: DecimalText;
  readonly fundingRatePpm: number;
  readonly nextFundingTime: number;
}

/** GET /v1/prices. */
export interface WirePrices {
  readonly seq: number;
  readonly prices: readonly WirePrice[];
}

/** GET /v1/markets/{symbol}/book, and `data` of the `book` channel: bids descending, asks ascending. */
export interface WireBook {
  readonly symbol: string;
  readonly seq: number;
  readonly ts: number;
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
}

/** `data` of the `bbo` channel. */
export interface WireBbo {
  readonly symbol: string;
  readonly ts: number;
  readonly bid: WireLevel | null;
  readonly ask: WireLevel | null;
}

/** A public trade; `side` is the taker's. */
export interface WireTrade {
  readonly id: string;
  readonly symbol: string;
  readonly side: WireSide;
  readonly price: DecimalText;
  readonly size: DecimalText;
  readonly ts: number;
}

/** GET /v1/markets/{symbol}/trades: newest first, at most 200. */
export interface WireTrades {
  readonly trades: readonly WireTrade[];
}

/** One bar. */
export interface WireCandle {
  readonly symbol: string;
  readonly interval: string;
  readonly startTime: number;
  readonly open: DecimalText;
  readonly high: DecimalText;
  readonly low: DecimalText;
  readonly close: DecimalText;
  readonly volume: DecimalText;
  readonly trades: number;
}

/** GET /v1/markets/{symbol}/candles: ascending. */
export interface WireCandles {
  readonly candles: readonly WireCandle[];
}

/** One funding settlement. */
export interface WireFunding {
  readonly symbol: string;
  readonly ratePpm: number;
  readonly indexPrice: DecimalText;
  readonly ts: number;
}

/** GET /v1/markets/{symbol}/funding: ascending. */
export interface WireFundingHistory {
  readonly funding: readonly WireFunding[];
}

/** GET /v1/fees. */
export interface WireFees {
  readonly base: { readonly takerFeePpm: number; readonly makerFeePpm: number };
  readonly tiers: readonly {
    readonly tier: number;
    readonly volume: DecimalText;
    readonly takerFeePpm: number;
    readonly makerFeePpm: number;
  }[];
}

/** GET /v1/account, and `data` of the `account` channel. */
export interface WireAccount {
  readonly accountId: number;
  readonly collateral: DecimalText;
  readonly equity: DecimalText;
  readonly initialMargin: DecimalText;
  readonly maintenanceMargin: DecimalText;
  readonly withdrawable: DecimalText;
  readonly balances: readonly {
    readonly token: number;
    readonly symbol: string;
    readonly amount: DecimalText;
    readonly available: DecimalText;
    readonly hold: DecimalText;
  }[];
  readonly feeTier: number | null;
  readonly takerFeePpm: number;
  readonly makerFeePpm: number;
  readonly seq: number;
  readonly epoch: string;
}

/** One position. `size` is signed. */
export interface WirePosition {
  readonly symbol: string;
  readonly size: DecimalText;
  readonly costBasis: DecimalText;
  readonly entryPrice: DecimalText | null;
  readonly markPrice: DecimalText | null;
  readonly unrealizedPnl: DecimalText;
  readonly accruedFunding: DecimalText;
  readonly initialMarginPpm: number;
}

/** GET /v1/account/positions. */
export interface WirePositions {
  readonly positions: readonly WirePosition[];
  readonly seq: number;
  readonly epoch: string;
}

/** One order: in GET /v1/account/orders, in the order history, and on the `orders` channel. */
export interface WireOrder {
  readonly orderId: string;
  readonly clientOrderId: string | null;
  readonly symbol: string;
  readonly side: WireSide;
  readonly price: DecimalText;
  readonly size: DecimalText;
  readonly remaining: DecimalText;
  readonly timeInForce: WireTimeInForce;
  readonly reduceOnly: boolean;
  /** Last valid instant, 0: none. */
  readonly expiresAt: number;
  readonly status: 'open' | 'filled' | 'canceled' | 'expired';
  readonly createdAt: number;
  readonly seq: number;
  /** Only of an order that waits outside the book; absent: it rests, or has ended as a plain order. */
  readonly kind?: 'conditional' | 'takeProfit' | 'stopLoss' | 'twap';
  /** Of all such kinds but `twap`. */
  readonly trigger?: WireTrigger;
  /** Of `twap`: its `price` is the limit its next slice would have now. */
  readonly twap?: WireTwap;
}

/** What an order waits for: the index price at or above (or at or below) a price, at the beginning of a block. */
export interface WireTrigger {
  readonly price: DecimalText;
  readonly above: boolean;
  /** The order whose fills the leg closes; null: none. */
  readonly parentOrderId: string | null;
}

/** How far a time-weighted order is. */
export interface WireTwap {
  readonly slices: number;
  readonly slicesDone: number;
  readonly intervalMs: number;
  readonly priceTolerancePpm: number;
  readonly nextSliceAt: number;
}

/** GET /v1/account/orders and /v1/account/orders/history (newest first). */
export interface WireOrders {
  readonly orders: readonly WireOrder[];
  readonly seq: number;
  readonly epoch: string;
}

/** One fill from the account's own view. `fee` positive: paid; null: unknown. */
export interface WireFill {
  readonly id: string;
  readonly seq: number;
  readonly sub: number;
  readonly idx: number;
  readonly symbol: string;
  readonly orderId: string;
  readonly counterOrderId: string;
  readonly side: WireSide;
  readonly role: 'maker' | 'taker';
  readonly price: DecimalText;
  readonly size: DecimalText;
  readonly fee: DecimalText | null;
  readonly ts: number | null;
}

/** One ledger entry; the sum of `amount` is the balance. */
export interface WireLedgerEntry {
  readonly id: string;
  readonly seq: number;
  readonly sub: number;
  readonly idx: number;
  readonly kind: string;
  readonly token: number;
  readonly amount: DecimalText;
  readonly symbol: string | null;
  readonly orderId: string | null;
  readonly counterOrderId: string | null;
  readonly reference: string | null;
  readonly ts: number | null;
}

/** One raw execution event. */
export interface WireEvent {
  readonly id: string;
  readonly seq: number;
  readonly sub: number;
  readonly idx: number;
  readonly kind: string;
  readonly ts: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A page of GET /v1/account/fills, /v1/account/ledger and /v1/events, ascending by id. */
export interface WirePage<Entry> {
  readonly epoch: string;
  readonly upper: string;
  readonly next: string | null;
  readonly hasMore: boolean;
  readonly data: readonly Entry[];
}

/** One funding payment of an account: amount positive: received. */
export interface WireFundingPayment {
  readonly id: string;
  readonly symbol: string;
  readonly amount: DecimalText;
  readonly ts: number | null;
}

/** GET /v1/account/funding: newest first. */
export interface WireFundingPayments {
  readonly payments: readonly WireFundingPayment[];
}

/** GET /v1/account/withdrawals. */
export interface WireWithdrawals {
  readonly withdrawals: readonly {
    readonly id: string;
    readonly token: number;
    readonly amount: DecimalText;
    readonly status: 'pending' | 'acked';
    readonly ts: number;
  }[];
}

/** GET /v1/account/subaccounts. */
export interface WireSubaccounts {
  readonly subaccounts: readonly { readonly subaccount: number; readonly accountId: number }[];
}

/** One grant. `validUntilMs` "0": never expires. */
export interface WireGrant {
  readonly address: string;
  readonly validUntilMs: string;
  readonly expired: boolean;
  readonly nextNonce: number;
}

/** GET /v1/account/agents. */
export interface WireAgents {
  readonly accountId: number;
  readonly agents: readonly WireGrant[];
}

/** GET /v1/agents/{address}. */
export interface WireAgentAccounts {
  readonly agent: string;
  readonly nextNonce: number;
  readonly grants: readonly {
    readonly account: string;
    readonly subaccount: number;
    readonly accountId: number;
    readonly validUntilMs: string;
    readonly expired: boolean;
  }[];
}

/** GET /v1/account/nonce. */
export interface WireNonce {
  readonly nonce: number;
  readonly signingAccountId: number;
  readonly scope: string;
}
