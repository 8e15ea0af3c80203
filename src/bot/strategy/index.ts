/**
 * @module
 * The strategy SDK, `ballast/strategy`: everything a plugin may import. A strategy is a module whose default export is
 * made by {@link defineStrategy}; it sees markets through its context and states what it wants.
 * @example
 * export default defineStrategy({
 *   name: 'one-cent-wide',
 *   parameters: param.object({ size: param.decimal({ above: '0' }) }),
 *   create: (context, { size }) => ({
 *     onBook(view) {
 *       const mid = view.externalMidTicks;
 *       if (mid === undefined) return context.pullQuotes('one side of the book is empty', view.symbol);
 *       const sizeLots = view.lotsOf(size);
 *       context.quote(view.symbol, {
 *         bids: [{ priceTicks: view.floorTicks(mid - 1), sizeLots }],
 *         asks: [{ priceTicks: view.ceilTicks(mid + 1), sizeLots }],
 *       });
 *     },
 *   }),
 * });
 */
export { ConfigError, Decimal, type Log, type Random, type UnixMs } from '../../core/index.ts';
export {
  type AccountSummary,
  type Bbo,
  type Book,
  type Candle,
  type CandleInterval,
  type Denial,
  type Fill,
  type FundingRate,
  formatPrice,
  formatSize,
  type IntentId,
  type LedgerEntry,
  type Lots,
  lots,
  type Market,
  type MarketSymbol,
  notionalOf,
  type OrderId,
  type OrderRef,
  type OrderSpec,
  type OrderStatus,
  oppositeOf,
  type Pnl,
  type Ppm,
  type Prices,
  type Quantums,
  type Side,
  type StrategyId,
  signedLots,
  type Ticks,
  type TimeInForce,
  type Trade,
  ticks,
  type WorkingOrder,
} from '../../domain/index.ts';
export {
  type AlmgrenChrissInput,
  type AlmgrenChrissOptions,
  type AlmgrenChrissPlan,
  almgrenChriss,
  almgrenChrissPlanOf,
} from './algos/almgren-chriss.ts';
export { type Barrier, BarrierExit, type BarrierOptions, type SavedBarrier } from './algos/barrier-exit.ts';
export { Bracket, type BracketOptions } from './algos/bracket.ts';
export type { BracketEnd, BracketPlan, GuardPlan, SavedBracket } from './algos/bracket-plan.ts';
export { type ChaserOptions, chaser } from './algos/chaser.ts';
export { type DcaOptions, dca } from './algos/dca.ts';
export type { AlgoHandlers } from './algos/handlers.ts';
export { Hedge, type HedgeOptions } from './algos/hedge.ts';
export { type IcebergOptions, iceberg } from './algos/iceberg.ts';
export {
  type ChildTarget,
  ParentOrder,
  type ParentOrderOptions,
  type ParentOrderPolicy,
  type ParentOrderProgress,
  type ParentOrderReport,
} from './algos/parent-order.ts';
export type { SavedParentOrder } from './algos/saved-parent-order.ts';
export { type FillSchedule, fillScheduleOf, type ScheduleOptions, scheduled } from './algos/scheduled.ts';
export { type TwapOptions, twap } from './algos/twap.ts';
export type { Bar, BarExit, BarMarket, BarRule, Bars } from './bars.ts';
export { compose, type StrategyPart } from './compose.ts';
export type { AccountOverview, MarketView, StrategyContext } from './context.ts';
export {
  defineStrategy,
  isStrategyDefinition,
  type StrategyBlueprint,
  type StrategyDefinition,
  type StrategyInstance,
} from './define.ts';
export {
  type Degradation,
  type FeedUpdate,
  HANDLER_NAMES,
  type HandlerName,
  type HandlerResult,
  type OrderUpdate,
  type PositionUpdate,
  type StrategyHandlers,
  type TimerEvent,
} from './handlers.ts';
export { imbalanceOf, micropriceOf } from './indicators/book-shape.ts';
export { type ClosedMinute, closedMinutesOf } from './indicators/closed-minutes.ts';
export { Ema } from './indicators/ema.ts';
export { Ewma } from './indicators/ewma.ts';
export { MidVolatility } from './indicators/mid-volatility.ts';
export { type IntensityCurve, intensityCurveOf, TradeIntensity } from './indicators/trade-intensity.ts';
export { Volatility } from './indicators/volatility.ts';
export {
  type DecimalLevel,
  type Intent,
  isTickLevel,
  type Level,
  type OrderDraft,
  type OrderInput,
  order,
  type QuoteOptions,
  type TargetQuotes,
  type TickLevel,
  type TpslDraft,
  type TpslIntents,
  type TpslLegDraft,
  type TriggerDraft,
  type TwapDraft,
} from './intents.ts';
export {
  heardTopic,
  type MessageOf,
  misspeltTopics,
  type Published,
  publishedBy,
  type StrategyMessage,
  type Topic,
  type TopicNames,
  takenBy,
  topic,
} from './messages.ts';
export type { ParameterForm } from './parameter-forms.ts';
export {
  type CheckedParameters,
  describeProblem,
  type ParameterProblem,
  type ParameterSchema,
  param,
} from './parameters.ts';
export {
  type BarFollowerHandlers,
  type BarRuleParameters,
  BarRuleRunner,
  barParams,
} from './quoting/bar-rule-runner.ts';
export { Grid, type GridOptions } from './quoting/grid.ts';
export {
  BELOW_MIN_NOTIONAL,
  clamp,
  hasNoQuotes,
  ppmOf,
  type QuotedMarket,
  type QuotePlan,
  quotesOf,
  quoteTolerance,
  type SidePlan,
  sidesWithin,
} from './quoting/levels.ts';
export {
  HALF_SPREADS_IN_ORDER,
  type ModelParameters,
  type ModelQuoteInput,
  modelParams,
  modelQuotes,
} from './quoting/model-quotes.ts';
export { ParameterQuoter, type ParameterQuoterHandlers } from './quoting/parameter-quoter.ts';
export {
  type MakerParameters,
  type RequoteParameters,
  requoteParams,
  type SizeParameters,
  sizeParams,
} from './quoting/parameters.ts';
export { type LotSizes, lotSizesOf, perMarket } from './quoting/per-market.ts';
export {
  QUOTE_TIMER,
  type QuoteFunction,
  Quoter,
  type QuoterHandlers,
  type QuoteTarget,
} from './quoting/quoter.ts';
export { type RebalancePlan, rebalanceQuotes } from './quoting/rebalance-quotes.ts';
export type { Touch } from './quoting/touch.ts';
