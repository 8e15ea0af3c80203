/** @module The calls that an execution component needs of its strategy. */
import type { StrategyHandlers } from '../handlers.ts';

/** Handlers to be spread into those of the strategy, or called from them. */
export type AlgoHandlers = Required<
  Pick<StrategyHandlers, 'onBook' | 'onBbo' | 'onFill' | 'onOrder' | 'onDenied' | 'onTimer' | 'onResumed'>
>;
