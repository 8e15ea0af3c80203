/** @module The scenarios of `ballast examine` as an expectation of a test. */
import { fail } from 'node:assert';
import type { StrategyDefinition } from '../bot/strategy/index.ts';
import { describeFindings, examine, subjectOf } from '../research/examine/index.ts';

/** Which scenarios are played, and where. */
export interface ExaminedOptions {
  /** Names of scenarios or groups; absent: all, which takes some seconds. */
  readonly only?: readonly string[];
  /** Symbols; absent: BTC-USD. */
  readonly markets?: readonly string[];
}

/**
 * The strategy passes the scenarios of `ballast examine`. The error names each that it did not pass, with the event that
 * broke it.
 * @example expectExamined(strategy, { size: '0.003' }, { only: ['orders', 'crossed-book'] });
 * @throws ConfigError for a scenario that there is not.
 */
export function expectExamined(
  definition: StrategyDefinition,
  parameters: Readonly<Record<string, unknown>>,
  { only, markets }: ExaminedOptions = {},
): void {
  const results = examine(subjectOf(definition, parameters, markets), { only });
  if (results.some(({ finding }) => finding !== undefined)) fail(describeFindings(results));
}
