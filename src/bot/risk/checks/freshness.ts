/** @module P16: no decision on old data (I25), none on an account with a gap. */
import type { OrderCheck } from '../check.ts';

/** Checks that market and account are known as they are now. */
export const freshness: OrderCheck = {
  control: 'P16',
  codes: ['RISK_MARKET_DATA_STALE', 'RISK_ACCOUNT_NOT_SYNCED'],
  review(spec, scene) {
    const { nowMs, account } = scene.view;
    const { sync } = account;
    if (sync.kind !== 'synced')
      return {
        code: 'RISK_ACCOUNT_NOT_SYNCED',
        message: `expected a synced account, got ${sync.kind === 'starting' ? 'starting' : sync.reason}`,
      };
    const { record } = scene.here;
    if (record?.staleReason !== undefined)
      return {
        code: 'RISK_MARKET_DATA_STALE',
        message: `expected trusted data of ${spec.symbol}, got stale data: ${record.staleReason}`,
      };
    const { dataAgeMsMax } = scene.limits;
    const ageMs = record?.dataAtMs === undefined ? undefined : nowMs - record.dataAtMs;
    // Data of the future is data of before the clock was set back.
    if (ageMs === undefined || Math.abs(ageMs) > dataAgeMsMax)
      return {
        code: 'RISK_MARKET_DATA_STALE',
        message: `expected data of ${spec.symbol} of at most ${dataAgeMsMax} ms, got ${ageMs === undefined ? 'none' : `${ageMs} ms old`}`,
      };
    return undefined;
  },
};
