/** @module What is otherwise on the stage of a scenario. */
import type { FaultOptions } from './faults.ts';
import type { StrategyWatch } from './watched-strategy.ts';

/** What is otherwise on a stage. */
export interface StageOptions extends FaultOptions {
  /** Instead of the subject's; empty: it trades in none. */
  readonly symbols?: readonly string[];
  /** Instead of the subject's. */
  readonly parameters?: unknown;
  /** What a strategy finds that it saved. */
  readonly saved?: string;
  /** Decisions and the history of the account are not kept: for very long runs. */
  readonly isUnrecorded?: boolean;
  /** Sees calls of the strategy. */
  readonly watch?: Partial<StrategyWatch>;
}
