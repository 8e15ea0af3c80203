/** @module P4: there is a reference price, and its sources agree. */
import { type OrderCheck, percent, price } from '../check.ts';
import { priceSpanOf } from '../reference.ts';

/** Checks that the market has one price. */
export const referenceSanity: OrderCheck = {
  control: 'P4',
  codes: ['RISK_REFERENCE_MISSING', 'RISK_REFERENCE_DIVERGED'],
  review(spec, scene) {
    const { record, market, referenceTicks, midTicks } = scene.here;
    if (record === undefined || market === undefined) return undefined;
    if (referenceTicks === undefined)
      return {
        code: 'RISK_REFERENCE_MISSING',
        message: `expected a mark price, a mid or a last trade of ${spec.symbol}, got none`,
      };
    const { referenceGapPpm } = scene.limits;
    const { lowName, lowTicks, highName, highTicks } = priceSpanOf(record, scene.view.nowMs, midTicks);
    if ((highTicks - lowTicks) * 1_000_000 > referenceGapPpm * lowTicks)
      return {
        code: 'RISK_REFERENCE_DIVERGED',
        message: `expected prices of ${spec.symbol} within ${percent(referenceGapPpm)}, got ${lowName} ${price(market, lowTicks)} and ${highName} ${price(market, highTicks)}`,
      };
    return undefined;
  },
};
