/** @module P7: what all open orders are worth, per market and in all. */
import { minus, plus, times } from '../../../core/index.ts';
import { openTickLotsOf } from '../../../domain/index.ts';
import { money, type OrderCheck } from '../check.ts';

/** Checks the notional of open orders; orders this round cancels first do not count. */
export const openNotional: OrderCheck = {
  control: 'P7',
  codes: ['RISK_OPEN_NOTIONAL_PER_MARKET_ABOVE_LIMIT', 'RISK_OPEN_NOTIONAL_ABOVE_LIMIT'],
  review(spec, scene) {
    const { market, perTickLot, all, canceled } = scene.here;
    if (market === undefined) return undefined;
    const { openNotionalPerMarketMax, openNotionalMax } = scene.limits;
    const own = scene.notionalOf(spec);
    const open = times(openTickLotsOf(all.ofAccount), perTickLot);
    const freed = times(openTickLotsOf(canceled.ofAccount), perTickLot);
    const inMarket = plus(own, minus(open, freed));
    if (inMarket > openNotionalPerMarketMax)
      return {
        code: 'RISK_OPEN_NOTIONAL_PER_MARKET_ABOVE_LIMIT',
        message: `expected open orders of at most ${money(market, openNotionalPerMarketMax)} in ${spec.symbol}, would be ${money(market, inMarket)}`,
      };
    const inAll = minus(plus(own, scene.totals().openNotional), freed);
    if (inAll > openNotionalMax)
      return {
        code: 'RISK_OPEN_NOTIONAL_ABOVE_LIMIT',
        message: `expected open orders of at most ${money(market, openNotionalMax)} in all, would be ${money(market, inAll)}`,
      };
    return undefined;
  },
};
