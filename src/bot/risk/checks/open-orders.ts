/** @module P6: how many orders may be open, per side of a market and in all. */
import { openOrdersOf } from '../../../domain/index.ts';
import type { OrderCheck } from '../check.ts';

/** Checks the number of open orders; orders this round cancels first do not count, for they rest no more. */
export const openOrders: OrderCheck = {
  control: 'P6',
  codes: ['RISK_OPEN_ORDERS_PER_SIDE_ABOVE_LIMIT', 'RISK_OPEN_ORDERS_ABOVE_LIMIT'],
  review(spec, scene) {
    const { openOrdersPerSideMax, openOrdersMax } = scene.limits;
    const { ofAccount: all } = scene.here.all;
    const { ofAccount: canceled } = scene.here.canceled;
    const resting =
      spec.side === 'buy' ? all.buyOrders - canceled.buyOrders : all.sellOrders - canceled.sellOrders;
    const onSide = 1 + resting;
    if (onSide > openOrdersPerSideMax)
      return {
        code: 'RISK_OPEN_ORDERS_PER_SIDE_ABOVE_LIMIT',
        message: `expected at most ${openOrdersPerSideMax} ${spec.side} orders in ${spec.symbol}, would be ${onSide}`,
      };
    const inAll = 1 + scene.totals().openOrders - openOrdersOf(canceled);
    if (inAll > openOrdersMax)
      return {
        code: 'RISK_OPEN_ORDERS_ABOVE_LIMIT',
        message: `expected at most ${openOrdersMax} open orders, would be ${inAll}`,
      };
    return undefined;
  },
};
