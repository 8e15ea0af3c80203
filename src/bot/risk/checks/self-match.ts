/** @module P12: no order trades with an order of its own account, whichever of its strategies placed it. */
import { type OrderCheck, price } from '../check.ts';

/** Checks that an order crosses none of the account's own on the other side. */
export const selfMatch: OrderCheck = {
  control: 'P12',
  codes: ['RISK_SELF_TRADE'],
  review(spec, scene) {
    const { market } = scene.here;
    if (market === undefined) return undefined;
    const other = scene.metBy(spec);
    if (other === undefined) return undefined;
    return {
      code: 'RISK_SELF_TRADE',
      message: `expected a ${spec.side} that does not meet own orders, got ${price(market, spec.priceTicks)} against an own ${other.side} at ${price(market, other.priceTicks)}`,
    };
  },
};
