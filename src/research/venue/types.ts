/**
 * @module
 * A venue that exists only here: own orders are matched against a recorded or live market by a fill model, on an
 * account with fees, funding, margin and liquidation. Paper and backtest plug in at the venue port with it.
 *
 *   rows of the market (exchange time) ──► onRow ─► fill model ─► fills ─► account
 *   commands ─► entry latency ─► arrival ─► acceptance ─► response latency ─► facts to the sink
 *
 * Time is microseconds of the exchange; nothing here waits: `advance` does what is due. What it does not do: recorded
 * participants do not react to our orders (docs/concepts/fill-models.md says what that means).
 */
import type { Random } from '../../core/index.ts';
import type {
  FactSink,
  FactsSink,
  LaneId,
  LevelSide,
  Market,
  OrderId,
  Ppm,
  Quantums,
  VenuePort,
} from '../../domain/index.ts';
import type { Disturbance } from './disturbance.ts';

/** The fill models, named after their assumption. */
export const FILL_MODELS = [
  /** A resting order is filled only when a trade goes through its price, or the other side's book crosses it. */
  'trade-through',
  /** The queue before it shrinks by trades at its price only: cancels are assumed to happen after it. */
  'queue-risk-averse',
  /** Cancels happen ahead of it and behind it with probabilities that follow a power of the two parts of the queue. */
  'queue-power',
  /** The same with logarithms. */
  'queue-log',
  /** Order by order: price-time priority among the recorded orders, exact. Needs a tape of orders. */
  'fifo',
] as const;
/** One of {@link FILL_MODELS}. */
export type FillModelName = (typeof FILL_MODELS)[number];

/** A fill model with its parameters. */
export interface FillModelSettings {
  /** Name of the model. */
  readonly name: FillModelName;
  /** Of `queue-power`: n in p = f(behind) / (f(behind) + f(ahead)), f(x) = x^n. Default 3. */
  readonly exponent?: number;
}

/** One component of latency, in microseconds. */
export type Latency =
  | { readonly kind: 'constant'; readonly us: number }
  /** Drawn from a list of measured values, with the run's own random generator. */
  | { readonly kind: 'sampled'; readonly us: readonly number[] }
  /** What was in force at that time of the recording: rows sorted by time. */
  | { readonly kind: 'recorded'; readonly atUs: Float64Array; readonly us: Float64Array };

/** The three parts. The feed's part is the engine's: see `backtest`. */
export interface OrderLatency {
  /** From us to the exchange. */
  readonly entry: Latency;
  /** From the exchange back to us, for answers and for events of the own account. */
  readonly response: Latency;
}

/** What the local venue is made of. */
export interface LocalVenueOptions {
  /** By the index of a market in the rows. */
  readonly markets: readonly Market[];
  /** Fill model of resting orders. */
  readonly fillModel: FillModelSettings;
  /** Latency of orders and responses. */
  readonly latency: OrderLatency;
  readonly fees: { readonly makerPpm: Ppm; readonly takerPpm: Ppm };
  /** Tiers by the traded notional of the last 30 days of UTC, as at the exchange; lowest first; absent: none. */
  readonly feeTiers?: readonly {
    readonly volumeMin: Quantums;
    readonly makerPpm: Ppm;
    readonly takerPpm: Ppm;
  }[];
  /** Initial collateral in quantums. */
  readonly collateral: Quantums;
  /** Absent: nothing is made worse. */
  readonly disturbance?: Disturbance | undefined;
  /** Hours between settlements of funding where the tape names rates but no settlements. Default 1. */
  readonly fundingIntervalMs?: number;
  /** Lanes of the bot. */
  readonly lanes: readonly LaneId[];
  /** Random generator; the same seed gives the same run. */
  readonly random: Random;
  /** Receives facts for the bot. */
  readonly sink: FactSink;
  /** Takes what arrives together, where no fill is among it, instead of `sink`. Default: that. */
  readonly sinkAll?: FactsSink;
}

/** Rows of the markets in columns, see `EVENT`. */
export interface MarketRows {
  /** Kind of each row (`domain/market-rows.ts`). */
  readonly kind: Uint8Array;
  /** Flags of each row. */
  readonly flags: Uint8Array;
  /** Market index of each row. */
  readonly market: Uint16Array;
  /** Exchange time of each row, Unix us. */
  readonly exchangeUs: Float64Array;
  /** Price of each row in ticks, or the value that its kind defines. */
  readonly price: Uint32Array;
  /** Size of each row in lots, or the value that its kind defines. */
  readonly size: Float64Array;
  /** Id of each row; its kind defines the meaning. */
  readonly id: Float64Array;
}

/** Levels of a market as its rows give them, by the keys of a side. */
export interface EmittedLevels {
  /** Bid levels. */
  readonly bids: LevelSide;
  /** Ask levels. */
  readonly asks: LevelSide;
}

/** See the module. Times are Unix microseconds that never fall. */
export interface LocalVenue extends VenuePort {
  /**
   * Takes one row of the market in, at its exchange time. Columns of one row, so that no object is made; the id of a level
   * or a trade is not looked at.
   */
  onRow(
    kind: number,
    flags: number,
    market: number,
    us: number,
    price: number,
    size: number,
    id: number,
  ): void;
  /**
   * Takes the row at `from` in and later ones, up to before `to`: as {@link onRow}, as long as they happened until
   * `limitUs` and no event of the venue is due before. Gives the first one that it has not taken in.
   */
  takeRows(rows: MarketRows, from: number, to: number, limitUs: number): number;
  /**
   * Takes rows in of which another reader has applied the levels: `levels` are those after the last one, by the index
   * of a market, `others` the rows among them that are no levels. No reset, gap or row of an order is among those.
   * False, and nothing was taken in, where rows have to come one by one: a row could fill an order, a market shows
   * other levels than were given.
   */
  passRows(rows: MarketRows, others: Int32Array, levels: readonly EmittedLevels[]): boolean;
  /** When an event of the venue is due next: an arrival, an answer, a settlement; Infinity: nothing. */
  readonly dueUs: number;
  /**
   * How much later than a row the first fact can be that it makes, us. While no order of ours rests and no position is
   * held no row makes one: Infinity. This long before the next row the bot may be served.
   */
  readonly leadUs: number;
  /**
   * How much later than it was sent the first command can arrive, us. It may be served this much later than the bot.
   */
  readonly entryUs: number;
  /** Does what is due until `us`, inclusive, in order. Facts leave through the sink. */
  advance(us: number): void;
  /** The time of a submit: the engine sets it before each turn. */
  nowUs: number;
  /** First facts: markets, an account of `collateral`, the switch armed, lanes ready. Call once before the first row. */
  open(us: number): void;
  /**
   * Of a resting order: the queue ahead of it, now and when it came to rest, in lots; undefined: no such order or no
   * queue in this model.
   */
  queueOf(orderId: OrderId): { readonly aheadLots: number; readonly atRestLots: number } | undefined;
  /** Orders that came to rest between the prices that a market's book shows; undefined: every book shows every price. */
  readonly ordersBetweenLevels: number | undefined;
  /** Cash by the venue's own ledger, and its equity at mark. For the identity of reports. */
  balance(): { readonly collateral: Quantums; readonly equity: Quantums };
}
