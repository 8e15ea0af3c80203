/**
 * @module
 * A trend follower on candles: long while the fast mean of closes is above the slow one, short or flat while it is below,
 * and out when the price goes too far against it. It trades without taking. See the README beside this file. What this
 * does not do: quote both sides, or hedge.
 */
import {
  ConfigError,
  closedMinutesOf,
  type Decimal,
  defineStrategy,
  isEmpty,
  type MarketSymbol,
  type MarketView,
  ParameterQuoter,
  param,
  type RequoteParameters,
  requoteEntries,
  type StrategyContext,
  type TimerEvent,
  type Touch,
  towards,
  type Wanted,
} from 'ballast/strategy';
import { TrendRule } from './rule.ts';
import type { Direction } from './trend.ts';

/** The parameters as they are used; their text forms are in the README. */
export interface TrendParameters extends RequoteParameters {
  /** The position of a trend, in units of the market. */
  readonly position: Decimal;
  /** The most that stands in the book at once, in units of the market. */
  readonly slice: Decimal;
  /** Length of a bar, ms. */
  readonly bar: number;
  readonly fastBars: number;
  readonly slowBars: number;
  /** The means must differ by this to turn the direction, ppm. */
  readonly bandPpm: number;
  /** May it be short? */
  readonly shorts: boolean;
  /** Out when the mid is this far on the wrong side of the average price, ppm; 0: never. */
  readonly stopPpm: number;
}

const parameters = param
  .object({
    position: param.decimal({ above: '0' }),
    slice: param.decimal({ above: '0' }),
    bar: param.durationMs({ min: '1s' }).prefault('1m'),
    fastBars: param.integer({ min: 1, max: 1_000 }).prefault(10),
    slowBars: param.integer({ min: 2, max: 10_000 }).prefault(30),
    bandPpm: param.ppm().prefault(0),
    shorts: param.flag().prefault(true),
    stopPpm: param.ppm({ max: 1_000_000 }).prefault(0),
    ...requoteEntries('500ms'),
  })
  .refine((values) => values.fastBars < values.slowBars, { path: ['fastBars'], error: 'below slowBars' });

/** The strategy `trend-following`. */
export default defineStrategy({
  name: 'trend-following',
  summary: 'Holds a position in the direction of two means of closes, and trades without taking.',
  parameters,
  create(context, initial) {
    const trends = new TrendFollowing(context, initial);
    return {
      ...trends.quoter.handlers,
      onLoad: (saved) => trends.load(saved),
      onSave: () => trends.save(),
      onStart: () => trends.start(),
      onTimer: (timer) => trends.seeTimer(timer),
    };
  },
  bars(market, values) {
    if (values.bar !== market.barMs) throw otherBars(values.bar, market.barMs);
    return new TrendRule({ ...values, positionLots: market.sizeOf(values.position) });
  },
});

/** What is kept over a restart, by market: the direction that was stopped out of, until it turns. */
type Kept = Readonly<Record<string, Direction>>;

const BAR_TIMER = 'bar';
const MINUTE_MS = 60_000;

class TrendFollowing {
  readonly quoter: ParameterQuoter<TrendParameters>;
  readonly #context: StrategyContext;
  readonly #rules = new Map<MarketSymbol, TrendRule>();
  /** What was kept by the run before, until the rules are made. */
  readonly #kept = new Map<MarketSymbol, Direction>();

  constructor(context: StrategyContext, initial: TrendParameters) {
    this.#context = context;
    this.quoter = new ParameterQuoter(context, initial, () => (view, touch) => this.#wanted(view, touch));
  }

  load(saved: unknown): void {
    if (typeof saved !== 'object' || saved === null) return;
    for (const [symbol, direction] of Object.entries(saved))
      if (direction === 1 || direction === -1) this.#kept.set(symbol as MarketSymbol, direction);
  }

  save(): Kept {
    const now = [...this.#rules].map(([symbol, { stoppedOut }]) => [symbol, stoppedOut] as const);
    return Object.fromEntries([...this.#kept, ...now].filter(([, direction]) => direction !== 0));
  }

  start(): void {
    const { values } = this.quoter;
    for (const symbol of this.#context.symbols) {
      const positionLots = this.#context.market(symbol).sizeOf(values.position);
      const stoppedOut = this.#kept.get(symbol) ?? 0;
      this.#kept.delete(symbol);
      const rule = new TrendRule({ ...values, positionLots, stoppedOut });
      this.#rules.set(symbol, rule);
      if (values.bar === MINUTE_MS) this.#readHistory(symbol, rule);
    }
    this.#awaitBarEnd();
    this.quoter.handlers.onStart();
  }

  seeTimer(timer: TimerEvent): void {
    this.quoter.handlers.onTimer(timer);
    if (timer.name !== BAR_TIMER) return;
    this.#awaitBarEnd();
    for (const symbol of this.#context.symbols) {
      const view = this.#context.market(symbol);
      const close = view.foreignMidTicks;
      if (close === undefined || !view.isFresh) continue;
      this.#ruleOf(symbol)?.observe(close);
      this.quoter.quote(view);
    }
  }

  /** Candles of one minute that are over give the means a past. */
  #readHistory(symbol: MarketSymbol, rule: TrendRule): void {
    for (const { closeTicks } of closedMinutesOf(this.#context.market(symbol), this.#context.now()))
      rule.observe(closeTicks);
  }

  /** Bars end where those of everybody else end: at the multiples of their length. */
  #awaitBarEnd(): void {
    const { bar } = this.quoter.values;
    this.#context.startTimer(BAR_TIMER, bar - (this.#context.now() % bar));
  }

  /** The rule of a market, with the parameters that hold. */
  #ruleOf(symbol: MarketSymbol): TrendRule | undefined {
    const rule = this.#rules.get(symbol);
    if (rule !== undefined) rule.terms = this.quoter.values;
    return rule;
  }

  #wanted(view: MarketView, touch: Touch): Wanted | string {
    const { position, slice, slowBars, requoteTicks } = this.quoter.values;
    const rule = this.#ruleOf(view.symbol);
    if (rule === undefined || !rule.isKnown) return `fewer than ${slowBars} bars were seen`;
    if (isStopped(rule, view, touch)) rule.onExit('stop');
    const wanted = towards({
      market: view,
      touch,
      requoteTicks,
      targetLots: view.sizeOf(position) * rule.held,
      inventoryLots: view.inventoryLots,
      sizeLots: view.sizeOf(slice),
    });
    return isEmpty(wanted) ? 'the position is as it should be' : wanted;
  }
}

/** Is the middle at the stop of what is held, or beyond it? */
function isStopped(rule: TrendRule, view: MarketView, { midTicks }: Touch): boolean {
  const { averageTicks, inventoryLots } = view;
  if (averageTicks === undefined) return false;
  const stopTicks = rule.stopTicks(undefined, -1, inventoryLots, averageTicks);
  return inventoryLots > 0 ? midTicks <= stopTicks : midTicks >= stopTicks;
}

function otherBars(barMs: number, foundMs: number): ConfigError {
  return new ConfigError({
    code: 'STRATEGY_BAR_LENGTH',
    message: `expected bars of ${barMs} ms as the parameter bar says, found bars of ${foundMs} ms`,
    remedy: 'Set bar to the length of the bars, or make them that long with --bar.',
  });
}
