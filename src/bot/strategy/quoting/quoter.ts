/**
 * @module
 * When quotes are stated, and when none are: the code that every maker needs. The strategy
 * says what it wants in a market; the quoter asks it with each book, at an interval and after fills, and pulls the quotes
 * with a reason while the market or the account cannot be trusted.
 *
 *   book, timer ─▶ due? ──┐
 *   fill, resumed ────────┴─▶ trusted? ─▶ wanted(view, touch) ─▶ quote, or pull with the reason
 *
 * What this does not do: prices and sizes.
 */
import { BotError } from '../../../core/index.ts';
import type { MarketSymbol } from '../../../domain/index.ts';
import type { MarketView, StrategyContext } from '../context.ts';
import type { Degradation, StrategyHandlers } from '../handlers.ts';
import type { QuoteOptions, TickLevel } from '../intents.ts';
import { type Touch, touchOf } from './touch.ts';

/** What a strategy wants in a market. */
export interface QuoteTarget {
  readonly bids: readonly TickLevel[];
  readonly asks: readonly TickLevel[];
  /** Options of the quotes; absent: defaults. */
  readonly options?: QuoteOptions;
}

/** The wanted quotes, or why there are none. Called when everything can be trusted and both sides of the book are there. */
export type QuoteFunction = (view: MarketView, touch: Touch) => QuoteTarget | string;

/** Handlers a quoter takes over; a strategy that has its own calls the quoter's from it. */
export type QuoterHandlers = Required<
  Pick<StrategyHandlers, 'onBook' | 'onBbo' | 'onFill' | 'onTimer' | 'onDegraded' | 'onResumed'>
>;

/** The timer of a quoter. */
export const QUOTE_TIMER = 'requote';

/** See the module. */
export class Quoter {
  readonly #context: StrategyContext;
  readonly #wantedOf: QuoteFunction;
  #intervalMs = 0;
  #isStarted = false;
  readonly #nextQuoteAtMs = new Map<MarketSymbol, number>();
  /** Why no quotes are wanted in a market at present. */
  readonly #pulled = new Map<MarketSymbol, string>();
  /** Reasons of {@link Degradation}, by market; `undefined`: the account. */
  readonly #degraded = new Map<MarketSymbol | undefined, string>();

  constructor(context: StrategyContext, wantedOf: QuoteFunction) {
    this.#context = context;
    this.#wantedOf = wantedOf;
  }

  /** The handlers, to be spread into those of the strategy. */
  readonly handlers: QuoterHandlers = {
    onBook: (view) => this.#quoteIfDue(view),
    onBbo: (view) => this.#quoteIfDue(view),
    onFill: (_fill, view) => this.quote(view),
    onTimer: ({ name }) => {
      if (name !== QUOTE_TIMER) return;
      for (const symbol of this.#context.symbols) this.#quoteIfDue(this.#context.market(symbol));
    },
    onDegraded: (degradation) => this.#degrade(degradation),
    onResumed: (symbol) => this.#resume(symbol),
  };

  /** Begins, or continues with another interval, ms: states the quotes of all markets at once. */
  start(intervalMs: number): void {
    this.#isStarted = true;
    this.#intervalMs = intervalMs;
    this.#context.startInterval(QUOTE_TIMER, intervalMs);
    this.#quoteAll(undefined);
  }

  /** States the quotes of a market now, due or not. */
  quote(view: MarketView): void {
    if (!this.#isStarted) return;
    const { symbol } = view;
    const wanted = this.#wanted(view);
    if (typeof wanted === 'string') {
      if (this.#pulled.get(symbol) === wanted) return;
      this.#pulled.set(symbol, wanted);
      this.#context.pullQuotes(wanted, symbol);
      return;
    }
    this.#pulled.delete(symbol);
    this.#nextQuoteAtMs.set(symbol, this.#context.now() + this.#intervalMs);
    this.#context.quote(symbol, wanted, wanted.options);
  }

  #quoteIfDue(view: MarketView): void {
    const waitMs = (this.#nextQuoteAtMs.get(view.symbol) ?? 0) - this.#context.now();
    // A wait longer than any was: the clock was set back.
    if (waitMs <= 0 || waitMs > this.#intervalMs) this.quote(view);
  }

  #degrade({ symbol, reason }: Degradation): void {
    this.#degraded.set(symbol, reason);
    this.#quoteAll(symbol);
  }

  #resume(symbol: MarketSymbol | undefined): void {
    if (symbol === undefined) this.#degraded.clear();
    else this.#degraded.delete(symbol);
    this.#quoteAll(symbol);
  }

  #quoteAll(symbol: MarketSymbol | undefined): void {
    for (const one of symbol === undefined ? this.#context.symbols : [symbol])
      this.quote(this.#context.market(one));
  }

  #wanted(view: MarketView): QuoteTarget | string {
    const degraded = this.#degraded.get(undefined) ?? this.#degraded.get(view.symbol);
    if (degraded !== undefined) return degraded;
    if (!view.isTradable) return 'the market takes no orders';
    if (!view.isFresh) return 'the market data is not fresh';
    const touch = touchOf(view);
    return touch === undefined ? 'one side of the book is empty' : this.#fitting(view, touch);
  }

  /** A market that was quoted got coarser steps, for good or for a while: nothing is wanted there until values fit again. */
  #fitting(view: MarketView, touch: Touch): QuoteTarget | string {
    try {
      return this.#wantedOf(view, touch);
    } catch (error) {
      const isOffStep = error instanceof BotError && error.code === 'STRATEGY_VALUE_OFF_STEP';
      if (isOffStep && this.#nextQuoteAtMs.has(view.symbol)) return error.message;
      throw error;
    }
  }
}
