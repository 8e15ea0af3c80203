/**
 * @module
 * A grid as a part of a strategy: one order more is bought each step that the price falls, one is sold each step that it
 * rises, around an anchor that is kept over a restart. What rests follows from the position alone. What this does not do:
 * decide when to quote; a quoter does.
 */
import { lots, notionalOf, type Ticks } from '../../../domain/index.ts';
import type { MarketView } from '../context.ts';
import type { StrategyHandlers } from '../handlers.ts';
import { gridSidesOf } from './grid-line.ts';
import { BELOW_MIN_NOTIONAL, hasNoQuotes, ppmOf, quotesOf } from './levels.ts';
import type { QuoteTarget } from './quoter.ts';
import type { Touch } from './touch.ts';

/** The form of a grid in one market. */
export interface GridOptions {
  /** From order to order, ppm of the anchor; at least one tick. */
  readonly stepPpm: number;
  /** Orders on each side. */
  readonly levels: number;
  /** Size of each order, lots. */
  readonly sizeLots: number;
  /** The most that is held, long or short, lots. */
  readonly maxLots: number;
  /** Held at the anchor, signed lots. Default 0. */
  readonly baseLots?: number;
  /** Where the grid hangs. Default: the mid when it is quoted first. */
  readonly anchorTicks?: Ticks | undefined;
  /** An order stays while it is no farther than this from its price, ticks. Default 0. */
  readonly requoteTicks?: number;
}

/**
 * See the module.
 * @example
 * const grid = new Grid();
 * const quotesBy = (values: GridParameters) => (view, touch) => grid.quotes(view, touch, optionsOf(values, view));
 * return compose(new ParameterQuoter(context, initial, quotesBy), grid);
 */
export class Grid {
  /** By market, ticks: every restart would hang the grid elsewhere without them. */
  readonly #anchors = new Map<string, number>();
  /** The handlers that keep the anchors. */
  readonly handlers: Required<Pick<StrategyHandlers, 'onLoad' | 'onSave'>> = {
    onLoad: (saved) => {
      if (typeof saved !== 'object' || saved === null) return;
      for (const [symbol, at] of Object.entries(saved))
        if (Number.isSafeInteger(at) && at > 0) this.#anchors.set(symbol, at);
    },
    onSave: () => Object.fromEntries(this.#anchors),
  };

  /** The wanted quotes of a market, or why there are none. */
  quotes(view: MarketView, touch: Touch, options: GridOptions): QuoteTarget | string {
    const { stepPpm, levels, sizeLots, maxLots, baseLots = 0, requoteTicks = 0 } = options;
    const { inventoryLots } = view;
    const anchorTicks = this.#anchorOf(view, touch, options);
    const stepTicks = Math.max(ppmOf(anchorTicks, stepPpm), view.market.tickStep);
    const { bids, asks } = gridSidesOf({
      line: { anchorTicks, stepTicks, sizeLots, baseLots },
      inventoryLots,
      levels,
      isLargeEnough: (price, size) =>
        notionalOf(view.market, view.floorTicks(price), lots(size)) >= view.minNotional,
    });
    const wanted = quotesOf({
      market: view,
      touch,
      requoteTicks,
      bids: { prices: bids.prices, sizeLots: bids.sizes, maxLots: maxLots - inventoryLots },
      asks: { prices: asks.prices, sizeLots: asks.sizes, maxLots: maxLots + inventoryLots },
    });
    return hasNoQuotes(wanted) ? BELOW_MIN_NOTIONAL : wanted;
  }

  #anchorOf(view: MarketView, touch: Touch, { anchorTicks }: GridOptions): number {
    const at = anchorTicks ?? this.#anchors.get(view.symbol) ?? view.floorTicks(touch.midTicks);
    this.#anchors.set(view.symbol, at);
    return at;
  }
}
