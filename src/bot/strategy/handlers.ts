/**
 * @module
 * The calls a strategy can take. All optional, all synchronous: a handler that returns a promise is stopped, for the
 * world would change under it. State is updated first: views already show the event when its handler runs.
 */
import type { UnixMs } from '../../core/index.ts';
import type {
  AccountSummary,
  Bbo,
  Book,
  Candle,
  Denial,
  Fill,
  FundingRate,
  IntentId,
  LedgerEntry,
  Lots,
  MarketSymbol,
  OrderId,
  OrderSpec,
  OrderStatus,
  Prices,
  Trade,
  WorkingOrder,
} from '../../domain/index.ts';
import type { MarketView } from './context.ts';
import type { StrategyMessage } from './messages.ts';

/** The answer of a handler: none. An `async` handler does not compile. */
// biome-ignore lint/suspicious/noConfusingVoidType: a union with void refuses promises, which void alone accepts
export type HandlerResult = void | undefined;

/** The outcome of one of the strategy's own orders or intents. */
export interface OrderUpdate {
  readonly symbol: MarketSymbol;
  /** The intent that it came from; `undefined`: none is known. */
  readonly intentId: IntentId | undefined;
  /** The exchange's number of the order; `undefined`: not known yet. */
  readonly orderId: OrderId | undefined;
  /** `unresolved` is not an end: proof is on its way. */
  readonly status: OrderStatus;
  /** The order; `undefined`: the intent never became one. */
  readonly order: WorkingOrder | undefined;
  /** What was asked for; `undefined`: not known. */
  readonly spec: OrderSpec | undefined;
  /** The reason, in words; `undefined`: none is given. */
  readonly reason: string | undefined;
}

/** The strategy's inventory after a fill, or after the exchange began a new ledger. */
export interface PositionUpdate {
  readonly symbol: MarketSymbol;
  readonly inventoryLots: Lots;
  /** Average price in ticks, for people; `undefined` when flat. */
  readonly averageEntryTicks: number | undefined;
  /** What else than a fill it comes from, in words; `undefined`: a fill. */
  readonly reason: string | undefined;
}

/** A timer of the strategy that is due. */
export interface TimerEvent {
  /** Name that the timer was started with. */
  readonly name: string;
  readonly atMs: UnixMs;
}

/** Why data or account cannot be relied on; placements are denied meanwhile. */
export interface Degradation {
  /** Absent: the whole account. */
  readonly symbol: MarketSymbol | undefined;
  /** The reason, in words. */
  readonly reason: string;
}

/** Which feed a value came from, and when. */
export interface FeedUpdate {
  /** As the configuration names it. */
  readonly name: string;
  readonly atMs: UnixMs;
}

/** The handlers of a strategy with parameters of type `Parameters`, which hears messages of type `Heard`. */
export interface StrategyHandlers<Parameters = unknown, Heard = StrategyMessage> {
  /** Everything is known: markets, history of candles, own position. Nothing else is called before. */
  onStart?(): HandlerResult;
  /** A new order book. */
  onBook?(view: MarketView, book: Book): HandlerResult;
  /** New best quotes. */
  onBbo?(view: MarketView, bbo: Bbo): HandlerResult;
  /** A trade of the market, of any participant. */
  onTrade?(view: MarketView, trade: Trade): HandlerResult;
  /** New mark, index or other prices. */
  onPrices?(view: MarketView, prices: Prices): HandlerResult;
  /** A new or changed bar. */
  onCandle?(view: MarketView, candle: Candle): HandlerResult;
  /** A new funding rate. */
  onFunding?(view: MarketView, funding: FundingRate): HandlerResult;
  /** An own order or intent has changed. */
  onOrder?(update: OrderUpdate): HandlerResult;
  /** A fill of an own order. */
  onFill?(fill: Fill, view: MarketView): HandlerResult;
  /** The strategy's inventory in a market has changed. */
  onPosition?(update: PositionUpdate, view: MarketView): HandlerResult;
  /** New balances of the account. */
  onAccount?(account: AccountSummary): HandlerResult;
  /** A new ledger entry of the account. */
  onLedger?(entry: LedgerEntry): HandlerResult;
  /** A timer of this strategy has fired. */
  onTimer?(timer: TimerEvent): HandlerResult;
  /** A value of a custom feed, as JSON gave it; of every feed, whichever strategy uses it. */
  onFeed?(value: unknown, feed: FeedUpdate): HandlerResult;
  /** A message of another strategy, of a topic that this one hears; within the turn in which it was published. */
  onMessage?(message: Heard): HandlerResult;
  /** An intent was stopped inside, in the same turn it was made. */
  onDenied?(denial: Denial): HandlerResult;
  /** Data or account state cannot be trusted at present; placements are denied. */
  onDegraded?(degradation: Degradation): HandlerResult;
  /** All is known again; quotes must be stated again. */
  onResumed?(symbol: MarketSymbol | undefined): HandlerResult;
  /** New parameters, checked already; the instance continues with its state. */
  onParameters?(parameters: Parameters): HandlerResult;
  /** Plain data (JSON) to find again after a restart. */
  onSave?(): unknown;
  /** What `onSave` gave in an earlier run, before `onStart`. */
  onLoad?(saved: unknown): HandlerResult;
  /** The last call. Orders are canceled by the runtime. */
  onStop?(reason: string): HandlerResult;
}

/** Names of handlers. */
export type HandlerName = keyof StrategyHandlers;

/** All names of {@link HandlerName}. */
export const HANDLER_NAMES = [
  'onStart',
  'onBook',
  'onBbo',
  'onTrade',
  'onPrices',
  'onCandle',
  'onFunding',
  'onOrder',
  'onFill',
  'onPosition',
  'onAccount',
  'onLedger',
  'onTimer',
  'onFeed',
  'onMessage',
  'onDenied',
  'onDegraded',
  'onResumed',
  'onParameters',
  'onSave',
  'onLoad',
  'onStop',
] as const satisfies readonly HandlerName[];
