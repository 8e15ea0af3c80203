/**
 * @module
 * The end of a position: out when it has earned enough, lost too much or lasted too long. It looks at the strategy's
 * inventory of the market, whatever made it, and takes it off with orders that can only make it smaller. Once a barrier
 * was met it continues until the inventory is zero, also over a restart.
 *
 *   inventory ≠ 0 ─▶ gain ≥ take profit, loss ≥ stop, age ≥ time ─▶ closing orders until it is zero ─▶ ready again
 *
 * What this does not do: rest an order at the exchange; while the bot does not run, nothing watches.
 */
import type { MarketSymbol } from '../../../domain/index.ts';
import type { MarketView, StrategyContext } from '../context.ts';
import { tradableTouchOf } from '../quoting/touch.ts';
import type { AlgoHandlers } from './handlers.ts';
import { Taker } from './taker.ts';

/** The barriers; those that are left out are not watched. */
export interface BarrierOptions {
  readonly symbol: MarketSymbol;
  /** Gain over the average price at the mid, ppm. */
  readonly takeProfitPpm?: number;
  /** Loss against it, ppm. */
  readonly stopPpm?: number;
  /** Age of the position, ms. */
  readonly timeMs?: number;
  /** How far through the best price of the other side a closing order may reach, ppm. Default 1,000. */
  readonly throughPpm?: number;
  /** Distinguishes several components; names the timer. */
  readonly name?: string;
  /** Called when a position was closed that a barrier had met. */
  readonly onClosed?: (barrier: Barrier) => void;
}

/** Which barrier was met. */
export type Barrier = 'take profit' | 'stop' | 'time';

/** What is kept over a restart. */
export interface SavedBarrier {
  /** When the position was opened, Unix ms; `undefined`: none is open. */
  readonly openedAtMs: number | undefined;
  /** The barrier that was met; `undefined`: none. */
  readonly met: Barrier | undefined;
}

const BARRIERS: readonly Barrier[] = ['take profit', 'stop', 'time'];

/** See the module. Closing orders take: risk control P17 (`postOnly`) must allow that. */
export class BarrierExit {
  readonly #context: StrategyContext;
  readonly #options: BarrierOptions;
  readonly #taker: Taker;
  /** As the log calls it. */
  readonly #name: string;
  #openedAtMs: number | undefined;
  #met: Barrier | undefined;

  constructor(context: StrategyContext, options: BarrierOptions) {
    this.#context = context;
    this.#options = options;
    this.#name = `execution ${options.name ?? 'barrier'}`;
    this.#taker = new Taker(context, {
      symbol: options.symbol,
      timer: this.#name,
      throughPpm: options.throughPpm,
      reduceOnly: true,
      look: () => this.#look(),
    });
  }

  /** The handlers. */
  get handlers(): AlgoHandlers {
    return this.#taker.handlers;
  }

  /** The barrier that was met, while the position is being closed. */
  get met(): Barrier | undefined {
    return this.#met;
  }

  /** Begins to watch. To be called from `onStart`. */
  start(saved?: unknown): void {
    if (typeof saved === 'object' && saved !== null) {
      const { openedAtMs, met } = saved as Partial<Record<keyof SavedBarrier, unknown>>;
      if (typeof openedAtMs === 'number' && Number.isSafeInteger(openedAtMs)) this.#openedAtMs = openedAtMs;
      this.#met = BARRIERS.find((one) => one === met);
    }
    this.#taker.start();
  }

  /** What {@link start} needs in a later run. */
  save(): SavedBarrier {
    return { openedAtMs: this.#openedAtMs, met: this.#met };
  }

  /** Ends the watch; what is held stays. */
  stop(): void {
    this.#taker.stop();
  }

  #look(): void {
    const view = this.#context.market(this.#options.symbol);
    if (view.inventoryLots === 0) {
      this.#reset();
      return;
    }
    if (this.#openedAtMs === undefined) {
      this.#openedAtMs = this.#context.now();
      this.#context.save();
    }
    const touch = tradableTouchOf(view);
    if (touch === undefined) return;
    if (this.#met === undefined) {
      this.#met = this.#check(view, touch.midTicks);
      if (this.#met !== undefined) this.#context.save();
    }
    if (this.#met === undefined || this.#taker.isPaused) return;
    const side = view.inventoryLots > 0 ? 'sell' : 'buy';
    this.#taker.take(touch, side, Math.abs(view.inventoryLots) - this.#taker.claimLots(side));
  }

  #check(view: MarketView, midTicks: number): Barrier | undefined {
    const { takeProfitPpm, stopPpm, timeMs } = this.#options;
    const { averageEntryTicks, inventoryLots } = view;
    if (averageEntryTicks !== undefined) {
      const gainPpm = Math.sign(inventoryLots) * (midTicks / averageEntryTicks - 1) * 1_000_000;
      if (stopPpm !== undefined && gainPpm <= -stopPpm) return 'stop';
      if (takeProfitPpm !== undefined && gainPpm >= takeProfitPpm) return 'take profit';
    }
    const ageMs = this.#context.now() - (this.#openedAtMs ?? 0);
    return timeMs !== undefined && ageMs >= timeMs ? 'time' : undefined;
  }

  #reset(): void {
    const met = this.#met;
    this.#openedAtMs = undefined;
    this.#met = undefined;
    if (met === undefined) return;
    this.#context.log.info(`${this.#name} closed the position: ${met}`, { symbol: this.#options.symbol });
    this.#options.onClosed?.(met);
  }
}
