/** @module Decides, purely, which intents may leave and why the others are denied. */
export { ORDER_CHECKS } from './checks/index.ts';
export { DENIAL_CODES, type DenialCode, type DenialCodeRow } from './codes.ts';
export { createRiskGate, REVIEW_ORDERS_MAX, type Review, type RiskGate } from './gate.ts';
export { type LimitOverrides, type RiskLimits, riskLimits, type StrategyLimits } from './limits.ts';
export { type MonitorLimits, monitorLimits, RiskMonitor } from './monitor.ts';
export { type TradingScope, type TradingState, TradingStates } from './trading-state.ts';
export type { Verdict } from './verdict.ts';
export type { RiskRequest, RiskView } from './view.ts';
