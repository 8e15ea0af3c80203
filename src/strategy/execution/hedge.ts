/**
 * @module
 * One market held against another: what the strategy holds in the first is worth, times a ratio, held the other way round
 * in the second. It looks at inventories alone, which come from the exchange's own fills, so there is nothing to save: a
 * restart finds the hedge where it is. It takes, at most so far behind the best price.
 *
 *   target = - inventory of the first · its middle · ratio / middle of the second
 *   |target - inventory of the second - what is out| ≥ threshold ─▶ one order for the difference
 */
import { assert } from '../../core/index.ts';
import { floorToLot, type MarketSymbol } from '../../domain/index.ts';
import type { MarketView, StrategyContext } from '../context.ts';
import { Children } from './children.ts';
import {
  type ExecutionHandlers,
  isWaiting,
  LOOK_MS,
  placeableOf,
  RETRY_MS,
  touchOf,
} from './worked-order.ts';

/** What is held against what. */
export interface HedgeOptions {
  /** The market whose inventory is hedged. */
  readonly of: MarketSymbol;
  /** The market that is traded for it. */
  readonly against: MarketSymbol;
  /** Worth of the hedge over worth of what is hedged, ppm. Default 1,000,000. */
  readonly ratioPpm?: number;
  /** A difference below this is left, lots of the second market: prices move all the time. */
  readonly thresholdLots: number;
  /** How far behind the best price of the other side an order may reach, ppm. Default 1,000. */
  readonly throughPpm?: number;
  readonly name?: string;
}

/** See the module. Its orders take: risk control P17 (`isMakerOnly`) must allow that. */
export class Hedge {
  readonly #context: StrategyContext;
  readonly #options: HedgeOptions;
  readonly #children: Children;
  readonly #timer: string;
  #notBeforeMs = 0;
  #isOn = false;

  /** @throws AssertionError for one market twice, or no threshold. */
  constructor(context: StrategyContext, options: HedgeOptions) {
    assert(options.of !== options.against, `two markets, was ${options.of} twice`);
    assert(options.thresholdLots > 0, `a threshold above zero, was ${options.thresholdLots} lots`);
    this.#context = context;
    this.#options = options;
    this.#children = new Children(context, options.against);
    this.#timer = `execution ${options.name ?? 'hedge'}`;
  }

  /** The handlers. */
  readonly handlers: ExecutionHandlers = {
    onBook: (view) => this.#lookIn(view.symbol),
    onBbo: (view) => this.#lookIn(view.symbol),
    onFill: (fill) => {
      this.#children.onFill(fill);
      this.#lookIn(fill.symbol);
    },
    onOrder: (update) => {
      if (update.symbol !== this.#options.against || !this.#children.onOrder(update)) return;
      if (update.standing === 'rejected' || update.standing === 'notExecuted') this.#wait();
      else this.#look();
    },
    onDenied: (denial) => {
      if (this.#children.onDenied(denial) !== undefined) this.#wait();
    },
    onTimer: ({ name }) => {
      if (name === this.#timer) this.#look();
    },
    onResumed: () => this.#look(),
  };

  /** Begins. To be called from `onStart`. */
  start(): void {
    this.#isOn = true;
    this.#context.startInterval(this.#timer, LOOK_MS);
    this.#look();
  }

  /** Ends it; what is held stays. */
  stop(): void {
    this.#isOn = false;
    this.#context.stopTimer(this.#timer);
    this.#children.cancel();
  }

  /** Where the second market should be, lots, signed; `undefined` while a middle is not known. */
  targetLots(): number | undefined {
    const { of, against, ratioPpm = 1_000_000 } = this.#options;
    const [first, second] = [this.#context.market(of), this.#context.market(against)];
    const [firstMid, secondMid] = [doubleMidOf(first), doubleMidOf(second)];
    if (firstMid === undefined || secondMid === undefined) return undefined;
    const { inventoryLots } = first;
    const worth =
      BigInt(Math.abs(inventoryLots)) * firstMid * first.market.quantumsPerTickLot * BigInt(ratioPpm);
    const perLot = secondMid * second.market.quantumsPerTickLot * 1_000_000n;
    // Rounded to the nearest lot, half of one away from zero.
    const size = Number((2n * worth + perLot) / (2n * perLot));
    return inventoryLots > 0 ? -size : size;
  }

  #wait(): void {
    this.#notBeforeMs = this.#context.now() + RETRY_MS;
  }

  #lookIn(symbol: MarketSymbol): void {
    if (symbol === this.#options.of || symbol === this.#options.against) this.#look();
  }

  #look(): void {
    if (!this.#isOn || isWaiting(this.#context.now(), this.#notBeforeMs)) return;
    const { of, against, thresholdLots, throughPpm = 1_000 } = this.#options;
    const [first, view] = [this.#context.market(of), this.#context.market(against)];
    const touch = touchOf(view);
    const targetLots = this.targetLots();
    if (touch === undefined || targetLots === undefined) return;
    if (!first.isFresh || !view.isFresh || !view.isTradable) return;
    const outLots = this.#children.claimLots('buy') - this.#children.claimLots('sell');
    const missingLots = targetLots - view.inventoryLots - outLots;
    if (Math.abs(missingLots) < thresholdLots) return;
    const side = missingLots > 0 ? 'buy' : 'sell';
    const best = side === 'buy' ? touch.askTicks : touch.bidTicks;
    const reach = (best * throughPpm) / 1_000_000;
    const priceTicks = side === 'buy' ? view.floorTicks(best + reach) : view.ceilTicks(best - reach);
    const sizeLots = placeableOf(view, priceTicks, floorToLot(view.market, Math.abs(missingLots)));
    if (sizeLots > 0) this.#children.place({ side, priceTicks, sizeLots, timeInForce: 'ioc' });
  }
}

/** Twice the middle of others' orders: a whole number of ticks. */
function doubleMidOf(view: MarketView): bigint | undefined {
  const touch = touchOf(view);
  return touch === undefined ? undefined : BigInt(touch.bidTicks) + BigInt(touch.askTicks);
}
