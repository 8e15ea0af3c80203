/**
 * @module
 * What one strategy wants in one market, and why it has no orders there while it has none: a reason per market,
 * recorded when it changes.
 */
import { added } from '../../core/index.ts';
import type {
  AccountView,
  IntentId,
  LaneId,
  MarketRecord,
  MarketSymbol,
  OrderSpec,
  StrategyId,
  TimeInForce,
} from '../../domain/index.ts';
import type { Recorder } from './audit-recorder.ts';
import type { IntentIds } from './intent-ids.ts';
import { type OrderTerms, specOf, type WantedQuotes } from './intent-reader.ts';
import type { CourseObserver, QuoteReconciler } from './ports.ts';
import type { StrategyHost } from './strategy-host.ts';

const NO_SPECS: readonly OrderSpec[] = [];

/** The quoteStates whose quotes are to be sent, in the order in which they were stated first. Each knows whether it is here. */
export class DueQuotes {
  readonly quoteStates: QuoteState[] = [];

  join(quoteState: QuoteState): void {
    if (quoteState.isDue) return;
    quoteState.isDue = true;
    this.quoteStates.push(quoteState);
  }

  leave(quoteState: QuoteState): void {
    if (!quoteState.isDue) return;
    quoteState.isDue = false;
    const { quoteStates } = this;
    // A loop, for `splice` makes a list of what it takes out.
    for (let next = quoteStates.indexOf(quoteState) + 1; next < quoteStates.length; next++)
      quoteStates[next - 1] = quoteStates[next] as QuoteState;
    quoteStates.pop();
  }

  clear(): void {
    for (const quoteState of this.quoteStates) quoteState.isDue = false;
    this.quoteStates.length = 0;
  }
}

/** One strategy in one market. */
export class QuoteState {
  readonly host: StrategyHost;
  readonly symbol: MarketSymbol;
  readonly strategyId: StrategyId;
  /** The lane its writes go through. */
  readonly lane: LaneId;
  /** What is wanted; `undefined`: never asked. */
  wanted: WantedQuotes | undefined;
  /** True if it is among those whose quotes are to be sent. */
  isDue = false;
  /** What is known of the market. */
  record: MarketRecord | undefined;
  #silence: string | undefined = 'not asked for yet';
  #silentSinceMs = 0;
  readonly #recorder: Recorder;
  readonly #course: CourseObserver | undefined;

  constructor(
    host: StrategyHost,
    symbol: MarketSymbol,
    recorder: Recorder,
    course: CourseObserver | undefined,
  ) {
    this.host = host;
    this.symbol = symbol;
    this.strategyId = host.setup.id;
    this.lane = host.setup.lane;
    this.#recorder = recorder;
    this.#course = course;
  }

  /** Why there are no quotes; `undefined` while there are. */
  get silence(): string | undefined {
    return this.#silence;
  }

  /** Since when the reason holds. */
  get silentSinceMs(): number {
    return this.#silentSinceMs;
  }

  /** Its quotes whose outcome is not known: they count as being there. `singles` are orders that are no quotes. */
  quotesInFlight(
    reservations: ReturnType<AccountView['reservations']>,
    singles: ReadonlySet<IntentId>,
  ): readonly OrderSpec[] {
    let inFlight = NO_SPECS;
    for (const { spec, stage } of reservations) {
      const isOurs = spec.strategyId === this.strategyId && spec.symbol === this.symbol && stage !== 'shadow';
      if (!isOurs || singles.has(spec.intentId)) continue;
      inFlight = added(inFlight, spec);
    }
    return inFlight;
  }

  /** The orders that `places` are, each with its own intent. */
  specsOf(
    places: ReturnType<QuoteReconciler>['places'],
    timeInForce: TimeInForce,
    ids: IntentIds,
  ): readonly OrderSpec[] {
    let orders = NO_SPECS;
    for (const level of places) {
      const names = { intentId: ids.next(), strategyId: this.strategyId };
      const { side } = level;
      const terms: OrderTerms = { symbol: this.symbol, side, timeInForce, reduceOnly: false, expiresAtMs: 0 };
      orders = added(orders, specOf(names, terms, level));
    }
    return orders;
  }

  /** Notes why there are no quotes. */
  silent(reason: string, nowMs: number): void {
    if (this.#silence === reason) return;
    this.#silence = reason;
    this.#silentSinceMs = nowMs;
    this.#course?.noQuotes(this.strategyId, this.symbol, reason);
    this.#recorder.record('NoQuoteBegan', { strategy: this.strategyId, symbol: this.symbol, reason });
  }

  /** Notes that there are quotes. */
  quoting(nowMs: number): void {
    if (this.#silence === undefined) return;
    this.#course?.noQuotes(this.strategyId, this.symbol, undefined);
    const forMs = nowMs - this.#silentSinceMs;
    this.#recorder.record('NoQuoteEnded', {
      strategy: this.strategyId,
      symbol: this.symbol,
      reason: this.#silence,
      forMs,
    });
    this.#silence = undefined;
  }
}
