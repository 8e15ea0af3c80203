/**
 * @module
 * What components that watch inventories and trade by taking share: when they look, how they wait after a failure, and one
 * order that reaches a given share through the best price. The component that uses it says in `look` what is to be taken; what is more than
 * one order may be is taken by several.
 *
 *   start ─▶ book, fill, own order, timer, resumed ─▶ look() ─▶ take(side, size)      stop: nothing looks any more
 */
import { floorToLot, type MarketSymbol, type Side } from '../../../domain/index.ts';
import type { StrategyContext } from '../context.ts';
import type { Touch } from '../quoting/touch.ts';
import { Children, placeableOf } from './children.ts';
import type { AlgoHandlers } from './handlers.ts';
import { LOOK_MS, Pause } from './pause.ts';
import { TriedSize } from './tried-size.ts';

/** What it trades, and when it looks. */
export interface TakerOptions {
  /** Where its orders go. */
  readonly symbol: MarketSymbol;
  /** Another market whose book updates and fills are a reason to look. */
  readonly watched?: MarketSymbol;
  /** The name of its timer. */
  readonly timer: string;
  /** How far through the best price of the other side an order may reach, ppm. Default 1,000. */
  readonly throughPpm: number | undefined;
  /** Its orders can only make a position smaller. */
  readonly reduceOnly: boolean;
  /** Looks at the market, and takes. */
  look(): void;
}

/** Denials that a smaller order passes (P2). */
const TOO_LARGE: ReadonlySet<string> = new Set([
  'RISK_ORDER_NOTIONAL_ABOVE_LIMIT',
  'RISK_ORDER_SIZE_ABOVE_LIMIT',
]);

/** See the module. */
export class Taker {
  readonly #context: StrategyContext;
  readonly #options: TakerOptions;
  readonly #children: Children;
  readonly #pause: Pause;
  readonly #tried = new TriedSize();
  #isOn = false;

  constructor(context: StrategyContext, options: TakerOptions) {
    this.#context = context;
    this.#options = options;
    this.#children = new Children(context, options.symbol);
    this.#pause = new Pause(context);
  }

  /** The handlers. */
  readonly handlers: AlgoHandlers = {
    onBook: (view) => this.#lookAt(view.symbol),
    onBbo: (view) => this.#lookAt(view.symbol),
    onFill: (fill) => {
      this.#children.onFill(fill);
      this.#lookAt(fill.symbol);
    },
    onOrder: (update) => {
      if (update.symbol !== this.#options.symbol || !this.#children.onOrder(update)) return;
      if (update.status === 'working') this.#tried.accepted();
      this.#pause.see(update.status);
      this.#look();
    },
    onDenied: (denial) => {
      const denied = this.#children.onDenied(denial);
      if (denied === undefined) return;
      this.#tried.denied(denied.sizeLots);
      // A position is waiting to be closed: what was only too large is tried smaller with the next look.
      if (!TOO_LARGE.has(denial.code)) this.#pause.begin();
    },
    onTimer: ({ name }) => {
      if (name === this.#options.timer) this.#look();
    },
    onResumed: () => this.#look(),
  };

  /** True while it waits because an order of it failed. */
  get isPaused(): boolean {
    return this.#pause.isOn;
  }

  /** Begins to look. */
  start(): void {
    this.#isOn = true;
    this.#context.startInterval(this.#options.timer, LOOK_MS);
    this.#look();
  }

  /** Looks no more; what is out is canceled, what is held stays. */
  stop(): void {
    this.#isOn = false;
    this.#context.stopTimer(this.#options.timer);
    this.#children.cancel();
  }

  /** What its orders of a side may still fill, lots. */
  claimLots(side: Side): number {
    return this.#children.claimLots(side);
  }

  /** Takes up to `wantedLots` with one order, as much as one may be; nothing when that is below what the market takes. */
  take(touch: Touch, side: Side, wantedLots: number): void {
    const { symbol, throughPpm = 1_000, reduceOnly } = this.#options;
    const view = this.#context.market(symbol);
    const best = side === 'buy' ? touch.askTicks : touch.bidTicks;
    const reach = (best * throughPpm) / 1_000_000;
    const priceTicks = side === 'buy' ? view.floorTicks(best + reach) : view.ceilTicks(best - reach);
    // What only closes may be smaller than the market's least order, or a remainder would stay forever.
    const rest = reduceOnly ? floorToLot(view.market, wantedLots) : 0;
    const isRest = rest > 0 && placeableOf(view, priceTicks, rest) === 0;
    const sizeLots = isRest ? rest : this.#tried.of(view, priceTicks, wantedLots);
    if (sizeLots > 0) this.#children.place({ side, priceTicks, sizeLots, timeInForce: 'ioc', reduceOnly });
  }

  #lookAt(symbol: MarketSymbol): void {
    if (symbol === this.#options.symbol || symbol === this.#options.watched) this.#look();
  }

  #look(): void {
    if (this.#isOn) this.#options.look();
  }
}
