/** @module P14: how long an order may live, and which writes can carry that (exchange.md#command-bytes). */
import type { OrderCheck } from '../check.ts';

/** Checks the expiry of an order. Without one the switch bounds its lifetime (P15). */
export const expiry: OrderCheck = {
  control: 'P14',
  codes: ['RISK_EXPIRY_PAST', 'RISK_EXPIRY_TOO_FAR', 'RISK_EXPIRY_UNSUPPORTED'],
  review(spec, scene) {
    if (spec.expiresAtMs === 0) return undefined;
    if (!scene.canCarryExpiry)
      return {
        code: 'RISK_EXPIRY_UNSUPPORTED',
        message: 'expected no expiry in a batch or a replace, got one',
      };
    const leftMs = spec.expiresAtMs - scene.serverNowMs;
    if (leftMs <= 0)
      return { code: 'RISK_EXPIRY_PAST', message: `expected an expiry in the future, got ${-leftMs} ms ago` };
    if (leftMs > scene.limits.expiryMsMax)
      return {
        code: 'RISK_EXPIRY_TOO_FAR',
        message: `expected an expiry within ${scene.limits.expiryMsMax} ms, got ${leftMs} ms`,
      };
    return undefined;
  },
};
