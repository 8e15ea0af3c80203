/**
 * @module
 * The course of a run, for reports: what was denied and rejected, when trading was held, why there were no quotes, how each
 * strategy ended, and what it logged.
 */
import type { UnixMs } from '../core/index.ts';
import type { MarketSymbol, StrategyId } from './ids.ts';

/** What happened, counted within one hour (UTC) of a run. */
export interface RunTally {
  /** `denial`: by risk; `rejection`: by the exchange; `halt`: trading was held by a control; `noQuotes`: no order on a side. */
  readonly kind: 'denial' | 'rejection' | 'halt' | 'noQuotes';
  /** Code of the denial, reason of the rejection, id of the control, reason for no quotes; its numbers are written as `#`. */
  readonly code: string;
  /** `null`: of no single strategy. */
  readonly strategyId: StrategyId | null;
  /** `null`: of no single market. */
  readonly symbol: MarketSymbol | null;
  /** The side without an order; absent: it is of no side. */
  readonly side?: 'bid' | 'ask';
  /** Start of the hour, Unix ms. */
  readonly hourMs: number;
  /** How often it began within the hour. */
  readonly count: number;
  /** How long it lasted within the hour, ms; 0 for denials and rejections. */
  readonly ms: number;
}

/** How a strategy fared in a run. */
export interface StrategyOutcome {
  readonly strategyId: StrategyId;
  /**
   * `completed`: it ran to the end of the run; `failed`: it threw at least once; `stopped`: it or a person ended it;
   * `neverQuoted`: it sent no order; `halted`: a control held it for more than half of its time.
   */
  readonly state: 'completed' | 'failed' | 'stopped' | 'neverQuoted' | 'halted';
  /** The reason, in words; empty for `completed`. */
  readonly reason: string;
  /** The first error of it; `null`: there was none. */
  readonly error: { readonly name: string; readonly message: string; readonly atMs: UnixMs } | null;
  /** How often it failed. */
  readonly failures: number;
  /** When it ended; `null`: with the run. */
  readonly endedAtMs: UnixMs | null;
  /** The control that held it for the longest time; `null`: none. */
  readonly control: string | null;
  /** The fraction of its time that any control held it. */
  readonly heldFraction: number;
  /** Handlers that were never called, since the market data they need did not come: one sentence each. */
  readonly unheard: readonly string[];
}

/** One line that a strategy logged, or that says how it fared. */
export interface RunLogLine {
  readonly atMs: UnixMs;
  readonly strategyId: StrategyId;
  readonly level: 'info' | 'warn' | 'error';
  /** The line, with its fields as JSON. */
  readonly text: string;
}

/** The course of a run; part of its record. */
export interface RunCourse {
  readonly tallies: readonly RunTally[];
  readonly outcomes: readonly StrategyOutcome[];
  /** The first lines of the strategies. */
  readonly log: readonly RunLogLine[];
  /** How many lines came after those that are kept. */
  readonly logDropped: number;
}

/** True for an outcome that no decision should rest on. */
export function isBadOutcome({ state }: StrategyOutcome): boolean {
  return state === 'failed' || state === 'neverQuoted' || state === 'halted';
}
