/** @module P2: one order is not worth too much and not larger than its market's limit. */
import { formatSize, isPositionLeg } from '../../../domain/index.ts';
import { money, type OrderCheck } from '../check.ts';

/** Checks the size of one order. */
export const orderSize: OrderCheck = {
  control: 'P2',
  codes: ['RISK_ORDER_NOTIONAL_ABOVE_LIMIT', 'RISK_ORDER_SIZE_ABOVE_LIMIT'],
  review(spec, scene) {
    const { market, lotsMax } = scene.here;
    // A leg of a position is as large as that, which P5 bounds: a smaller one there is not.
    if (market === undefined || isPositionLeg(spec)) return undefined;
    const { orderNotionalMax } = scene.limits;
    const notional = scene.notionalOf(spec);
    if (notional > orderNotionalMax)
      return {
        code: 'RISK_ORDER_NOTIONAL_ABOVE_LIMIT',
        message: `expected an order of at most ${money(market, orderNotionalMax)}, got ${money(market, notional)}`,
      };
    if (lotsMax !== undefined && spec.sizeLots > lotsMax)
      return {
        code: 'RISK_ORDER_SIZE_ABOVE_LIMIT',
        message: `expected an order of at most ${formatSize(market, lotsMax)} ${spec.symbol}, got ${formatSize(market, spec.sizeLots)}`,
      };
    return undefined;
  },
};
