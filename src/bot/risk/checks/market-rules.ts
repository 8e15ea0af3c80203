/**
 * @module
 * P1: the order is well-formed, its market is known, allowed and open, price and size fit its steps (O8, O10).
 */
import {
  formatSize,
  isTradable,
  type Market,
  type OrderSpec,
  PRICE_TICKS_MAX,
  TIMES_IN_FORCE,
} from '../../../domain/index.ts';
import { money, type OrderCheck } from '../check.ts';

/** Checks an order against the rules of its market. */
export const marketRules: OrderCheck = {
  control: 'P1',
  codes: [
    'RISK_ORDER_MALFORMED',
    'RISK_MARKET_UNKNOWN',
    'RISK_MARKET_NOT_ALLOWED',
    'RISK_MARKET_NOT_TRADABLE',
    'RISK_PRICE_INVALID',
    'RISK_SIZE_INVALID',
    'RISK_NOTIONAL_BELOW_MINIMUM',
    'RISK_TWAP_NOT_OF_VAULT',
    'RISK_TPSL_NOT_OF_VAULT',
  ],
  review(spec, scene) {
    const { symbol, priceTicks, sizeLots } = spec;
    const malformed = malformedField(spec);
    if (malformed !== undefined)
      return { code: 'RISK_ORDER_MALFORMED', message: `expected a valid ${malformed}, got none` };
    const { market, isAllowed, minNotional } = scene.here;
    if (market === undefined)
      return { code: 'RISK_MARKET_UNKNOWN', message: `expected a known market, got ${symbol}` };
    if (!isAllowed)
      return { code: 'RISK_MARKET_NOT_ALLOWED', message: `expected an allowed market, got ${symbol}` };
    if (!isTradable(market))
      return {
        code: 'RISK_MARKET_NOT_TRADABLE',
        message: `expected ${symbol} to be Active, got ${market.status}`,
      };
    if (!isPriceOf(market, priceTicks))
      return {
        code: 'RISK_PRICE_INVALID',
        message: `expected a price that is a multiple of ${market.tickStep} ticks, got ${priceTicks} ticks`,
      };
    const { trigger, twap } = spec;
    if (twap !== undefined && scene.limits.isOfVault)
      return {
        code: 'RISK_TWAP_NOT_OF_VAULT',
        message: `expected plain orders of a vault, got a time-weighted one in ${twap.slices} slices`,
      };
    if (trigger?.leg !== undefined && scene.limits.isOfVault)
      return {
        code: 'RISK_TPSL_NOT_OF_VAULT',
        message: `expected plain orders of a vault, got the ${trigger.leg === 'stopLoss' ? 'stop-loss' : 'take-profit'} of a position`,
      };
    if (trigger !== undefined && !isPriceOf(market, trigger.priceTicks))
      return {
        code: 'RISK_PRICE_INVALID',
        message: `expected a trigger that is a multiple of ${market.tickStep} ticks, got ${trigger.priceTicks} ticks`,
      };
    const isSizeRight = Number.isSafeInteger(sizeLots) && sizeLots > 0 && sizeLots % market.lotStep === 0;
    if (!isSizeRight)
      return {
        code: 'RISK_SIZE_INVALID',
        message: `expected a size that is a multiple of ${market.lotStep} lots, got ${sizeLots} lots`,
      };
    const notional = scene.notionalOf(spec);
    if (notional < minNotional && !spec.reduceOnly)
      return {
        code: 'RISK_NOTIONAL_BELOW_MINIMUM',
        message: `expected at least ${money(market, minNotional)}, got ${money(market, notional)} (${formatSize(market, sizeLots)} ${symbol})`,
      };
    return undefined;
  },
};

function isPriceOf({ tickStep }: Market, priceTicks: number): boolean {
  return (
    Number.isInteger(priceTicks) &&
    priceTicks > 0 &&
    priceTicks <= PRICE_TICKS_MAX &&
    priceTicks % tickStep === 0
  );
}

function malformedField(spec: OrderSpec): string | undefined {
  if (spec.side !== 'buy' && spec.side !== 'sell') return 'side';
  if (!TIMES_IN_FORCE.includes(spec.timeInForce)) return 'time in force';
  if (typeof spec.reduceOnly !== 'boolean') return 'reduce-only flag';
  if (!Number.isSafeInteger(spec.expiresAtMs) || spec.expiresAtMs < 0) return 'expiry';
  if (spec.trigger !== undefined && typeof spec.trigger.isAbove !== 'boolean') return 'trigger';
  return undefined;
}
