/**
 * @module
 * One market hedged with another: the value of what the strategy holds in the first, times a ratio, held the other way
 * round in the second. It looks only at inventories, which come from the exchange's own fills, so there is nothing to save: a
 * restart finds the hedge where it is. It takes, at most a given share through the best price.
 *
 *   target = - inventory of the first · its mid · ratio / mid of the second
 *   |target - inventory of the second - what is out| ≥ threshold ─▶ one order for the difference
 */
import { assert } from '../../../core/index.ts';
import type { MarketSymbol } from '../../../domain/index.ts';
import type { MarketView, StrategyContext } from '../context.ts';
import { touchOf, tradableTouchOf } from '../quoting/touch.ts';
import type { AlgoHandlers } from './handlers.ts';
import { Taker } from './taker.ts';

/** The two markets and the ratio. */
export interface HedgeOptions {
  /** The market whose inventory is hedged. */
  readonly of: MarketSymbol;
  /** The market that is traded for it. */
  readonly against: MarketSymbol;
  /** Worth of the hedge over worth of what is hedged, ppm. Default 1,000,000. */
  readonly ratioPpm?: number;
  /** A difference below this is left, lots of the second market: prices move all the time. */
  readonly thresholdLots: number;
  /** How far through the best price of the other side an order may reach, ppm. Default 1,000. */
  readonly throughPpm?: number;
  /** Distinguishes several components; names the timer. */
  readonly name?: string;
}

/** See the module. Its orders take: risk control P17 (`postOnly`) must allow that. */
export class Hedge {
  readonly #context: StrategyContext;
  readonly #options: HedgeOptions;
  readonly #taker: Taker;

  /** @throws AssertionError for one market twice, or no threshold. */
  constructor(context: StrategyContext, options: HedgeOptions) {
    assert(options.of !== options.against, `two markets, got ${options.of} twice`);
    assert(options.thresholdLots > 0, `a threshold above zero, got ${options.thresholdLots} lots`);
    this.#context = context;
    this.#options = options;
    this.#taker = new Taker(context, {
      symbol: options.against,
      watched: options.of,
      timer: `execution ${options.name ?? 'hedge'}`,
      throughPpm: options.throughPpm,
      reduceOnly: false,
      look: () => this.#look(),
    });
  }

  /** The handlers. */
  get handlers(): AlgoHandlers {
    return this.#taker.handlers;
  }

  /** Begins. To be called from `onStart`. */
  start(): void {
    this.#taker.start();
  }

  /** Ends it; what is held stays. */
  stop(): void {
    this.#taker.stop();
  }

  /** Where the second market should be, lots, signed; `undefined` while a mid is not known. */
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

  #look(): void {
    if (this.#taker.isPaused) return;
    const { of, against, thresholdLots } = this.#options;
    const view = this.#context.market(against);
    const touch = tradableTouchOf(view);
    const targetLots = this.targetLots();
    if (touch === undefined || targetLots === undefined || !this.#context.market(of).isFresh) return;
    const outLots = this.#taker.claimLots('buy') - this.#taker.claimLots('sell');
    const missingLots = targetLots - view.inventoryLots - outLots;
    if (Math.abs(missingLots) < thresholdLots) return;
    this.#taker.take(touch, missingLots > 0 ? 'buy' : 'sell', Math.abs(missingLots));
  }
}

/** Twice the mid of others' orders: an integer number of ticks. */
function doubleMidOf(view: MarketView): bigint | undefined {
  const touch = touchOf(view);
  return touch === undefined ? undefined : BigInt(touch.bidTicks) + BigInt(touch.askTicks);
}
