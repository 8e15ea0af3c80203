/** @module P4: there is a reference price, and its sources agree. */
import { type OrderCheck, percent, price } from '../check.ts';
import { priceSpanOf, referenceTicksOf } from '../reference.ts';

/** Checks that the market has one price. */
export const referenceSanity: OrderCheck = {
  control: 'P4',
  codes: ['RISK_REFERENCE_MISSING', 'RISK_REFERENCE_DISAGREES'],
  judge(spec, scene) {
    const record = scene.record(spec.symbol);
    if (record?.market === undefined) return undefined;
    const { market } = record;
    if (referenceTicksOf(record) === undefined)
      return {
        code: 'RISK_REFERENCE_MISSING',
        message: `expected a mark price, a middle or a last trade of ${spec.symbol}, was none`,
      };
    const { referenceGapPpm } = scene.limits;
    const { lowName, lowTicks, highName, highTicks } = priceSpanOf(record, scene.view.nowMs);
    if ((highTicks - lowTicks) * 1_000_000 > referenceGapPpm * lowTicks)
      return {
        code: 'RISK_REFERENCE_DISAGREES',
        message: `expected prices of ${spec.symbol} within ${percent(referenceGapPpm)}, was ${lowName} ${price(market, lowTicks)} and ${highName} ${price(market, highTicks)}`,
      };
    return undefined;
  },
};
