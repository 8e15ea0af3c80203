/** @module P7: what all open orders are worth, per market and in all. */
import { notionalOf } from '../../domain/index.ts';
import { money, type OrderCheck } from '../check.ts';

/** Checks the notional of open orders; orders this round cancels first do not count. */
export const openNotional: OrderCheck = {
  control: 'P7',
  codes: ['RISK_OPEN_NOTIONAL_PER_MARKET_ABOVE_LIMIT', 'RISK_OPEN_NOTIONAL_ABOVE_LIMIT'],
  judge(spec, scene) {
    const market = scene.market(spec.symbol);
    if (market === undefined) return undefined;
    const { openNotionalPerMarketMax, openNotionalMax } = scene.limits;
    const own = notionalOf(market, spec.priceTicks, spec.sizeLots);
    const all = scene.exposure(spec.symbol);
    const resting = scene.restingExposure(spec.symbol);
    const inMarket = own + resting.buyNotional + resting.sellNotional;
    if (inMarket > openNotionalPerMarketMax)
      return {
        code: 'RISK_OPEN_NOTIONAL_PER_MARKET_ABOVE_LIMIT',
        message: `expected open orders of at most ${money(market, openNotionalPerMarketMax)} in ${spec.symbol}, would be ${money(market, inMarket)}`,
      };
    const canceled = all.buyNotional + all.sellNotional - resting.buyNotional - resting.sellNotional;
    const inAll = own + scene.totals().openNotional - canceled;
    if (inAll > openNotionalMax)
      return {
        code: 'RISK_OPEN_NOTIONAL_ABOVE_LIMIT',
        message: `expected open orders of at most ${money(market, openNotionalMax)} in all, would be ${money(market, inAll)}`,
      };
    return undefined;
  },
};
