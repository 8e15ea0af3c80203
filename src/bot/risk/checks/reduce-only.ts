/** @module P13: a reduce-only order is no larger than what other closing orders are certain to leave. */
import { formatSize, longestLots, shortestLots } from '../../../domain/index.ts';
import type { OrderCheck } from '../check.ts';

/** Checks reduce-only orders against the worst-case position. */
export const reduceOnly: OrderCheck = {
  control: 'P13',
  codes: ['RISK_REDUCE_ONLY_WOULD_INCREASE'],
  review(spec, scene) {
    const { market } = scene.here;
    // One that waits is made no larger than what it closes when it fires, and what it closes may not be there yet.
    if (!spec.reduceOnly || spec.trigger !== undefined || market === undefined) return undefined;
    // Orders that this round cancels first cannot be executed together with this one; the exchange clamps the rest.
    const { ofAccount: exposure } = scene.here.all;
    const { ofAccount: canceled } = scene.here.canceled;
    const held = spec.side === 'sell' ? exposure.positionLots : -exposure.positionLots;
    const left =
      spec.side === 'sell'
        ? shortestLots(exposure) + canceled.sellLots
        : canceled.buyLots - longestLots(exposure);
    if (held > 0 && spec.sizeLots <= left) return undefined;
    return {
      code: 'RISK_REDUCE_ONLY_WOULD_INCREASE',
      message: `expected a reduce-only ${spec.side} of at most ${formatSize(market, Math.max(0, left) as typeof spec.sizeLots)} ${spec.symbol}, got ${formatSize(market, spec.sizeLots)}`,
    };
  },
};
