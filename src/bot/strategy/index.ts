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
 *       const mid = view.foreignMidTicks;
 *       if (mid === undefined) return context.pullQuotes('one side of the book is empty', view.symbol);
 *       const sizeLots = view.sizeOf(size);
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
  type OrderStanding,
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
export { type ChaserOptions, chaser } from './algos/chaser.ts';
export type { ExecutionHandlers } from './algos/handlers.ts';
export { Hedge, type HedgeOptions } from './algos/hedge.ts';
export { type IcebergOptions, iceberg } from './algos/iceberg.ts';
export {
  type ExecutionReport,
  type OpenWish,
  ParentOrder,
  type ParentOrderOptions,
  type ParentOrderPolicy,
  type Progress,
  type SavedParentOrder,
} from './algos/parent-order.ts';
export { type CumulativeLots, cumulativeLotsOf, type ScheduleOptions, scheduled } from './algos/scheduled.ts';
export { type TwapOptions, twap } from './algos/twap.ts';
export type { Bar, BarExit, BarMarket, BarRule, Bars } from './bars.ts';
export type { AccountOverview, MarketView, StrategyContext } from './context.ts';
export {
  defineStrategy,
  describeProblem,
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
  type Nothing,
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
} from './intents.ts';
export { type CheckedParameters, type ParameterProblem, type ParameterSchema, param } from './parameters.ts';
export {
  BarFollower,
  type BarFollowerHandlers,
  type FollowParameters,
  followEntries,
} from './quoting/bar-follower.ts';
export {
  isEmpty,
  partOf,
  type QuotedMarket,
  type QuoteWish,
  quotesOf,
  type SideWish,
  sidesWithin,
  TOO_SMALL,
  toleranceOf,
  within,
} from './quoting/levels.ts';
export {
  HALF_SPREADS_IN_ORDER,
  type ModelParameters,
  type ModelWish,
  modelEntries,
  modelQuotes,
} from './quoting/model-quotes.ts';
export { ParameterQuoter, type ParameterQuoterHandlers } from './quoting/parameter-quoter.ts';
export {
  type MakerParameters,
  type RequoteParameters,
  requoteEntries,
  type SizeParameters,
  sizeEntries,
} from './quoting/parameters.ts';
export { type LotSizes, lotSizesOf, perMarket } from './quoting/per-market.ts';
export { QUOTE_TIMER, Quoter, type QuoterHandlers, type Wanted, type WantedOf } from './quoting/quoter.ts';
export type { Touch } from './quoting/touch.ts';
export { type TowardsWish, towards } from './quoting/towards.ts';
