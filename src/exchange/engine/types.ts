/**
 * @module
 * What goes into the venue and what comes out of it: settings, log positions, outcomes of commands, events, and the
 * views that are read. The venue knows account numbers and markets, nothing of addresses, signatures or JSON.
 */
import type { UnixMs } from '../../core/index.ts';
import type { Market, Ppm, Quantums, Side, Ticks, TimeInForce } from '../../domain/index.ts';

/** A market as it is added to the venue. */
export interface VenueMarket {
  /** Scales, margins and limits of the market. */
  readonly market: Market;
  /** The first index (oracle) price. */
  readonly indexTicks: Ticks;
  /** Rates of this market instead of those of an account's tier. */
  readonly fees?: MarketFees;
  /** The builder dex it belongs to; absent: none. */
  readonly dex?: MarketDex;
}

/** Protocol rates of one market, instead of the account's. */
export interface MarketFees {
  /** Taker rate in parts per million of the notional; absent: the rate of the account's tier. */
  readonly takerFeePpm?: Ppm;
  /** Maker rate in parts per million of the notional, below 0: a rebate; absent: the rate of the account's tier. */
  readonly makerFeePpm?: Ppm;
}

/** What a market's builder dex adds to a taker's fee (exchange.md#market-rules). */
export interface MarketDex {
  /** Fraction of the protocol's taker rate that comes on top, in ppm of it. */
  readonly feeScalePpm: Ppm;
  /** Rate of the deployer, in parts per million. */
  readonly deployerFeePpm: Ppm;
  /** Number of the account that receives the deployer's fee. It must be made before the first trade. */
  readonly deployer: number;
}

/** Fee rates from a volume on. */
export interface FeeTier {
  /** From 1; 0 means the base rates. */
  readonly tier: number;
  /** Notional of the last 30 days from which it holds. */
  readonly volume: Quantums;
  /** Taker rate in parts per million of the notional. */
  readonly takerFeePpm: Ppm;
  /** Maker rate in parts per million of the notional; below 0: a rebate. */
  readonly makerFeePpm: Ppm;
}

/** Settings of a venue; nothing in it depends on a clock or on randomness. */
export interface VenueSettings {
  /** Markets in index order. */
  readonly markets: readonly VenueMarket[];
  /** Taker rate in parts per million of the notional. */
  readonly takerFeePpm: Ppm;
  /** Negative: a rebate. */
  readonly makerFeePpm: Ppm;
  /** Ascending by volume; absent: every account pays the base rates. */
  readonly feeTiers?: readonly FeeTier[];
  /** The most that a builder may ask for an order; absent: 1,000 ppm (own choice). */
  readonly builderFeeMaxPpm?: Ppm;
  /** What the insurance fund begins with; absent: nothing. */
  readonly insuranceFund?: Quantums;
  /** Of the notional that a liquidation closed, for the insurance fund; absent: 5,000 ppm (own choice). */
  readonly liquidationFeePpm?: Ppm;
  /** Time between two funding settlements, ms. */
  readonly fundingIntervalMs: number;
  /** Impact notional of the funding premium, in quantums. */
  readonly impactNotional: Quantums;
  /** Open orders per account at most; more end in `EquityTierLimitExceeded`. */
  readonly openOrdersMax: number;
  /**
   * Smallest distance of a schedule-cancel trigger in ms; the kernel of the real exchange has none
   * (exchange.md#market-rules).
   */
  readonly scheduleCancelLeadMs: number;
  /** How often the switch of an account may fire within a day of UTC; absent: any number (ambiguity A3). */
  readonly scheduleCancelsPerDayMax?: number;
  /** A switch that is armed cannot be cleared with trigger 0 (ambiguity A3). */
  readonly hasNoScheduleCancelClear?: boolean;
  /** An order that replaces another of its side keeps that one's number (ambiguity A10). */
  readonly replaceKeepsNumber?: boolean;
  /** Cancel-all and the switch do not cancel trigger orders (ambiguity A13). */
  readonly sparesTriggerOrders?: boolean;
}

/** What an operator changes of a running market. */
export type MarketRules = Partial<Pick<Market, 'tickStep' | 'lotStep' | 'minNotional'>>;

/** Where in the log something happens. `sub` counts requests within one entry. */
export interface LogPosition {
  /** Position of the log entry, from 1. */
  readonly seq: number;
  /** Number of the request within the log entry. */
  readonly sub: number;
  /** Time of the block the entry belongs to. */
  readonly blockAtMs: UnixMs;
}

/** Outcome of one item of a command (exchange.md#write-answers). */
export interface ItemOutcome {
  /** Index of the item within its list in the command, from 0. */
  readonly inputIndex: number;
  /** Placement or cancel. */
  readonly kind: 'place' | 'cancel';
  /** Signing id of the market. */
  readonly market: number;
  /** Result of the item. */
  readonly state: 'accepted' | 'canceled' | 'rejected';
  /** Of an accepted placement and of the target of every cancel. */
  readonly orderSeq?: bigint;
  /** Index of this record in the log entry: cancels first, then places; continues over the requests of one entry. */
  readonly recordSub: number;
  /** Reason name of a rejection; absent unless rejected. */
  readonly reason?: string;
  /** Accepted size in lots; only of an accepted placement. */
  readonly lots?: number;
  /** Size traded at placement, in lots; only of an accepted placement. */
  readonly filledLots?: number;
  /** True if the order rests in the book; only of an accepted placement. */
  readonly isResting?: boolean;
  /** Canceled size, in lots; only of a cancel. */
  readonly canceledLots?: number;
}

/** Outcome of a command. `rejected` without items is a plain command rejection. */
export interface CommandOutcome {
  /** Executed, or rejected as a whole. */
  readonly status: 'executed' | 'rejected';
  /** Reason name; absent: executed. */
  readonly reason?: string;
  /** Whether all, some or none of a batch's items were accepted; absent for a single command. */
  readonly batchStatus?: 'ok' | 'partial' | 'none';
  /** Outcome of each item, in command order. */
  readonly items: readonly ItemOutcome[];
  /** Events of the command, in log order. */
  readonly events: readonly VenueEvent[];
}

/** An order as the venue holds it, also after its end. */
export interface VenueOrder {
  /** Account number of the venue. */
  readonly account: number;
  /** Signing id of the market. */
  readonly market: number;
  /** Order number (exchange.md#order-numbers). */
  readonly orderSeq: bigint;
  /** Buy or sell. */
  readonly side: Side;
  /** Price in ticks. */
  readonly priceTicks: number;
  /** As accepted, clamped when reduce-only. */
  readonly lots: number;
  /** Size that has not traded, in lots. */
  readonly remainingLots: number;
  /** Time in force. */
  readonly tif: TimeInForce;
  /** True if the order may only reduce a position. */
  readonly reduceOnly: boolean;
  /** Last valid instant, Unix ms; 0: none. */
  readonly goodTilMs: number;
  /** Time of placement, Unix ms. */
  readonly createdAtMs: UnixMs;
  /** State of the order. */
  readonly status: 'open' | 'filled' | 'canceled' | 'expired';
  /** Log position of the last change. */
  readonly seq: number;
  /** Of an order that is in no book: what it waits for. */
  readonly waiting?: AlgoOrderTerms;
}

/** What an order in no book waits for: a price, or the time of its next slice. */
export type AlgoOrderTerms =
  | {
      readonly kind: 'conditional' | 'takeProfit' | 'stopLoss';
      /** Index price that triggers the order, in ticks. */
      readonly triggerTicks: number;
      /** Fires at or above the trigger; otherwise at or below. */
      readonly isAbove: boolean;
      /** Of a leg: the order whose fills it closes. */
      readonly parentOrderSeq?: bigint;
    }
  | {
      readonly kind: 'twap';
      /** Number of slices of the TWAP order. */
      readonly slices: number;
      /** Slices that were sent so far. */
      readonly slicesDone: number;
      /** Time between two slices, ms. */
      readonly intervalMs: number;
      /** Distance of a slice's limit from the index price, in parts per million. */
      readonly priceTolerancePpm: number;
      /** Time of the next slice, Unix ms. */
      readonly nextSliceAtMs: number;
    };

/** One side of a fill. */
export interface FillSide {
  /** Account number of the venue. */
  readonly account: number;
  /** Order number (exchange.md#order-numbers). */
  readonly orderSeq: bigint;
  /** Of a slice: the time-weighted order that it is of; absent: it is none. */
  readonly parentSeq?: bigint;
  /** Positive: paid; negative: a rebate. */
  readonly fee: Quantums;
}

/** The waiting order that an event is about, after the event. */
interface WaitingEventHead {
  readonly order: VenueOrder;
}

/** What a public event says apart from its position. Sizes are lots, prices ticks, amounts quantums. */
export type VenueEventBody =
  | { readonly kind: 'BlockBegun'; readonly blockAtMs: UnixMs }
  | {
      readonly kind: 'OrderAccepted';
      /** The order after the event. */
      readonly order: VenueOrder;
      /** Size that has traded, in lots. */
      readonly filledLots: number;
      /** True if the order rests in the book. */
      readonly isResting: boolean;
    }
  | {
      readonly kind: 'Fill';
      readonly market: number;
      readonly priceTicks: number;
      readonly lots: number;
      /** Side of the taker. */
      readonly takerSide: Side;
      /** The resting order. */
      readonly maker: FillSide;
      /** The order that took it. */
      readonly taker: FillSide;
      /** The maker's order after the fill. */
      readonly makerOrder: VenueOrder;
      /** The taker's order after the fill. */
      readonly takerOrder: VenueOrder;
    }
  | {
      readonly kind: 'OrderCanceled';
      /** The order after the event. */
      readonly order: VenueOrder;
      /** Canceled size, in lots. */
      readonly canceledLots: number;
      /** Reason name. */
      readonly reason: string;
    }
  | { readonly kind: 'OrderExpired'; readonly order: VenueOrder; readonly canceledLots: number }
  | {
      readonly kind: 'OracleUpdated';
      readonly market: number;
      /** Index price in ticks. */
      readonly indexTicks: number;
      /** Mark price in ticks. */
      readonly markTicks: number;
    }
  | {
      readonly kind: 'FundingSettled';
      readonly market: number;
      /** Rate of the interval: what is charged of the notional at the index price. */
      readonly ratePpm: number;
      /** When it settled; several of one block settle boundaries that had no block, each at its own time. */
      readonly settledAtMs: UnixMs;
      /** Index price in ticks. */
      readonly indexTicks: number;
    }
  | { readonly kind: 'ScheduleCancelSet'; readonly account: number; readonly triggerMs: number }
  | { readonly kind: 'ScheduleCancelFired'; readonly account: number; readonly canceledOrders: number }
  | { readonly kind: 'Deposited'; readonly account: number; readonly amount: Quantums }
  | { readonly kind: 'Transferred'; readonly from: number; readonly to: number; readonly amount: Quantums }
  | {
      readonly kind: 'LeverageSet';
      readonly account: number;
      readonly market: number;
      /** Initial margin fraction that the account chose, in parts per million. */
      readonly customImfPpm: number;
    }
  | { readonly kind: 'MarketStatusChanged'; readonly market: number; readonly status: string }
  | { readonly kind: 'MarketParamsUpdated'; readonly market: number }
  /** The exchange closes a position in the book: this order of the account is its own. */
  | {
      readonly kind: 'Liquidation';
      readonly account: number;
      readonly market: number;
      readonly side: Side;
      readonly lots: number;
      readonly orderSeq: bigint;
    }
  /** A position was closed against one on the other side, `side` being that of the account. */
  | {
      readonly kind: 'Deleverage';
      readonly account: number;
      /** Account on the other side. */
      readonly counterAccount: number;
      readonly market: number;
      readonly side: Side;
      readonly priceTicks: number;
      readonly lots: number;
    }
  /** A debt that the insurance fund did not reach was paid by this many others. */
  | {
      readonly kind: 'SocializedLoss';
      readonly account: number;
      /** Amount in quantums of collateral; below 0 it leaves the account. */
      readonly amount: Quantums;
      /** Number of accounts that paid. */
      readonly payers: number;
    }
  | { readonly kind: 'InsuranceFundChanged'; readonly change: Quantums; readonly fund: Quantums }
  /** A market ended: this many positions were settled at this price. */
  | {
      readonly kind: 'FinalSettled';
      readonly market: number;
      /** Index price in ticks. */
      readonly indexTicks: number;
      /** Number of positions that were settled. */
      readonly positions: number;
    }
  | (WaitingEventHead & {
      readonly kind: 'ConditionalPlaced';
      /** Index price that triggers the order, in ticks. */
      readonly triggerTicks: number;
      /** True if it triggers at or above the trigger price; false: at or below. */
      readonly isAbove: boolean;
    })
  | (WaitingEventHead & { readonly kind: 'ConditionalFired' })
  | (WaitingEventHead & { readonly kind: 'ConditionalCanceled'; readonly reason: string })
  | (WaitingEventHead & { readonly kind: 'TwapPlaced' })
  /** A slice went out as a separate order. */
  | (WaitingEventHead & {
      readonly kind: 'TwapSliced';
      /** Order number of the slice. */
      readonly childOrderSeq: bigint;
      /** Size that has traded, in lots. */
      readonly filledLots: number;
    })
  | (WaitingEventHead & { readonly kind: 'TwapEnded'; readonly reason: string })
  /** The account's cash changed: one ledger entry. Not part of the public `events` channel. */
  | {
      readonly kind: 'LedgerAppended';
      readonly account: number;
      /** Kind of the ledger entry, an open list. */
      readonly entryKind: string;
      /** Amount in quantums of collateral; below 0 it leaves the account. */
      readonly amount: Quantums;
      /** Signing id of the market; `undefined`: none. */
      readonly market: number | undefined;
      /** Number of the order that caused the change; `undefined`: none. */
      readonly orderSeq: bigint | undefined;
      /** Of a slice: the time-weighted order that it is of; absent: it is none. */
      readonly parentSeq?: bigint;
      /** Number of the order on the other side; `undefined`: none. */
      readonly counterOrderSeq: bigint | undefined;
    };

/** One event with its identity (seq, sub, idx), unique over the log (exchange.md#resources). */
export type VenueEvent = VenueEventBody & {
  /** Position of the log entry, from 1. */
  readonly seq: number;
  /** Number of the request within the log entry. */
  readonly sub: number;
  /** Number of the event within the request. */
  readonly idx: number;
  /** Time of the block, Unix ms. */
  readonly blockAtMs: UnixMs;
};

/** A position as the venue holds it. */
export interface VenuePosition {
  /** Signing id of the market. */
  readonly market: number;
  /** Signed. */
  readonly lots: number;
  /** Cost of the position in quantums. */
  readonly costBasis: Quantums;
  /** At the index price (exchange.md#resources). */
  readonly unrealizedPnl: Quantums;
  /** Funding not settled yet, in quantums. */
  readonly accruedFunding: Quantums;
  /** Initial margin fraction of the position, in parts per million. */
  readonly initialMarginPpm: Ppm;
}

/** An account as the venue holds it. */
export interface VenueAccount {
  /** Account number of the venue. */
  readonly account: number;
  /** Cash of the account in quantums. */
  readonly collateral: Quantums;
  /** Collateral + value of positions at the index price + funding not yet paid (exchange.md#resources). */
  readonly equity: Quantums;
  /** The same at the mark price: what margins are compared with. */
  readonly netCollateral: Quantums;
  /** Of positions only. */
  readonly initialMargin: Quantums;
  /** What resting orders may need on top of it. */
  readonly orderMargin: Quantums;
  /** Maintenance margin in quantums. */
  readonly maintenanceMargin: Quantums;
  /** Amount that may be withdrawn, in quantums. */
  readonly withdrawable: Quantums;
  /** Rates of its tier; a market may have its own rates. */
  readonly takerFeePpm: Ppm;
  /** Maker rate in parts per million of the notional; below 0: a rebate. */
  readonly makerFeePpm: Ppm;
  /** 0: the base rates; `undefined`: there are no tiers. */
  readonly feeTier: number | undefined;
  /** 0: not armed. */
  readonly scheduleCancelAtMs: number;
  /** It has fired as often today as it may, and cannot be armed before the next day of UTC. */
  readonly isSwitchSpent: boolean;
}

/** What an account has earned as the builder of orders. */
export interface BuilderFigures {
  /** Builder fees received so far, in quantums. */
  readonly feesEarned: Quantums;
  /** Notional that the orders it routed have taken. */
  readonly volume: Quantums;
}

/** A market's state. */
export interface VenueMarketView {
  /** Scales, margins and limits of the market. */
  readonly market: Market;
  /** Index price in ticks. */
  readonly indexTicks: number;
  /** Mark price in ticks. */
  readonly markTicks: number;
  /** 0: none yet. */
  readonly lastTicks: number;
  /** Open interest in lots. */
  readonly openInterestLots: number;
  /** Of the running interval as it looks now: what a settlement would charge. */
  readonly fundingRatePpm: number;
  /** Time of the next funding settlement, Unix ms. */
  readonly nextFundingAtMs: UnixMs;
}

/** Levels of one side, best first: [ticks, lots]. */
export type VenueLevels = readonly (readonly [number, number])[];
