/** @module The quotes of strategies of benches: a bid and an ask at a distance from the mid, which follow it. */
import type { MarketView, StrategyContext } from 'ballast/strategy';

/** `distance`: of the mid; a quote stays while it is off by less than `slack` of the distance. */
export function quoteAround(
  context: StrategyContext,
  view: MarketView,
  {
    size,
    distance,
    slack,
  }: {
    readonly size: Parameters<MarketView['lotsOf']>[0];
    readonly distance: number;
    readonly slack: number;
  },
): void {
  const mid = view.externalMidTicks;
  if (mid === undefined) return;
  const sizeLots = view.lotsOf(size);
  context.quote(
    view.symbol,
    {
      bids: [{ priceTicks: view.floorTicks(mid * (1 - distance)), sizeLots }],
      asks: [{ priceTicks: view.ceilTicks(mid * (1 + distance)), sizeLots }],
    },
    { priceToleranceTicks: Math.ceil(mid * distance * slack) },
  );
}
