/** @module What is examined: a strategy with its parameters and its markets, and the limits it is held to. */

import type { RiskLimits } from '../../bot/risk/index.ts';
import type { StrategyDefinition } from '../../bot/strategy/index.ts';

/** See the module. */
export interface Subject {
  /** Its name in a configuration, or that of its definition. */
  readonly name: string;
  readonly definition: StrategyDefinition;
  /** As a configuration gives them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** At least one, unless a scenario says otherwise. */
  readonly symbols: readonly string[];
  /** Limits of the run in these markets. */
  limits(symbols: readonly string[]): RiskLimits;
}

/** The event that broke a strategy. */
export interface BrokenBy {
  /** Events of the scenario so far, this one included; 0: before the first. */
  readonly number: number;
  /** Since the beginning of the scenario, ms. */
  readonly atMs: number;
  /** The event, in words. */
  readonly text: string;
}

/** What is wrong with a strategy. */
export interface Finding {
  readonly event: BrokenBy;
  readonly expected: string;
  readonly got: string;
}
