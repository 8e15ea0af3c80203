/**
 * @module
 * What any run leaves for reports: the same shape from a backtest, from paper, from the embedded exchange and from a
 * live gateway. Collected by the runtime while it happens, read by `report`, compared by `backtest` and by parity.
 * Money is exact here; the columns of charts are plain numbers and are for people.
 */
import type { UnixMs } from '../core/index.ts';
import type { Cursor, IntentId, MarketSymbol, OrderId, StrategyId } from './ids.ts';
import type { Pnl } from './pnl.ts';
import type { RunCourse } from './run-course.ts';
import type { RunRobustness } from './run-robustness.ts';
import type { Side } from './side.ts';
import type { Lots, Quantums, Ticks } from './units.ts';

/** How long after a fill the mid price is compared with its price, in ms. */
export const MARKOUT_HORIZONS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const;

/** One fill with what was seen around it. */
export interface RecordedFill {
  readonly atMs: UnixMs;
  /** The strategy that owns it; `undefined`: none is known. */
  readonly strategyId: StrategyId | undefined;
  /** The intent that it came from; `undefined`: none is known. */
  readonly intentId: IntentId | undefined;
  readonly orderId: OrderId;
  readonly symbol: MarketSymbol;
  readonly side: Side;
  /** Whether the order rested (maker) or took (taker). */
  readonly role: 'maker' | 'taker';
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** Positive: paid; null: not known. */
  readonly fee: Quantums | null;
  /** The mid when it happened, in ticks with a half; NaN: not known. */
  readonly midTicks: number;
  /** The mid after each of {@link MARKOUT_HORIZONS_MS}; NaN: the run ended before or the market was not known. */
  readonly laterMidTicks: readonly number[];
  /** Queue ahead of the order when it was filled and when it came to rest, by the fill model; NaN: not modeled. */
  readonly queueAheadLots: number;
  readonly queueAtRestLots: number;
}

/** One change of an own order on the book, for the chart of quotes. */
export interface RecordedQuote {
  readonly atMs: UnixMs;
  /** The strategy that owns it; `undefined`: none is known. */
  readonly strategyId: StrategyId | undefined;
  readonly orderId: OrderId;
  readonly symbol: MarketSymbol;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** What happened to the order. */
  readonly event: 'rested' | 'filled' | 'canceled' | 'expired';
}

/** State at regular times: equal lengths, one entry a sample. */
export interface RunSamples {
  /** Time between two samples, ms. */
  readonly periodMs: number;
  readonly atMs: Float64Array;
  /** Equity in quantums without the transfers of the run: what it was at the beginning and profit. Safe integers. */
  readonly equity: Float64Array;
  /** By market, in the order of {@link RunRecord.markets}: the mid in ticks (NaN: unknown) and inventory in lots. */
  readonly midTicks: readonly Float64Array[];
  readonly inventoryLots: readonly Float64Array[];
}

/** Counts of what was asked for and of the outcomes. */
export interface RunCounts {
  /** Intents of strategies. */
  readonly intents: number;
  /** Intents that risk denied. */
  readonly denied: number;
  /** Orders that the exchange accepted. */
  readonly ordersPlaced: number;
  /** Orders that the exchange rejected. */
  readonly ordersRejected: number;
  /** Orders that were canceled. */
  readonly ordersCanceled: number;
  /** Orders that were fully filled. */
  readonly ordersFilled: number;
  /** Writes sent. */
  readonly writes: number;
  /** Orders that came to rest between the prices that the book shows; absent: it shows every price, or that is not known. */
  readonly ordersBetweenLevels?: number;
  /** Fills as maker. */
  readonly makerFills: number;
  /** Fills as taker. */
  readonly takerFills: number;
}

/** A market as reports need it. */
export interface RunMarket {
  readonly symbol: MarketSymbol;
  /** Decimals of prices as text. */
  readonly priceDecimals: number;
  /** Decimals of sizes as text. */
  readonly sizeDecimals: number;
  /** Quantums of collateral per tick and lot. */
  readonly quantumsPerTickLot: bigint;
}

/** Profit of one strategy in one market. */
export interface RunPnl extends Pnl {
  readonly strategyId: StrategyId;
  readonly symbol: MarketSymbol;
  /** Traded notional. */
  readonly turnover: Quantums;
  readonly finalLots: Lots;
}

/** How long one strategy had orders on the book of one market, in ms of the run. */
export interface RunQuoting {
  readonly strategyId: StrategyId;
  readonly symbol: MarketSymbol;
  /** Time with a bid in the book, ms. */
  readonly bidMs: number;
  /** Time with an ask in the book, ms. */
  readonly askMs: number;
  /** Both at once. */
  readonly bothMs: number;
}

/** What an order waited for before it went into the book: the index price. */
export interface RunTrigger {
  readonly orderId: OrderId;
  /** 0: the exchange does not say. */
  readonly triggerTicks: Ticks;
  /** It fired at or above that price; otherwise at or below. */
  readonly isAbove: boolean;
}

/** A tape that a run was made of. */
export interface RunTape {
  /** Name of its folder. */
  readonly name: string;
  /** SHA-256 over everything in it. */
  readonly hash: string;
  /** The data quality that its import found, in lines; absent: it was not imported. */
  readonly quality?: readonly string[] | undefined;
}

/** The owner of what no strategy owns: positions taken over, fills of orders that are not ours, funding not split. */
export const NO_STRATEGY = '-' as StrategyId;

/** A full run. */
export interface RunRecord extends RunCourse {
  readonly mode: 'backtest' | 'paper' | 'sim' | 'demo' | 'live';
  /** Name of the run. */
  readonly runId: string;
  /** SHA-256 of the configuration's text, of the code that ran (version and strategy modules), and of each tape. */
  readonly configHash: string;
  /** Hash of the code that ran. */
  readonly codeHash: string;
  /** What it was made of: each value of the configuration that ran by its path, secrets and keys apart. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What was replayed; empty: nothing recorded. */
  readonly tapes: readonly RunTape[];
  /** Seed of the run's randomness. */
  readonly seed: number;
  readonly fromMs: UnixMs;
  readonly toMs: UnixMs;
  /** Decimals of amounts of collateral as text. */
  readonly collateralDecimals: number;
  /** Assumptions in words, printed with every statistic: fill model, latency, fees, funding. Empty: a real exchange. */
  readonly assumptions: readonly string[];
  /** Markets of its strategies, and those in which anything was held, traded or booked. */
  readonly markets: readonly RunMarket[];
  readonly strategies: readonly StrategyId[];
  readonly equityStart: Quantums;
  readonly equityEnd: Quantums;
  /** Deposits and transfers in between: no profit. */
  readonly transfers: Quantums;
  readonly pnl: Pnl;
  /** equityEnd - equityStart - transfers - (realized + unrealized + funding - fees): 0 or a fault. */
  readonly residual: Quantums;
  /** Change of cash by kind of ledger entry, in order of the kinds' names: what the equities are made of. */
  readonly ledger: readonly { readonly kind: string; readonly amount: Quantums }[];
  /** The ledger entries that make it up: how many, and the exchange's own numbers of the first and the last; absent: none. */
  readonly ledgerSpan?: { readonly entries: number; readonly first: Cursor; readonly last: Cursor };
  /** Funding as it was booked; absent: none was, or the record is of an older version. */
  readonly fundings?: readonly {
    readonly atMs: number;
    readonly symbol: MarketSymbol;
    readonly amount: Quantums;
  }[];
  /** Writes until their outcome was known, one of `oneOf`: when they were sent (Unix ms), and ms; absent: not measured. */
  readonly latency?: {
    readonly oneOf: number;
    readonly rows: readonly (readonly [atMs: number, ms: number])[];
  };
  /** Adds up to {@link RunRecord.pnl}; what no strategy owns is {@link NO_STRATEGY}'s. */
  readonly byStrategy: readonly RunPnl[];
  readonly quoting: readonly RunQuoting[];
  readonly counts: RunCounts;
  readonly samples: RunSamples;
  readonly fills: readonly RecordedFill[];
  readonly quotes: readonly RecordedQuote[];
  /** The orders that fired, with what they had waited for; absent: none did, or the record is of an older version. */
  readonly triggers?: readonly RunTrigger[];
  /** One order of this many is in {@link RunRecord.quotes}: 1 is all. Every other statistic is of all orders. */
  readonly quoteSampling: number;
  /** Half the confidence band of the profit, from a calibration; absent: the models were not calibrated. */
  readonly band?: { readonly low: Quantums; readonly high: Quantums; readonly basis: string };
  /** The same backtest under noise, delays and missed fills; absent: not asked for. */
  readonly robustness?: RunRobustness;
}
