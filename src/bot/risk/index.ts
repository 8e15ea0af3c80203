/** @module Decides, purely, which intents may leave and why the others are denied. */
export { DENIAL_CODES, type DenialCodeRow } from './codes.ts';
export { createRiskGate, type Review, type RiskGate } from './gate.ts';
export { type LimitOverrides, type RiskLimits, riskLimits, type StrategyLimits } from './limits.ts';
export { LossMonitor } from './loss-monitor.ts';
export { type MonitorLimits, monitorLimits, RiskMonitor } from './monitor.ts';
export {
  type FilledGround,
  type HeldScope,
  isOfPerson,
  isTradingState,
  LANE_HOLDER,
  nameOfScope,
  OPERATOR_HOLDER,
  STOP_HOLDER,
  strictest,
  type TradingScope,
  type TradingState,
  TradingStates,
} from './trading-state.ts';
export { type LimitUse, limitUses, type UsageSources } from './usage.ts';
export { HELD_UNTIL_RESUMED, type Verdict } from './verdict.ts';
export type { RiskRequest, RiskView } from './view.ts';
