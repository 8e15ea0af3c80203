/**
 * @module
 * How far a position can go: what is held, and everything that could still be bought or sold, counted as if all of one
 * side were executed and nothing of the other (obligations I10). An old order and its replacement both count (O80).
 */
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

/** What `sizeLots` of an order can still become. */
export function itemOf(
  { side, priceTicks }: Pick<ExposureItem, 'side' | 'priceTicks'>,
  sizeLots: Lots,
): ExposureItem {
  return { side, priceTicks, sizeLots };
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

/** The exposure of a position and its items. */
export function exposureOf(positionLots: Lots, items: Iterable<ExposureItem>, market: Market): Exposure {
  let buyLots = 0;
  let sellLots = 0;
  let buyOrders = 0;
  let sellOrders = 0;
  let buyTickLots = 0n;
  let sellTickLots = 0n;
  for (const item of items) {
    const tickLots = BigInt(item.priceTicks) * BigInt(item.sizeLots);
    if (item.side === 'buy') {
      buyLots += item.sizeLots;
      buyOrders++;
      buyTickLots += tickLots;
    } else {
      sellLots += item.sizeLots;
      sellOrders++;
      sellTickLots += tickLots;
    }
  }
  return {
    positionLots,
    buyLots: lots(buyLots),
    sellLots: lots(sellLots),
    buyOrders,
    sellOrders,
    buyNotional: quantums(buyTickLots * market.quantumsPerTickLot),
    sellNotional: quantums(sellTickLots * market.quantumsPerTickLot),
  };
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
