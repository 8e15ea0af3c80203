/**
 * @module
 * The volatility of each market of a strategy, from the mid of others' orders once a second: each change of a book
 * would count the bounce between bid and ask. In ppm of the price per square root of a second.
 */
import type { MarketSymbol } from '../../../domain/index.ts';
import type { MarketView, StrategyContext } from '../context.ts';
import type { TimerEvent } from '../handlers.ts';
import { closedMinutesOf } from './closed-minutes.ts';
import { Volatility } from './volatility.ts';

/** Number of changes from which on the estimate is used. */
const CHANGES_MIN = 30;
const SAMPLE_TIMER = 'sample';
const SAMPLE_MS = 1_000;

/** See the module. */
export class MidVolatility {
  readonly #context: StrategyContext;
  readonly #estimates = new Map<MarketSymbol, Volatility>();

  constructor(context: StrategyContext) {
    this.#context = context;
  }

  /** Begins, with nothing seen. To be called from `onStart`. */
  start(halfLifeMs: number): void {
    for (const symbol of this.#context.symbols) this.#estimates.set(symbol, new Volatility(halfLifeMs));
    this.#context.startInterval(SAMPLE_TIMER, SAMPLE_MS);
  }

  /** Takes in the closes of the minutes that are over. To be called after {@link start}. */
  readMinutes(): void {
    for (const [symbol, estimate] of this.#estimates)
      for (const { endAtMs, closeTicks } of closedMinutesOf(
        this.#context.market(symbol),
        this.#context.now(),
      ))
        estimate.observe(logPpmOf(closeTicks), endAtMs);
  }

  /** Takes in the middles when the timer is its own. The markets that had one to be trusted. */
  onTimer({ name }: TimerEvent): readonly MarketView[] {
    if (name !== SAMPLE_TIMER) return [];
    const views = this.#context.symbols.map((symbol) => this.#context.market(symbol));
    return views.filter((view) => this.#sample(view));
  }

  /** The estimate for a market; `undefined` until enough was seen. */
  perSqrtSecond(symbol: MarketSymbol): number | undefined {
    const estimate = this.#estimates.get(symbol);
    return estimate !== undefined && estimate.count >= CHANGES_MIN ? estimate.perSqrtSecond : undefined;
  }

  #sample(view: MarketView): boolean {
    const mid = view.externalMidTicks;
    if (mid === undefined || !view.isFresh) return false;
    this.#estimates.get(view.symbol)?.observe(logPpmOf(mid), this.#context.now());
    return true;
  }
}

/** A price as ppm of itself on a scale whose steps add up. */
function logPpmOf(priceTicks: number): number {
  return Math.log(priceTicks) * 1_000_000;
}
