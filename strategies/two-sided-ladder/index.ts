/**
 * @module
 * A market maker that keeps a ladder of post-only orders on both sides, at the touch or at a distance, and leans against
 * its inventory. See the README beside this file. What this does not do: predict, take, or hedge.
 */
import {
  type Decimal,
  type Degradation,
  defineStrategy,
  type Fill,
  type MarketSymbol,
  type MarketView,
  param,
  type StrategyContext,
  type StrategyHandlers,
} from 'ballast/strategy';
import { type Ladder, type LadderShape, ladderOf } from './ladder.ts';

/** The parameters as they are used; their text forms are in the README. */
export interface LadderParameters extends Omit<LadderShape, 'sizeLots' | 'maxInventoryLots'> {
  /** Size of each order in units of the market. */
  readonly size: Decimal;
  /** Greatest inventory, long or short, in units of the market. */
  readonly maxInventory: Decimal;
  /** Weight of the index price in the reference price, from 0 to 1. */
  readonly indexWeight: Decimal;
  /** An order this many ticks from where it should be stays. */
  readonly requoteTicks: number;
  /** An order stays until less than this part of its size is left, from 0 to 1. */
  readonly topUpBelow: Decimal;
  /** Time between two quotes, ms; fills are answered at once. */
  readonly requoteInterval: number;
}

const ppm = () => param.integer({ min: 0, max: 100_000 });
const part = () => param.decimal({ min: '0', max: '1' });

const parameters = param
  .object({
    levels: param.integer({ min: 1, max: 20 }).prefault(1),
    size: param.decimal({ above: '0' }),
    maxInventory: param.decimal({ above: '0' }),
    touch: param.choice(['ignore', 'join', 'improve']).prefault('join'),
    halfSpreadPpm: ppm(),
    minHalfSpreadPpm: ppm().prefault(0),
    levelSpacingPpm: ppm().prefault(100),
    skewPpm: ppm().prefault(0),
    indexWeight: part().prefault('0'),
    requoteTicks: param.integer({ min: 0, max: 1_000_000 }).prefault(0),
    topUpBelow: part().prefault('0.5'),
    requoteInterval: param.durationMs().prefault('250ms'),
  })
  .refine((values) => values.minHalfSpreadPpm <= values.halfSpreadPpm, {
    path: ['minHalfSpreadPpm'],
    error: 'at most halfSpreadPpm',
  })
  .refine((values) => values.requoteInterval >= 50, {
    path: ['requoteInterval'],
    error: 'at least 50ms',
  });

/** The strategy `two-sided-ladder`. */
export default defineStrategy({
  name: 'two-sided-ladder',
  summary: 'Keeps a ladder of post-only orders on both sides, at the touch or at a distance.',
  parameters,
  create: (context, values) => new TwoSidedLadder(context, values),
});

const TIMER = 'requote';

class TwoSidedLadder implements StrategyHandlers<LadderParameters> {
  readonly #context: StrategyContext;
  #parameters: LadderParameters;
  readonly #shapes = new Map<MarketSymbol, LadderShape>();
  readonly #nextQuoteAtMs = new Map<MarketSymbol, number>();
  /** Why no quotes are wanted in a market at present. */
  readonly #pulled = new Map<MarketSymbol, string>();
  /** Reasons of {@link Degradation}, by market; `undefined`: the account. */
  readonly #degraded = new Map<MarketSymbol | undefined, string>();

  constructor(context: StrategyContext, values: LadderParameters) {
    this.#context = context;
    this.#parameters = values;
  }

  onStart(): void {
    this.onParameters(this.#parameters);
  }

  onParameters(values: LadderParameters): void {
    this.#parameters = values;
    for (const symbol of this.#context.symbols) {
      const view = this.#context.market(symbol);
      this.#shapes.set(symbol, {
        ...values,
        sizeLots: view.sizeOf(values.size),
        maxInventoryLots: view.sizeOf(values.maxInventory),
      });
      this.#quote(view);
    }
    this.#context.startInterval(TIMER, values.requoteInterval);
  }

  onBook(view: MarketView): void {
    this.#quoteIfDue(view);
  }

  onBbo(view: MarketView): void {
    this.#quoteIfDue(view);
  }

  onTimer(): void {
    for (const symbol of this.#context.symbols) this.#quoteIfDue(this.#context.market(symbol));
  }

  onFill(_fill: Fill, view: MarketView): void {
    this.#quote(view);
  }

  onDegraded({ symbol, reason }: Degradation): void {
    this.#degraded.set(symbol, reason);
    for (const one of symbol === undefined ? this.#context.symbols : [symbol])
      this.#quote(this.#context.market(one));
  }

  onResumed(symbol: MarketSymbol | undefined): void {
    if (symbol === undefined) this.#degraded.clear();
    else this.#degraded.delete(symbol);
    for (const one of symbol === undefined ? this.#context.symbols : [symbol])
      this.#quote(this.#context.market(one));
  }

  #quoteIfDue(view: MarketView): void {
    const waitMs = (this.#nextQuoteAtMs.get(view.symbol) ?? 0) - this.#context.now();
    // A wait longer than any was: the clock was set back.
    if (waitMs <= 0 || waitMs > this.#parameters.requoteInterval) this.#quote(view);
  }

  #quote(view: MarketView): void {
    const shape = this.#shapes.get(view.symbol);
    if (shape === undefined) return;
    const wanted = this.#wanted(view, shape);
    if (typeof wanted === 'string') {
      if (this.#pulled.get(view.symbol) === wanted) return;
      this.#pulled.set(view.symbol, wanted);
      this.#context.pullQuotes(wanted, view.symbol);
      return;
    }
    this.#pulled.delete(view.symbol);
    this.#nextQuoteAtMs.set(view.symbol, this.#context.now() + this.#parameters.requoteInterval);
    const { bids, asks, isCut } = wanted;
    const { requoteTicks, topUpBelow } = this.#parameters;
    this.#context.quote(
      view.symbol,
      { bids, asks },
      {
        priceToleranceTicks: toleranceOf(wanted, requoteTicks),
        // What must not be larger is not tolerated to be larger.
        sizeToleranceLots: isCut ? 0 : Math.floor(shape.sizeLots * (1 - topUpBelow.toNumber())),
      },
    );
  }

  /** The wanted ladder, or why there is none. */
  #wanted(view: MarketView, shape: LadderShape): Ladder | string {
    const degraded = this.#degraded.get(undefined) ?? this.#degraded.get(view.symbol);
    if (degraded !== undefined) return degraded;
    if (!view.isTradable) return 'the market takes no orders';
    if (!view.isFresh) return 'the market data is not fresh';
    const { foreignBidTicks: bidTicks, foreignAskTicks: askTicks } = view;
    if (bidTicks === undefined || askTicks === undefined) return 'one side of the book is empty';
    const referenceTicks = referenceOf((bidTicks + askTicks) / 2, this.#parameters.indexWeight, view);
    if (referenceTicks === undefined) return 'the index price is not known';
    const { inventoryLots } = view;
    const ladder = ladderOf({ market: view, bidTicks, askTicks, referenceTicks, inventoryLots, shape });
    if (ladder.bids.length + ladder.asks.length > 0) return ladder;
    return 'the size is below the smallest notional of the market';
  }
}

function referenceOf(mid: number, indexWeight: Decimal, view: MarketView): number | undefined {
  if (indexWeight.isZero()) return mid;
  const index = view.prices?.indexTicks;
  return index === undefined ? undefined : mid + (index - mid) * indexWeight.toNumber();
}

/** `requoteTicks`, but never so many that an order which stays could meet a new one of the other side. */
function toleranceOf({ bids, asks }: Ladder, requoteTicks: number): number {
  const [bid] = bids;
  const [ask] = asks;
  if (bid === undefined || ask === undefined) return requoteTicks;
  return Math.max(0, Math.min(requoteTicks, Math.floor((ask.priceTicks - bid.priceTicks - 1) / 2)));
}
