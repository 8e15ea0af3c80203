/**
 * @module
 * A trend follower on candles: long while the fast mean of closes is above the slow one, short or flat while it is below,
 * and out when the price goes too far against it. It trades without taking. See the README beside this file. What this
 * does not do: quote both sides, or hedge.
 */
import {
  closedMinutesOf,
  type Decimal,
  defineStrategy,
  isEmpty,
  type MarketSymbol,
  type MarketView,
  ParameterQuoter,
  param,
  partOf,
  type RequoteParameters,
  requoteEntries,
  type StrategyContext,
  type TimerEvent,
  type Touch,
  towards,
  type Wanted,
} from 'ballast/strategy';
import { type Direction, Trend } from './trend.ts';

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
});

/** What is kept over a restart, by market: the direction that was stopped out of, until it turns. */
type Kept = Readonly<Record<string, Direction>>;

const BAR_TIMER = 'bar';
const MINUTE_MS = 60_000;

class TrendFollowing {
  readonly quoter: ParameterQuoter<TrendParameters>;
  readonly #context: StrategyContext;
  readonly #trends = new Map<MarketSymbol, Trend>();
  readonly #stoppedOut = new Map<MarketSymbol, Direction>();

  constructor(context: StrategyContext, initial: TrendParameters) {
    this.#context = context;
    this.quoter = new ParameterQuoter(context, initial, () => (view, touch) => this.#wanted(view, touch));
  }

  load(saved: unknown): void {
    if (typeof saved !== 'object' || saved === null) return;
    for (const [symbol, direction] of Object.entries(saved))
      if (direction === 1 || direction === -1) this.#stoppedOut.set(symbol as MarketSymbol, direction);
  }

  save(): Kept {
    return Object.fromEntries(this.#stoppedOut);
  }

  start(): void {
    const { fastBars, slowBars, bar } = this.quoter.values;
    for (const symbol of this.#context.symbols) {
      const trend = new Trend({ fastBars, slowBars });
      this.#trends.set(symbol, trend);
      if (bar === MINUTE_MS) this.#readHistory(symbol);
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
      this.#observe(symbol, close);
      this.quoter.quote(view);
    }
  }

  /** Candles of one minute that are over give the means a past. */
  #readHistory(symbol: MarketSymbol): void {
    for (const { closeTicks } of closedMinutesOf(this.#context.market(symbol), this.#context.now()))
      this.#observe(symbol, closeTicks);
  }

  /** Bars end where those of everybody else end: at the multiples of their length. */
  #awaitBarEnd(): void {
    const { bar } = this.quoter.values;
    this.#context.startTimer(BAR_TIMER, bar - (this.#context.now() % bar));
  }

  #observe(symbol: MarketSymbol, close: number): void {
    const direction = this.#trends.get(symbol)?.observe(close, this.quoter.values.bandPpm);
    if (direction !== this.#stoppedOut.get(symbol) && direction !== 0) this.#stoppedOut.delete(symbol);
  }

  #wanted(view: MarketView, touch: Touch): Wanted | string {
    const { position, slice, slowBars, requoteTicks } = this.quoter.values;
    const trend = this.#trends.get(view.symbol);
    // Without a direction nothing is begun, and nothing is ended: a restart must not sell what a trend holds.
    if (trend === undefined || trend.direction === 0) return `fewer than ${slowBars} bars were seen`;
    this.#judgeStop(view, touch, trend.direction);
    const targetLots = view.sizeOf(position) * this.#heldBy(view.symbol, trend.direction);
    const wanted = towards({
      market: view,
      touch,
      requoteTicks,
      targetLots,
      inventoryLots: view.inventoryLots,
      sizeLots: view.sizeOf(slice),
    });
    return isEmpty(wanted) ? 'the position is as it should be' : wanted;
  }

  #heldBy(symbol: MarketSymbol, direction: Direction): Direction {
    if (this.#stoppedOut.get(symbol) === direction) return 0;
    return direction === -1 && !this.quoter.values.shorts ? 0 : direction;
  }

  /** A position that lost too much is given up, and not taken again before the direction has turned. */
  #judgeStop(view: MarketView, { midTicks }: Touch, direction: Direction): void {
    const { stopPpm } = this.quoter.values;
    const { averageTicks, inventoryLots } = view;
    if (stopPpm === 0 || averageTicks === undefined || Math.sign(inventoryLots) !== direction) return;
    const lossTicks = direction * (averageTicks - midTicks);
    if (lossTicks >= partOf(averageTicks, stopPpm)) this.#stoppedOut.set(view.symbol, direction);
  }
}
