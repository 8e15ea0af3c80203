/** @module P4: there is a reference price, and its sources agree. */
import { type OrderCheck, percent, price } from '../check.ts';
import { priceSources, referenceTicksOf } from '../reference.ts';

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
    const sources = priceSources(record, scene.view.nowMs);
    const [firstName, first] = sources[0] ?? ['', 0];
    let low = { name: firstName, ticks: first };
    let high = low;
    for (const [name, ticks] of sources) {
      if (ticks < low.ticks) low = { name, ticks };
      if (ticks > high.ticks) high = { name, ticks };
    }
    if ((high.ticks - low.ticks) * 1_000_000 > referenceGapPpm * low.ticks)
      return {
        code: 'RISK_REFERENCE_DISAGREES',
        message: `expected prices of ${spec.symbol} within ${percent(referenceGapPpm)}, was ${low.name} ${price(market, low.ticks)} and ${high.name} ${price(market, high.ticks)}`,
      };
    return undefined;
  },
};
