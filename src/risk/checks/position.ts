/**
 * @module
 * P5: worst-case positions per market, added up and netted. Judged in the direction of the order: what reduces a
 * position that is too large passes.
 */
import { longestLots, notionalOf, shortestLots, valuationTicksOf } from '../../domain/index.ts';
import { money, type OrderCheck } from '../check.ts';

/** Checks positions as they would be if everything on one side were executed. */
export const position: OrderCheck = {
  control: 'P5',
  codes: [
    'RISK_POSITION_ABOVE_LIMIT',
    'RISK_GROSS_POSITION_ABOVE_LIMIT',
    'RISK_NET_POSITION_ABOVE_LIMIT',
    'RISK_REFERENCE_MISSING',
  ],
  judge(spec, scene) {
    const record = scene.record(spec.symbol);
    const ticks = record === undefined ? undefined : valuationTicksOf(record);
    if (record?.market === undefined || ticks === undefined) return undefined;
    const { market } = record;
    const { positionNotionalMax, grossNotionalMax, netNotionalMax } = scene.limits;
    const exposure = scene.exposureWith(spec);
    const worst =
      spec.side === 'buy'
        ? notionalOf(market, ticks, longestLots(exposure))
        : -notionalOf(market, ticks, shortestLots(exposure));
    if (worst > positionNotionalMax)
      return {
        code: 'RISK_POSITION_ABOVE_LIMIT',
        message: `expected a position of at most ${money(market, positionNotionalMax)} in ${spec.symbol}, would be ${money(market, worst)} with all ${spec.side} orders executed`,
      };
    const before = scene.totals();
    const after = scene.totalsWith(spec);
    if (after.unpriced !== undefined)
      return {
        code: 'RISK_REFERENCE_MISSING',
        message: `expected a price of ${after.unpriced} to value its position, was none`,
      };
    if (after.gross > grossNotionalMax && after.gross > before.gross)
      return {
        code: 'RISK_GROSS_POSITION_ABOVE_LIMIT',
        message: `expected positions of at most ${money(market, grossNotionalMax)} in all, would be ${money(market, after.gross)}`,
      };
    const [net, netBefore] =
      spec.side === 'buy' ? [after.netLong, before.netLong] : [-after.netShort, -before.netShort];
    if (net > netNotionalMax && net > netBefore)
      return {
        code: 'RISK_NET_POSITION_ABOVE_LIMIT',
        message: `expected a net position of at most ${money(market, netNotionalMax)}, would be ${money(market, net)}`,
      };
    return undefined;
  },
};
