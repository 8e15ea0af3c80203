/** @module The single-threaded kernel: loads strategies, orders events into turns, routes intents, evaluates health. */

export { type Bot, createBot } from './bot.ts';
export type { BotOptions } from './bot-options.ts';
export type { DecisionTap, DeliveredMessage, NewestIntentId } from './decisions.ts';
export type { StopProof } from './ending.ts';
export { createFactRouter, type FactListener, listenerFor } from './fact-router.ts';
export { type OutsideInputs, redReasons } from './health.ts';
export { withoutGoneHalts } from './kept-halts.ts';
export type { Instruction, WholeScope } from './kill-switch.ts';
export { inMemoryStrategyStore, type StrategyStore, UNREADABLE } from './ports.ts';
export type { BotStatus, HaltStatus } from './status.ts';
export type { StrategySetup } from './strategy-host.ts';
