/**
 * @module
 * A denial: an intent that was stopped inside our system and never left it.
 */
import type { IntentId, MarketSymbol, StrategyId } from './ids.ts';

/** Why an intent did not leave: a stable code, the values compared, and what to do. */
export interface Denial {
  readonly intentId: IntentId;
  readonly strategyId: StrategyId;
  /** The market; `undefined`: it concerns none. */
  readonly symbol: MarketSymbol | undefined;
  /** UPPER_SNAKE, `RISK_...` or `INTENT_...`; listed in docs/reference/denials.md. */
  readonly code: string;
  /** One sentence with values and units. */
  readonly message: string;
  /** What to do. */
  readonly remedy: string;
}
