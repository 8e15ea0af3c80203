/** @module P6: how many orders may be open, per side of a market and in all. */
import type { OrderCheck } from '../check.ts';

/** Checks the number of open orders; orders this round cancels first do not count, for they rest no more. */
export const openOrders: OrderCheck = {
  control: 'P6',
  codes: ['RISK_OPEN_ORDERS_PER_SIDE_ABOVE_LIMIT', 'RISK_OPEN_ORDERS_ABOVE_LIMIT'],
  judge(spec, scene) {
    const { openOrdersPerSideMax, openOrdersMax } = scene.limits;
    const all = scene.exposure(spec.symbol);
    const resting = scene.restingExposure(spec.symbol);
    const onSide = 1 + (spec.side === 'buy' ? resting.buyOrders : resting.sellOrders);
    if (onSide > openOrdersPerSideMax)
      return {
        code: 'RISK_OPEN_ORDERS_PER_SIDE_ABOVE_LIMIT',
        message: `expected at most ${openOrdersPerSideMax} ${spec.side} orders in ${spec.symbol}, would be ${onSide}`,
      };
    const canceled = all.buyOrders + all.sellOrders - resting.buyOrders - resting.sellOrders;
    const inAll = 1 + scene.totals().openOrders - canceled;
    if (inAll > openOrdersMax)
      return {
        code: 'RISK_OPEN_ORDERS_ABOVE_LIMIT',
        message: `expected at most ${openOrdersMax} open orders, would be ${inAll}`,
      };
    return undefined;
  },
};
