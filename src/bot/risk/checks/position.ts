/**
 * @module
 * P5: worst-case positions per market, added up and netted. Checked in the direction of the order: what reduces a
 * position that is too large passes.
 */
import { minus, times } from '../../../core/index.ts';
import { longestLots, shortestLots } from '../../../domain/index.ts';
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
  review(spec, scene) {
    const { market, valuationTicks, perTickLot } = scene.here;
    if (market === undefined || valuationTicks === undefined) return undefined;
    const { positionNotionalMax, grossNotionalMax, netNotionalMax } = scene.limits;
    const exposure = scene.exposureWith(spec);
    const worstLots = spec.side === 'buy' ? longestLots(exposure) : -shortestLots(exposure);
    const worst = times(times(valuationTicks, worstLots), perTickLot);
    if (worst > positionNotionalMax)
      return {
        code: 'RISK_POSITION_ABOVE_LIMIT',
        message: `expected a position of at most ${money(market, positionNotionalMax)} in ${spec.symbol}, would be ${money(market, worst)} with all ${spec.side} orders executed`,
      };
    const before = scene.totals();
    const after = scene.totalsWith(spec);
    if (after.isUnpriced)
      return {
        code: 'RISK_REFERENCE_MISSING',
        message: `expected a price of ${scene.unpricedSymbol()} to value its position, got none`,
      };
    if (after.gross > grossNotionalMax && after.gross > before.gross)
      return {
        code: 'RISK_GROSS_POSITION_ABOVE_LIMIT',
        message: `expected positions of at most ${money(market, grossNotionalMax)} in all, would be ${money(market, after.gross)}`,
      };
    const isBuy = spec.side === 'buy';
    const net = isBuy ? after.netLong : minus(0, after.netShort);
    const netBefore = isBuy ? before.netLong : minus(0, before.netShort);
    if (net > netNotionalMax && net > netBefore)
      return {
        code: 'RISK_NET_POSITION_ABOVE_LIMIT',
        message: `expected a net position of at most ${money(market, netNotionalMax)}, would be ${money(market, net)}`,
      };
    return undefined;
  },
};
