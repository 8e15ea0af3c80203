/** @module P8: gross notional over equity if everything open were executed. */
import { shareDown } from '../../../core/index.ts';
import { type OrderCheck, percent } from '../check.ts';

/** Checks the leverage that could come about; what does not raise it passes. */
export const leverage: OrderCheck = {
  control: 'P8',
  codes: ['RISK_LEVERAGE_ABOVE_LIMIT'],
  review(spec, scene) {
    const { equity } = scene;
    if (equity === undefined || equity <= 0) return undefined;
    const { leveragePpmMax } = scene.limits;
    const after = scene.totalsWith(spec).gross;
    const isAbove = after > shareDown(equity, leveragePpmMax);
    if (!isAbove || after <= scene.totals().gross) return undefined;
    const ppm = Number((BigInt(after) * 1_000_000n) / BigInt(equity));
    return {
      code: 'RISK_LEVERAGE_ABOVE_LIMIT',
      message: `expected positions of at most ${percent(leveragePpmMax)} of equity, would be ${percent(ppm)}`,
    };
  },
};
