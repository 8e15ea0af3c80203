/**
 * @module
 * Runs a rule over bars live: the same rule that `ballast bars` runs over columns. Bars are cut from the mid
 * at the multiples of their length; what the rule wants at a close is reached without taking, slice by slice at the best price
 * of others. Its stop and its take-profit are checked against the mid, at each look.
 *
 *   books, trades ─► bar ─► rule ─► target ─► towards(target) ─► quoter
 *
 * What this does not do: remember anything over a restart; until a bar has ended nothing is begun and nothing is ended.
 */
import type { Decimal } from '../../../core/index.ts';
import { ConfigError } from '../../../core/index.ts';
import type { Market, MarketSymbol } from '../../../domain/index.ts';
import type { Bar, BarExit, BarMarket, BarRule } from '../bars.ts';
import type { MarketView, StrategyContext } from '../context.ts';
import type { StrategyHandlers, TimerEvent } from '../handlers.ts';
import { param } from '../parameters.ts';
import { BarWindow } from './bar-window.ts';
import { hasNoQuotes } from './levels.ts';
import { ParameterQuoter, type ParameterQuoterHandlers } from './parameter-quoter.ts';
import { type RequoteParameters, requoteParams } from './parameters.ts';
import type { QuoteTarget } from './quoter.ts';
import { rebalanceQuotes } from './rebalance-quotes.ts';
import type { Touch } from './touch.ts';

/** What a follower needs of the parameters. */
export interface BarRuleParameters extends RequoteParameters {
  /** Length of a bar, ms. */
  readonly bar: number;
  /** The most that rests in the book at once, in units of the market. */
  readonly slice: Decimal;
}

/** The entries of {@link BarRuleParameters} in a `param.object`. */
export function barParams() {
  return {
    bar: param.durationMs({ min: '1s' }).prefault('1m'),
    slice: param.decimal({ above: '0' }),
    ...requoteParams('500ms'),
  };
}

/** The handlers of a {@link BarRuleRunner}. */
export type BarFollowerHandlers<Values> = ParameterQuoterHandlers<Values> &
  Required<Pick<StrategyHandlers<Values>, 'onTrade'>>;

const BAR_TIMER = 'bar';
const MINUTE_MS = 60_000;
const US_PER_MS = 1_000;

/**
 * See the module. `ruleOf` makes the rule of one market, as `bars` of `defineStrategy` does; it is asked once a market and
 * run. Parameters that change meanwhile hold for slices and requotes at once, for the rule where it takes them itself.
 * @example create: (context, values) => new BarRuleRunner(context, values, ruleOf).handlers, bars: ruleOf
 */
export class BarRuleRunner<Values extends BarRuleParameters, Rule extends BarRule = BarRule> {
  readonly #context: StrategyContext;
  readonly #ruleOf: (market: BarMarket, values: Values) => Rule;
  readonly #quoter: ParameterQuoter<Values>;
  readonly #lines = new Map<MarketSymbol, Line<Rule>>();
  /** The handlers, to be spread into those of the strategy. */
  readonly handlers: BarFollowerHandlers<Values>;

  constructor(
    context: StrategyContext,
    initial: Values,
    ruleOf: (market: BarMarket, values: Values) => Rule,
  ) {
    this.#context = context;
    this.#ruleOf = ruleOf;
    this.#quoter = new ParameterQuoter(
      context,
      initial,
      (values) => (view, touch) => this.#wanted(view, touch, values),
    );
    const { handlers } = this.#quoter;
    this.handlers = {
      ...handlers,
      onStart: () => this.#start(),
      onTimer: (timer) => this.#seeTimer(timer),
      onBook: (view, book) => {
        this.#lines.get(view.symbol)?.seeMid(view.externalMidTicks);
        return handlers.onBook(view, book);
      },
      onBbo: (view, bbo) => {
        this.#lines.get(view.symbol)?.seeMid(view.externalMidTicks);
        return handlers.onBbo(view, bbo);
      },
      onTrade: (view, { sizeLots }) => this.#lines.get(view.symbol)?.seeTrade(sizeLots),
    };
  }

  /** The rule of a market; `undefined` before the start. */
  ruleOf(symbol: MarketSymbol): Rule | undefined {
    return this.#lines.get(symbol)?.rule;
  }

  #start(): void {
    const { values } = this.#quoter;
    for (const symbol of this.#context.symbols) {
      const view = this.#context.market(symbol);
      const line = new Line(this.#ruleOf(barMarketOf(view, values.bar), values), view.market);
      this.#lines.set(symbol, line);
      if (values.bar === MINUTE_MS) this.#readHistory(view, line);
    }
    this.#awaitBarEnd();
    this.#quoter.handlers.onStart();
  }

  /** Candles of one minute that are over give the rule a past. */
  #readHistory(view: MarketView, line: Line<Rule>): void {
    for (const candle of view.candles('1m')) {
      const { startAtMs, openTicks, highTicks, lowTicks, closeTicks, volumeLots } = candle;
      if (startAtMs + MINUTE_MS > this.#context.now()) continue;
      const prices = { open: openTicks, high: highTicks, low: lowTicks, close: closeTicks };
      line.end({ openUs: startAtMs * US_PER_MS, ...prices, volume: volumeLots }, view.inventoryLots);
    }
  }

  /** Bars end where those of everybody else end: at the multiples of their length. */
  #awaitBarEnd(): void {
    const { bar } = this.#quoter.values;
    this.#context.startTimer(BAR_TIMER, bar - (this.#context.now() % bar));
  }

  #seeTimer(timer: TimerEvent): void {
    this.#quoter.handlers.onTimer(timer);
    if (timer.name !== BAR_TIMER) return;
    const { bar } = this.#quoter.values;
    this.#awaitBarEnd();
    const openUs = (Math.floor(this.#context.now() / bar) - 1) * bar * US_PER_MS;
    for (const [symbol, line] of this.#lines) {
      const view = this.#context.market(symbol);
      const close = view.isFresh ? view.externalMidTicks : undefined;
      line.endAt(openUs, close, view.inventoryLots);
      if (close !== undefined) this.#quoter.quote(view);
    }
  }

  #wanted(view: MarketView, touch: Touch, values: Values): QuoteTarget | string {
    const line = this.#lines.get(view.symbol);
    if (line?.targetLots === undefined) return `no bar of ${values.bar} ms has ended yet`;
    line.check(view, touch.midTicks);
    const wanted = rebalanceQuotes({
      market: view,
      touch,
      requoteTicks: values.requoteTicks,
      targetLots: line.targetLots,
      inventoryLots: view.inventoryLots,
      sizeLots: view.lotsOf(values.slice),
    });
    return hasNoQuotes(wanted) ? 'the position is as it should be' : wanted;
  }
}

/** A rule in one market with its bars and what it wants. */
class Line<Rule extends BarRule> {
  readonly rule: Rule;
  /** What is wanted; `undefined`: nothing was decided yet. */
  targetLots: number | undefined;
  readonly #window = new BarWindow();
  readonly #market: Market;
  #open: number | undefined;
  #high = Number.NEGATIVE_INFINITY;
  #low = Number.POSITIVE_INFINITY;
  #volume = 0;

  constructor(rule: Rule, market: Market) {
    this.rule = rule;
    this.#market = market;
  }

  seeMid(midTicks: number | undefined): void {
    if (midTicks === undefined) return;
    this.#open ??= midTicks;
    if (midTicks > this.#high) this.#high = midTicks;
    if (midTicks < this.#low) this.#low = midTicks;
  }

  seeTrade(sizeLots: number): void {
    this.#volume += sizeLots;
  }

  /** The bar under way ends at a close; without one that can be trusted it is no bar. The next one opens there. */
  endAt(openUs: number, close: number | undefined, heldLots: number): void {
    this.seeMid(close);
    const [open, high, low, volume] = [this.#open, this.#high, this.#low, this.#volume];
    this.#open = close;
    this.#high = close ?? Number.NEGATIVE_INFINITY;
    this.#low = close ?? Number.POSITIVE_INFINITY;
    this.#volume = 0;
    if (open !== undefined && close !== undefined)
      this.end({ openUs, open, high, low, close, volume }, heldLots);
  }

  /** Asks the rule at the close of a bar. */
  end(bar: Bar, heldLots: number): void {
    this.#window.push(bar);
    const target = this.rule.targetLots(this.#window, this.#window.last, heldLots);
    if (!Number.isFinite(target)) throw invalidTarget(target, bar.openUs);
    this.targetLots = Math.trunc(target / this.#market.lotStep) * this.#market.lotStep;
  }

  /** Closes the position where the mid has reached a level of the rule; the stop comes first. */
  check({ inventoryLots, averageEntryTicks }: MarketView, midTicks: number): void {
    const isAsWanted = Math.sign(this.targetLots ?? 0) === Math.sign(inventoryLots);
    if (inventoryLots === 0 || averageEntryTicks === undefined || !isAsWanted) return;
    const { rule } = this;
    const at = this.#window.last;
    const stop = rule.stopTicks?.(this.#window, at, inventoryLots, averageEntryTicks) ?? Number.NaN;
    const take = rule.takeTicks?.(this.#window, at, inventoryLots, averageEntryTicks) ?? Number.NaN;
    const isLong = inventoryLots > 0;
    if (isLong ? midTicks <= stop : midTicks >= stop) this.#exit('stop');
    else if (isLong ? midTicks >= take : midTicks <= take) this.#exit('take');
  }

  #exit(why: BarExit): void {
    this.targetLots = 0;
    this.rule.onExit?.(why);
  }
}

function barMarketOf(view: MarketView, barMs: number): BarMarket {
  return {
    market: view.market,
    barMs,
    lotsOf: (size) => view.lotsOf(size),
    ticksOf: (price) => view.ticksOf(price),
  };
}

function invalidTarget(target: number, openUs: number): ConfigError {
  return new ConfigError({
    code: 'STRATEGY_TARGET_INVALID',
    message: `expected a number of lots from the rule at the bar of ${new Date(openUs / US_PER_MS).toISOString()}, got ${target}`,
    remedy: 'A rule answers targetLots with a number; what lies ahead of its bar is NaN.',
  });
}
