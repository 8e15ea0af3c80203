/** @module What a continuous control asks for. */
import type { TradingScope, TradingStateReason } from './trading-state.ts';

/** A trading state to set. `control` holds it until a verdict of `active` for the same scope. */
export interface Verdict {
  /** Id of the control (denials.md). */
  readonly control: 'M1' | 'M2' | 'M3' | 'M4' | 'M5' | 'M8' | 'M9' | 'M10' | 'M12' | 'M13' | 'M17';
  readonly scope: TradingScope;
  readonly trading: TradingStateReason;
  /** Cancel what is out in the scope. */
  readonly isCanceling: boolean;
}
