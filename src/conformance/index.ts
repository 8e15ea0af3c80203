/** @module Judges any gateway against the interface: checks by rule, raw HTTP and WebSocket, nothing of the exchange. */
export { Answer, Doc } from './answer.ts';
export { type Check, type Needs, sectionOf } from './check.ts';
export { CHECKS } from './checks/index.ts';
export { Coverage, type CoverageReport } from './coverage.ts';
export { loadDocument } from './document.ts';
export type { Tap } from './gate.ts';
export { openHttpStage } from './http-stage.ts';
export { jsonReport, junitReport, textReport } from './report.ts';
export { RULES, type RuleId } from './rules.ts';
export { chosenChecks, type RunOptions, runConformance } from './run.ts';
export type { Stage, StageAccount, StageFault } from './stage.ts';
export type { CheckReport, CheckResult, SuiteReport } from './suite.ts';
