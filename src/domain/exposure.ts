/**
 * @module
 * How far a position can go: what is held, and everything that could still be bought or sold, counted as if all of one
 * side were executed and nothing of the other (obligations I10). An old order and its replacement both count (O80).
 */
import { plus, times, type Whole } from '../core/index.ts';
import type { StrategyId } from './ids.ts';
import type { Side } from './side.ts';
import { type Lots, lots, type Ticks } from './units.ts';

/** The worst case of one market, for the account or for one strategy. */
export interface Exposure {
  /** Signed position. */
  readonly positionLots: Lots;
  /** Size that could still be bought: working, in flight, unresolved, in the shadow of a refused request. */
  readonly buyLots: number;
  /** Lots that could still be sold. */
  readonly sellLots: number;
  /** Number of buy orders counted. */
  readonly buyOrders: number;
  /** Number of sell orders counted. */
  readonly sellOrders: number;
  /** Price times size of the above, at the orders' own prices. */
  readonly buyTickLots: Whole;
  readonly sellTickLots: Whole;
}

/** What an order adds to an exposure. */
export interface ExposureItem {
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

/** Adds up everything in a market that could still be executed. It is used again and again: no caller may keep it. */
export class ExposureSum implements Exposure {
  positionLots = 0 as Lots;
  buyLots = 0;
  sellLots = 0;
  buyOrders = 0;
  sellOrders = 0;
  buyTickLots: Whole = 0;
  sellTickLots: Whole = 0;

  /** Starts again, with nothing or with what `other` has counted. */
  begin(other: Exposure = NO_EXPOSURE): this {
    this.positionLots = other.positionLots;
    this.buyLots = other.buyLots;
    this.sellLots = other.sellLots;
    this.buyOrders = other.buyOrders;
    this.sellOrders = other.sellOrders;
    this.buyTickLots = other.buyTickLots;
    this.sellTickLots = other.sellTickLots;
    return this;
  }

  /** Counts an order, or what is left of one. */
  add(side: Side, priceTicks: number, sizeLots: number): void {
    const tickLots = times(priceTicks, sizeLots);
    if (side === 'buy') {
      this.buyLots += sizeLots;
      this.buyOrders++;
      this.buyTickLots = plus(this.buyTickLots, tickLots);
    } else {
      this.sellLots += sizeLots;
      this.sellOrders++;
      this.sellTickLots = plus(this.sellTickLots, tickLots);
    }
  }
}

/** No position and no orders. */
const NO_EXPOSURE: Exposure = new ExposureSum();

/** The worst cases of one market: of the account, and of one strategy on it. Used again and again, as its sums are. */
export class OwnedExposure {
  /** `undefined`: of no strategy. */
  strategyId: StrategyId | undefined;
  readonly ofAccount = new ExposureSum();
  readonly ofStrategy = new ExposureSum();

  /** Starts again, with nothing. */
  begin(strategyId: StrategyId | undefined): void {
    this.strategyId = strategyId;
    this.ofAccount.begin();
    this.ofStrategy.begin();
  }

  /** Counts an order of `owner`, or what is left of one; without a known owner: only for the account. */
  add(owner: StrategyId | undefined, side: Side, priceTicks: number, sizeLots: number): void {
    this.ofAccount.add(side, priceTicks, sizeLots);
    if (owner !== undefined && owner === this.strategyId) this.ofStrategy.add(side, priceTicks, sizeLots);
  }
}

/** How many orders could still be executed. */
export function openOrdersOf({ buyOrders, sellOrders }: Exposure): number {
  return buyOrders + sellOrders;
}

/** Price times size of all of them. */
export function openTickLotsOf({ buyTickLots, sellTickLots }: Exposure): Whole {
  return plus(buyTickLots, sellTickLots);
}

/** The highest position that can come about. */
export function longestLots(exposure: Exposure): Lots {
  return lots(exposure.positionLots + exposure.buyLots);
}

/** The lowest position that can come about. */
export function shortestLots(exposure: Exposure): Lots {
  return lots(exposure.positionLots - exposure.sellLots);
}
