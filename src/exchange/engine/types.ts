/**
 * @module
 * What goes into the venue and what comes out of it: settings, log positions, outcomes of commands, events, and the
 * views that are read. The venue knows account numbers and markets, nothing of addresses, signatures or JSON.
 */
import type { UnixMs } from '../../core/index.ts';
import type { Market, Ppm, Quantums, Side, Ticks, TimeInForce } from '../../domain/index.ts';

/** A market as it is added to the venue. */
export interface VenueMarket {
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
  readonly takerFeePpm?: Ppm;
  readonly makerFeePpm?: Ppm;
}

/** What a market's builder dex adds to a taker's fee (exchange.md#market-rules). */
export interface MarketDex {
  /** Part of the protocol's taker rate that comes on top, in ppm of it. */
  readonly feeScalePpm: Ppm;
  readonly deployerFeePpm: Ppm;
  /** Number of the account that receives the deployer's fee. It must be made before the first trade. */
  readonly deployer: number;
}

/** Rates of accounts that trade much. */
export interface FeeTier {
  /** From 1; 0 stands for the base rates. */
  readonly tier: number;
  /** Notional of the last 30 days from which it holds. */
  readonly volume: Quantums;
  readonly takerFeePpm: Ppm;
  readonly makerFeePpm: Ppm;
}

/** Settings of a venue; nothing in it depends on a clock or on randomness. */
export interface VenueSettings {
  readonly markets: readonly VenueMarket[];
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
  readonly seq: number;
  readonly sub: number;
  /** Time of the block the entry belongs to. */
  readonly blockAtMs: UnixMs;
}

/** Outcome of one item of a command (exchange.md#write-answers). */
export interface ItemOutcome {
  readonly inputIndex: number;
  readonly kind: 'place' | 'cancel';
  readonly market: number;
  readonly state: 'accepted' | 'canceled' | 'rejected';
  /** Of an accepted placement and of the target of every cancel. */
  readonly orderSeq?: bigint;
  /** Index of this record in the log entry: cancels first, then places; continues over the requests of one entry. */
  readonly recordSub: number;
  readonly reason?: string;
  readonly lots?: number;
  readonly filledLots?: number;
  readonly isResting?: boolean;
  readonly canceledLots?: number;
}

/** Outcome of a command. `rejected` without items is a plain command rejection. */
export interface CommandOutcome {
  readonly status: 'executed' | 'rejected';
  readonly reason?: string;
  readonly batchStatus?: 'ok' | 'partial' | 'none';
  readonly items: readonly ItemOutcome[];
  readonly events: readonly VenueEvent[];
}

/** An order as the venue holds it, also after its end. */
export interface VenueOrder {
  readonly account: number;
  readonly market: number;
  readonly orderSeq: bigint;
  readonly side: Side;
  readonly priceTicks: number;
  /** As accepted, clamped when reduce-only. */
  readonly lots: number;
  readonly remainingLots: number;
  readonly tif: TimeInForce;
  readonly reduceOnly: boolean;
  readonly goodTilMs: number;
  readonly createdAtMs: UnixMs;
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
      readonly triggerTicks: number;
      /** Fires at or above the trigger; otherwise at or below. */
      readonly isAbove: boolean;
      /** Of a leg: the order whose fills it closes. */
      readonly parentOrderSeq?: bigint;
    }
  | {
      readonly kind: 'twap';
      readonly slices: number;
      readonly slicesDone: number;
      readonly intervalMs: number;
      readonly priceTolerancePpm: number;
      readonly nextSliceAtMs: number;
    };

/** The same execution from one side's view. */
export interface FillSide {
  readonly account: number;
  readonly orderSeq: bigint;
  /** Positive: paid; negative: a rebate. */
  readonly fee: Quantums;
}

/** The order in no book that an event is about, as it stands after it. */
interface WaitingEventHead {
  readonly order: VenueOrder;
}

/** What a public event says besides its position. Sizes are lots, prices ticks, amounts quantums. */
export type VenueEventBody =
  | { readonly kind: 'BlockBegun'; readonly blockAtMs: UnixMs }
  | {
      readonly kind: 'OrderAccepted';
      readonly order: VenueOrder;
      readonly filledLots: number;
      readonly isResting: boolean;
    }
  | {
      readonly kind: 'Fill';
      readonly market: number;
      readonly priceTicks: number;
      readonly lots: number;
      readonly takerSide: Side;
      readonly maker: FillSide;
      readonly taker: FillSide;
      /** State of both orders after it. */
      readonly makerOrder: VenueOrder;
      readonly takerOrder: VenueOrder;
    }
  | {
      readonly kind: 'OrderCanceled';
      readonly order: VenueOrder;
      readonly canceledLots: number;
      readonly reason: string;
    }
  | { readonly kind: 'OrderExpired'; readonly order: VenueOrder; readonly canceledLots: number }
  | {
      readonly kind: 'OracleUpdated';
      readonly market: number;
      readonly indexTicks: number;
      readonly markTicks: number;
    }
  | {
      readonly kind: 'FundingSettled';
      readonly market: number;
      /** Truncated; the exact rate is `rateE12`. */
      readonly ratePpm: number;
      /** Rate of the interval in 10^-12. */
      readonly rateE12: number;
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
      readonly amount: Quantums;
      readonly payers: number;
    }
  | { readonly kind: 'InsuranceFundChanged'; readonly change: Quantums; readonly fund: Quantums }
  /** A market ended: this many positions were settled at this price. */
  | {
      readonly kind: 'FinalSettled';
      readonly market: number;
      readonly indexTicks: number;
      readonly positions: number;
    }
  | (WaitingEventHead & {
      readonly kind: 'ConditionalPlaced';
      readonly triggerTicks: number;
      readonly isAbove: boolean;
    })
  | (WaitingEventHead & { readonly kind: 'ConditionalFired' })
  | (WaitingEventHead & { readonly kind: 'ConditionalCanceled'; readonly reason: string })
  | (WaitingEventHead & { readonly kind: 'TwapPlaced' })
  /** A slice went out as a separate order. */
  | (WaitingEventHead & {
      readonly kind: 'TwapSliced';
      readonly childOrderSeq: bigint;
      readonly filledLots: number;
    })
  | (WaitingEventHead & { readonly kind: 'TwapEnded'; readonly reason: string })
  /** The account's cash changed: one ledger entry. Not part of the public `events` channel. */
  | {
      readonly kind: 'LedgerAppended';
      readonly account: number;
      readonly entryKind: string;
      readonly amount: Quantums;
      readonly market: number | undefined;
      readonly orderSeq: bigint | undefined;
      readonly counterOrderSeq: bigint | undefined;
    };

/** One event with its identity (seq, sub, idx), unique over the log (exchange.md#resources). */
export type VenueEvent = VenueEventBody & {
  readonly seq: number;
  readonly sub: number;
  readonly idx: number;
  readonly blockAtMs: UnixMs;
};

/** A position as the venue holds it. */
export interface VenuePosition {
  readonly market: number;
  /** Signed. */
  readonly lots: number;
  readonly costBasis: Quantums;
  /** At the index price (exchange.md#resources). */
  readonly unrealizedPnl: Quantums;
  readonly accruedFunding: Quantums;
  readonly initialMarginPpm: Ppm;
}

/** An account as the venue holds it. */
export interface VenueAccount {
  readonly account: number;
  readonly collateral: Quantums;
  /** Collateral + value of positions at the index price + funding not yet paid (exchange.md#resources). */
  readonly equity: Quantums;
  /** The same at the mark price: what margins are compared with. */
  readonly netCollateral: Quantums;
  /** Of positions only. */
  readonly initialMargin: Quantums;
  /** What resting orders may need on top of it. */
  readonly orderMargin: Quantums;
  readonly maintenanceMargin: Quantums;
  readonly withdrawable: Quantums;
  /** Rates of its tier; a market may have rates of its own. */
  readonly takerFeePpm: Ppm;
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
  readonly feesEarned: Quantums;
  /** Notional that the orders it routed have taken. */
  readonly volume: Quantums;
}

/** A market's state. */
export interface VenueMarketView {
  readonly market: Market;
  readonly indexTicks: number;
  readonly markTicks: number;
  /** 0: none yet. */
  readonly lastTicks: number;
  readonly openInterestLots: number;
  /** Of the running interval as it looks now, truncated; the exact rate is `fundingRateE12`. */
  readonly fundingRatePpm: number;
  /** The same in 10^-12. */
  readonly fundingRateE12: number;
  readonly nextFundingAtMs: UnixMs;
}

/** Levels of one side, best first: [ticks, lots]. */
export type VenueLevels = readonly (readonly [number, number])[];
