/** @module What a continuous control asks for. */
import { OPERATOR_HOLDER, type TradingScope, type TradingStateReason } from './trading-state.ts';

/** A trading state to set. `control` holds it until a verdict of `active` for the same scope. */
export interface Verdict {
  /** Id of the control (denials.md), or the person whose word of a previous run still holds. */
  readonly control:
    | 'M1'
    | 'M2'
    | 'M3'
    | 'M4'
    | 'M5'
    | 'M8'
    | 'M9'
    | 'M10'
    | 'M12'
    | 'M13'
    | 'M17'
    | typeof OPERATOR_HOLDER;
  readonly scope: TradingScope;
  readonly trading: TradingStateReason;
  /** Cancel what is out in the scope. */
  readonly isCanceling: boolean;
}

/**
 * Who holds a scope until a person resumes it, also over a restart. Losses (M4) are kept with what was lost; all other controls
 * let go on their own, and look again when a run starts.
 */
export const HELD_UNTIL_RESUMED: readonly Verdict['control'][] = [OPERATOR_HOLDER, 'M1', 'M2', 'M10', 'M12'];
