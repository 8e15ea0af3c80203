/** @module Decides, purely, which intents may leave and why the others are denied. */
export { DENIAL_CODES, type DenialCodeRow } from './codes.ts';
export { createRiskGate, type Review, type RiskGate } from './gate.ts';
export { type LimitOverrides, type RiskLimits, riskLimits, type StrategyLimits } from './limits.ts';
export { LossMonitor } from './loss-monitor.ts';
export { type MonitorLimits, monitorLimits, RiskMonitor } from './monitor.ts';
export {
  LANE_HOLDER,
  nameOfScope,
  type TradingScope,
  type TradingState,
  TradingStates,
} from './trading-state.ts';
export { type LimitUse, limitUses, type UsageSources } from './usage.ts';
export type { Verdict } from './verdict.ts';
export type { RiskRequest, RiskView } from './view.ts';
