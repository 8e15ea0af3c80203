/**
 * @module
 * How far a position can go: what is held, and everything that could still be bought or sold, counted as if all of one
 * side were executed and nothing of the other (obligations I10). An old order and its replacement both count (O80).
 */
import { product } from '../core/index.ts';
import { type Market, notionalOf } from './market.ts';
import type { Side } from './side.ts';
import { type Lots, lots, type Quantums, quantums, type Ticks } from './units.ts';

/** The worst case of one market, for the account or for one strategy. */
export interface Exposure {
  /** Signed position. */
  readonly positionLots: Lots;
  /** Size that could still be bought: working, in flight, unresolved, in the shadow of a refused request. */
  readonly buyLots: Lots;
  readonly sellLots: Lots;
  readonly buyOrders: number;
  readonly sellOrders: number;
  /** Notional of the above at the orders' own prices. */
  readonly buyNotional: Quantums;
  readonly sellNotional: Quantums;
}

/** No position and no orders. */
export const NO_EXPOSURE: Exposure = Object.freeze({
  positionLots: 0 as Lots,
  buyLots: 0 as Lots,
  sellLots: 0 as Lots,
  buyOrders: 0,
  sellOrders: 0,
  buyNotional: 0n as Quantums,
  sellNotional: 0n as Quantums,
});

/** What an order adds to an exposure. */
export interface ExposureItem {
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
}

/** `exposure` with `item` in it. */
export function withItem(exposure: Exposure, item: ExposureItem, market: Market): Exposure {
  const notional = notionalOf(market, item.priceTicks, item.sizeLots);
  return item.side === 'buy'
    ? {
        ...exposure,
        buyLots: lots(exposure.buyLots + item.sizeLots),
        buyOrders: exposure.buyOrders + 1,
        buyNotional: quantums(exposure.buyNotional + notional),
      }
    : {
        ...exposure,
        sellLots: lots(exposure.sellLots + item.sizeLots),
        sellOrders: exposure.sellOrders + 1,
        sellNotional: quantums(exposure.sellNotional + notional),
      };
}

/** `exposure` without `item`, which must be in it. */
export function withoutItem(exposure: Exposure, item: ExposureItem, market: Market): Exposure {
  const notional = notionalOf(market, item.priceTicks, item.sizeLots);
  return item.side === 'buy'
    ? {
        ...exposure,
        buyLots: lots(exposure.buyLots - item.sizeLots),
        buyOrders: exposure.buyOrders - 1,
        buyNotional: quantums(exposure.buyNotional - notional),
      }
    : {
        ...exposure,
        sellLots: lots(exposure.sellLots - item.sizeLots),
        sellOrders: exposure.sellOrders - 1,
        sellNotional: quantums(exposure.sellNotional - notional),
      };
}

/** Adds up everything in a market that could still be executed. */
export class ExposureSum {
  readonly #buy = new SideSum();
  readonly #sell = new SideSum();

  /** Counts an order, or what is left of one. */
  add(side: Side, priceTicks: number, sizeLots: number): void {
    (side === 'buy' ? this.#buy : this.#sell).add(priceTicks, sizeLots);
  }

  /** What was counted, beside a position. */
  beside(positionLots: Lots, { quantumsPerTickLot }: Market): Exposure {
    const [buy, sell] = [this.#buy, this.#sell];
    return {
      positionLots,
      buyLots: lots(buy.lots),
      sellLots: lots(sell.lots),
      buyOrders: buy.orders,
      sellOrders: sell.orders,
      buyNotional: quantums(buy.tickLots * quantumsPerTickLot),
      sellNotional: quantums(sell.tickLots * quantumsPerTickLot),
    };
  }
}

/** One side of a sum. Prices times sizes are added as a number while that is exact. */
class SideSum {
  lots = 0;
  orders = 0;
  #safe = 0;
  #beyond = 0n;

  add(priceTicks: number, sizeLots: number): void {
    this.lots += sizeLots;
    this.orders++;
    const tickLots = priceTicks * sizeLots;
    const sum = this.#safe + tickLots;
    if (Number.isSafeInteger(tickLots) && Number.isSafeInteger(sum)) this.#safe = sum;
    else this.#beyond += product(priceTicks, sizeLots);
  }

  get tickLots(): bigint {
    return BigInt(this.#safe) + this.#beyond;
  }
}

/** The highest position that can come about. */
export function longestLots(exposure: Exposure): Lots {
  return lots(exposure.positionLots + exposure.buyLots);
}

/** The lowest position that can come about. */
export function shortestLots(exposure: Exposure): Lots {
  return lots(exposure.positionLots - exposure.sellLots);
}

/** The largest position of either sign that can come about. */
export function worstLots(exposure: Exposure): Lots {
  return lots(Math.max(Math.abs(longestLots(exposure)), Math.abs(shortestLots(exposure))));
}
