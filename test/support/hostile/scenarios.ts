/**
 * @module
 * The scenarios of a hostile gateway. Each is a value: a fault in words, what does it, and within how many seconds the bot
 * quotes again once it is over.
 */
import { ANSWER_SCENARIOS } from './answer-scenarios.ts';
import { EXCHANGE_SCENARIOS } from './exchange-scenarios.ts';
import type { Scenario } from './judge.ts';
import { POISON_SCENARIOS } from './poison-scenarios.ts';
import { STREAM_SCENARIOS } from './stream-scenarios.ts';

/** All of them, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  ...STREAM_SCENARIOS,
  ...POISON_SCENARIOS,
  ...ANSWER_SCENARIOS,
  ...EXCHANGE_SCENARIOS,
];
