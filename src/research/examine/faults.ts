/**
 * @module
 * Which denials are the strategy's own fault. The market may move after a strategy has looked at it, so that some denials
 * are part of trading; these are not.
 */
import type { Denial } from '../../domain/index.ts';

/** Always a fault: no state of the market leads to it. */
const MALFORMED: Readonly<Record<string, string>> = {
  INTENT_MALFORMED: 'intents in their form',
  INTENT_MARKET_UNKNOWN: 'orders in its own markets',
  INTENT_PRICE_OFF_TICK: 'prices on the tick',
  INTENT_SIZE_OFF_LOT: 'sizes on the lot',
  INTENT_LEVELS_TOO_MANY: 'as many levels as one write may carry',
  RISK_ORDER_MALFORMED: 'orders in their form',
  RISK_PRICE_INVALID: 'prices on the tick',
  RISK_SIZE_INVALID: 'sizes on the lot',
  RISK_LEVERAGE_SETTING_INVALID: 'a leverage that the market has',
  RISK_EXPIRY_PAST: 'expiries by the clock of the context',
};

/** More than the limits of the run allow. */
const LIMITS = [
  'RISK_ORDER_NOTIONAL_ABOVE_LIMIT',
  'RISK_ORDER_SIZE_ABOVE_LIMIT',
  'RISK_POSITION_ABOVE_LIMIT',
  'RISK_GROSS_POSITION_ABOVE_LIMIT',
  'RISK_NET_POSITION_ABOVE_LIMIT',
  'RISK_OPEN_ORDERS_PER_SIDE_ABOVE_LIMIT',
  'RISK_OPEN_ORDERS_ABOVE_LIMIT',
  'RISK_OPEN_NOTIONAL_PER_MARKET_ABOVE_LIMIT',
  'RISK_OPEN_NOTIONAL_ABOVE_LIMIT',
  'RISK_LEVERAGE_ABOVE_LIMIT',
  'RISK_STRATEGY_ORDERS_ABOVE_LIMIT',
  'RISK_STRATEGY_NOTIONAL_ABOVE_LIMIT',
  'RISK_STRATEGY_POSITION_ABOVE_LIMIT',
];

/** Too much at once. */
export const FLOOD_CODES = [
  'RISK_LANE_RATE_EXCEEDED',
  'RISK_STRATEGY_RATE_EXCEEDED',
  'RISK_DUPLICATE_ORDER',
  'INTENT_QUEUE_FULL',
] as const;

/** Which denials are faults on a stage. */
export interface FaultOptions {
  /** Denials of these codes are findings, beside those that always are. */
  readonly faultCodes?: readonly string[];
  /** Orders beyond limits are none. */
  readonly areLimitsIgnored?: boolean;
}

/** What is expected instead of a denial; `undefined`: it is part of trading. */
export function faultOf(
  { code }: Pick<Denial, 'code'>,
  { faultCodes = [], areLimitsIgnored = false }: FaultOptions,
): string | undefined {
  if (faultCodes.includes(code)) return `no denial with ${code}`;
  if (!areLimitsIgnored && LIMITS.includes(code)) return 'orders within the limits of the run';
  return MALFORMED[code];
}
