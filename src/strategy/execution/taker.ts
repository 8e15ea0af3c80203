/**
 * @module
 * What components that watch inventories and trade by taking share: when they look, how they wait after a failure, and one
 * order that reaches so far behind the best price. Whoever uses it says in `look` what is to be taken.
 *
 *   start ─▶ book, fill, own order, timer, resumed ─▶ look() ─▶ take(side, size)      stop: nothing looks any more
 */
import type { MarketSymbol, Side } from '../../domain/index.ts';
import type { StrategyContext } from '../context.ts';
import type { Touch } from '../quoting/touch.ts';
import { Children, placeableOf } from './children.ts';
import type { ExecutionHandlers } from './handlers.ts';
import { LOOK_MS, Pause } from './pause.ts';

/** What it trades, and when it looks. */
export interface TakerOptions {
  /** Where its orders go. */
  readonly symbol: MarketSymbol;
  /** Another market whose books and fills are a reason to look. */
  readonly watched?: MarketSymbol;
  /** The name of its timer. */
  readonly timer: string;
  /** How far behind the best price of the other side an order may reach, ppm. Default 1,000. */
  readonly throughPpm: number | undefined;
  /** Its orders can only make a position smaller. */
  readonly reduceOnly: boolean;
  /** Looks at the market, and takes. */
  look(): void;
}

/** See the module. */
export class Taker {
  readonly #context: StrategyContext;
  readonly #options: TakerOptions;
  readonly #children: Children;
  readonly #pause: Pause;
  #isOn = false;

  constructor(context: StrategyContext, options: TakerOptions) {
    this.#context = context;
    this.#options = options;
    this.#children = new Children(context, options.symbol);
    this.#pause = new Pause(context);
  }

  /** The handlers. */
  readonly handlers: ExecutionHandlers = {
    onBook: (view) => this.#lookAt(view.symbol),
    onBbo: (view) => this.#lookAt(view.symbol),
    onFill: (fill) => {
      this.#children.onFill(fill);
      this.#lookAt(fill.symbol);
    },
    onOrder: (update) => {
      if (update.symbol !== this.#options.symbol || !this.#children.onOrder(update)) return;
      this.#pause.see(update.standing);
      this.#look();
    },
    onDenied: (denial) => {
      if (this.#children.onDenied(denial) !== undefined) this.#pause.begin();
    },
    onTimer: ({ name }) => {
      if (name === this.#options.timer) this.#look();
    },
    onResumed: () => this.#look(),
  };

  /** Is it waiting, because an order of it came to nothing? */
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

  /** Takes up to `wantedLots`; nothing when that is below what the market takes. */
  take(touch: Touch, side: Side, wantedLots: number): void {
    const { symbol, throughPpm = 1_000, reduceOnly } = this.#options;
    const view = this.#context.market(symbol);
    const best = side === 'buy' ? touch.askTicks : touch.bidTicks;
    const reach = (best * throughPpm) / 1_000_000;
    const priceTicks = side === 'buy' ? view.floorTicks(best + reach) : view.ceilTicks(best - reach);
    const sizeLots = placeableOf(view, priceTicks, wantedLots);
    if (sizeLots > 0) this.#children.place({ side, priceTicks, sizeLots, timeInForce: 'ioc', reduceOnly });
  }

  #lookAt(symbol: MarketSymbol): void {
    if (symbol === this.#options.symbol || symbol === this.#options.watched) this.#look();
  }

  #look(): void {
    if (this.#isOn) this.#options.look();
  }
}
