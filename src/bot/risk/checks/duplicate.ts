/** @module P10: the same order twice within a second, or while the first one's fate is unknown (15c3-5). */
import type { OrderSpec } from '../../../domain/index.ts';
import { type OrderCheck, price } from '../check.ts';

/** Checks that the same order is not on its way already. */
export const duplicate: OrderCheck = {
  control: 'P10',
  codes: ['RISK_DUPLICATE_ORDER'],
  review(spec, scene) {
    const { market } = scene.here;
    if (market === undefined) return undefined;
    const { nowMs, account } = scene.view;
    const { duplicateWindowMs } = scene.limits;
    let ageMs: number | undefined;
    for (const other of scene.approved) if (isSame(other, spec)) ageMs = 0;
    for (const { spec: other, stage, atMs } of account.reservations()) {
      const isOpen = stage === 'unresolved' || stage === 'shadow' || nowMs - atMs <= duplicateWindowMs;
      if (isOpen && isSame(other, spec)) ageMs = nowMs - atMs;
    }
    if (ageMs === undefined) return undefined;
    return {
      code: 'RISK_DUPLICATE_ORDER',
      message: `expected no second ${spec.side} of ${spec.sizeLots} lots at ${price(market, spec.priceTicks)}, got one sent ${ageMs} ms ago without an outcome`,
    };
  },
};

function isSame(a: OrderSpec, b: OrderSpec): boolean {
  return (
    a.symbol === b.symbol &&
    a.side === b.side &&
    a.priceTicks === b.priceTicks &&
    a.sizeLots === b.sizeLots &&
    a.trigger?.priceTicks === b.trigger?.priceTicks
  );
}
