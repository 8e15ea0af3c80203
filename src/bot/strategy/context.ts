/**
 * @module
 * What a strategy sees and what it can do: markets, its own orders and inventory, time, randomness, log, and intents. All
 * of it is synchronous; views show the newest state whenever they are read. Nothing here reaches the gateway.
 */
import type { z } from 'zod';
import type { Decimal, Log, Random, UnixMs } from '../../core/index.ts';
import type {
  AccountSummary,
  Bbo,
  Book,
  Candle,
  CandleInterval,
  IntentId,
  Lots,
  Market,
  MarketSymbol,
  OrderRef,
  Pnl,
  Ppm,
  Prices,
  Quantums,
  StrategyId,
  Ticks,
  Trade,
  WorkingOrder,
} from '../../domain/index.ts';
import type {
  OrderDraft,
  QuoteOptions,
  TargetQuotes,
  TpslDraft,
  TpslIntents,
  TriggerDraft,
  TwapDraft,
} from './intents.ts';
import type { Topic } from './messages.ts';
import type { ParameterSchema } from './parameters.ts';

/** One market as one strategy sees it. The same object all the time; its fields are read fresh. */
export interface MarketView {
  readonly symbol: MarketSymbol;
  /** Steps, decimals, margins. */
  readonly market: Market;
  /** True while the market accepts orders. */
  readonly isTradable: boolean;
  /** True while book and best quotes are recent. While false, new orders are denied. */
  readonly isFresh: boolean;
  /** The current book; its arrays are overwritten by the next frame. */
  readonly book: Book | undefined;
  /** The newest best quotes; `undefined`: none have come. */
  readonly bbo: Bbo | undefined;
  /** The newest mark, index and other prices; `undefined`: none have come. */
  readonly prices: Prices | undefined;
  /** The newest trade; `undefined`: none has come. */
  readonly lastTrade: Trade | undefined;
  /** Best bid, ticks, own orders included; `undefined`: the side is empty. */
  readonly bestBidTicks: Ticks | undefined;
  /** Best ask, ticks, own orders included; `undefined`: the side is empty. */
  readonly bestAskTicks: Ticks | undefined;
  /** Mid of the best bid and ask in ticks, with a half; `undefined` while a side is empty. */
  readonly midTicks: number | undefined;
  /** The best bid that is not an order of this account; what a quote should be priced by. */
  readonly externalBidTicks: Ticks | undefined;
  /** Best ask of other participants, ticks; `undefined`: there is none. */
  readonly externalAskTicks: Ticks | undefined;
  /** Mid of {@link externalBidTicks} and {@link externalAskTicks}. */
  readonly externalMidTicks: number | undefined;
  readonly minNotional: Quantums;
  /** Fee rates of the account; a negative one is a rebate. `undefined`: not known yet. */
  readonly makerFeePpm: Ppm | undefined;
  /** Taker fee of the account, ppm of the notional; `undefined`: not known. */
  readonly takerFeePpm: Ppm | undefined;
  /** Funding rate of the interval, ppm; `undefined`: not known. */
  readonly fundingRatePpm: Ppm | undefined;
  /** Time of the next funding payment, Unix ms; `undefined`: not known. */
  readonly nextFundingAtMs: UnixMs | undefined;
  /** Signed inventory of this strategy. */
  readonly inventoryLots: Lots;
  /** Signed position of the whole account. */
  readonly positionLots: Lots;
  /** Average price of the inventory in ticks, for people. */
  readonly averageEntryTicks: number | undefined;
  /** Working orders of this strategy, oldest first. */
  readonly orders: readonly WorkingOrder[];
  /**
   * Candles of an interval, oldest first; history is there before `onStart` where the gateway has it. What does not come is
   * made of minutes, and where no candles come, of trades. The log says once when there are none.
   */
  candles(interval: CandleInterval): readonly Candle[];
  /** A decimal price as ticks. @throws ConfigError when it does not fit the tick. */
  ticksOf(price: Decimal | string): Ticks;
  /** A decimal size as lots. @throws ConfigError when it does not fit the lot. */
  lotsOf(size: Decimal | string): Lots;
  /** The greatest valid price at or below a number of ticks. */
  floorTicks(value: number): Ticks;
  /** The smallest valid price at or above a number of ticks. */
  ceilTicks(value: number): Ticks;
  /** Ticks as a decimal price. */
  toPrice(priceTicks: Ticks): Decimal;
  /** Lots as a decimal size, signed. */
  toSize(sizeLots: Lots): Decimal;
}

/** The account as a strategy sees it. */
export interface AccountOverview {
  /** True while the account's state is complete. */
  readonly isSynced: boolean;
  /** As the exchange publishes it. */
  readonly summary: AccountSummary | undefined;
  /** Profit and loss of this strategy over all its markets. */
  readonly pnl: Pnl;
}

/** What a strategy is given. */
export interface StrategyContext {
  readonly strategyId: StrategyId;
  /** The markets this instance is configured for; only these can be traded. */
  readonly symbols: readonly MarketSymbol[];
  readonly account: AccountOverview;
  /** Randomness that a seed repeats. `Math.random` would make a run unrepeatable. */
  readonly random: Random;
  readonly log: Log;
  /** Time by the clock of the run. `Date.now` would make a run unrepeatable. */
  now(): UnixMs;
  /** The view of a configured market. @throws ConfigError when the market is not configured. */
  market(symbol: MarketSymbol | string): MarketView;
  /**
   * States which orders this strategy wants in a market. The runtime finds the smallest set of writes and keeps the
   * newest target while a write is on its way. Calling it again with the same target writes nothing.
   */
  quote(symbol: MarketSymbol, target: TargetQuotes, options?: QuoteOptions): void;
  /** Wants no orders in a market (default: in none), and says why; the reason is shown to the operator. */
  pullQuotes(reason: string, symbol?: MarketSymbol): void;
  /** Asks for one order. The outcome of it comes to `onOrder`, `onFill` or `onDenied`, by this id. */
  place(order: OrderDraft): IntentId;
  /**
   * Asks for an order that waits outside the book and enters it with the first block whose index price has reached the
   * trigger. While it waits it is among `orders` of its market with its `trigger`; `onOrder` reports `working`, then `fired`
   * and what comes of every order. Canceled by `cancel`. A reduce-only one never makes a position larger, and may be
   * placed before there is one.
   */
  placeConditional(order: OrderDraft, trigger: TriggerDraft): IntentId;
  /**
   * Asks the exchange to work an order over time: one slice per interval, which takes what is there up to the index price and
   * its tolerance; what a slice leaves goes to the next. It is among `orders` of its market with its `twap`, and `onOrder` reports
   * `working` with each slice, then `filled` or `canceled`. Fills of its slices come to `onFill` under its own number. The whole
   * size counts against every limit until it has ended. Canceled by `cancel`; it ends with the run. Denied for a vault.
   */
  placeTwap(order: TwapDraft): IntentId;
  /**
   * Asks the exchange to close the position at a profit, at a loss, or whichever comes first. Each leg is an order of its own
   * among `orders` of the market, with its `trigger` and the id given here. What closes the position takes both away, which
   * `onOrder` reports as `canceled`; so does the one that fires with the other. Denied without a position on the other side,
   * and where part of the position is not this strategy's, since that would be closed as well. Denied for a vault.
   */
  placeTpsl(order: TpslDraft): TpslIntents;
  /** Asks for the cancel of one of the strategy's own working orders. */
  cancel(ref: OrderRef): void;
  /** Cancels all orders of this strategy, of one market or of all; those of other strategies stay. */
  cancelAll(symbol?: MarketSymbol): void;
  /** Sets the leverage of a market. */
  setLeverage(symbol: MarketSymbol, leverage: number): void;
  /** Calls `onTimer` once after `delayMs`. The same name again replaces the timer. */
  startTimer(name: string, delayMs: number): void;
  /** Calls `onTimer` each `periodMs`. The same name again replaces the timer. */
  startInterval(name: string, periodMs: number): void;
  /** Stops the timer of this name, if it runs. */
  stopTimer(name: string): void;
  /**
   * Stores what `onSave` returns now, without waiting for the next time that the run asks. False: nothing is stored, since
   * `onSave` returned nothing or the disk failed; what was stored before is still there. Within `onSave` it is false.
   */
  save(): boolean;
  /**
   * Sends a message to the strategies of this run that hear the topic, never to this one. Each gets it within this turn, after
   * the handlers that run now have ended: in the order of publication, strategies in the order of the configuration. That
   * nobody hears it is no error. From `onStart` on.
   * @throws ConfigError `STRATEGY_TOPIC_UNKNOWN`, `STRATEGY_MESSAGE_INVALID`, or `STRATEGY_MESSAGE_RING` where messages answer
   * messages without an end.
   */
  publish<Schema extends ParameterSchema>(topic: Topic<string, Schema>, value: z.input<Schema>): void;
  /** Stops this strategy, cancels its orders, and reports the reason to the operator. */
  stop(reason: string): void;
}
