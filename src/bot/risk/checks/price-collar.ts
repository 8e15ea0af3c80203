/** @module P3: the price is near the reference and does not go far through the other side of the book. */
import { type OrderCheck, percent, price } from '../check.ts';

/** Checks the price of an order against the market. */
export const priceCollar: OrderCheck = {
  control: 'P3',
  codes: ['RISK_PRICE_OUTSIDE_COLLAR', 'RISK_PRICE_CROSSES_TOO_FAR'],
  review(spec, scene) {
    const { market, bidTicks, askTicks } = scene.here;
    // An order that waits meets the market at its trigger.
    const reference = spec.trigger?.priceTicks ?? scene.here.referenceTicks;
    if (market === undefined || reference === undefined) return undefined;
    const { collarPpm, crossingPpm } = scene.limits;
    if (Math.abs(spec.priceTicks - reference) * 1_000_000 > collarPpm * reference)
      return {
        code: 'RISK_PRICE_OUTSIDE_COLLAR',
        message: `expected a price within ${percent(collarPpm)} of ${price(market, reference)}, got ${price(market, spec.priceTicks)}`,
      };
    const touch = spec.side === 'buy' ? askTicks : bidTicks;
    if (touch === undefined || spec.trigger !== undefined) return undefined;
    const beyond = spec.side === 'buy' ? spec.priceTicks - touch : touch - spec.priceTicks;
    if (beyond * 1_000_000 > crossingPpm * touch)
      return {
        code: 'RISK_PRICE_CROSSES_TOO_FAR',
        message: `expected at most ${percent(crossingPpm)} beyond the touch ${price(market, touch)}, got ${price(market, spec.priceTicks)}`,
      };
    return undefined;
  },
};
