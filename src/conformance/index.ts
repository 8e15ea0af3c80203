/**
 * @module Checks any gateway against the interface: checks by rule, raw HTTP and WebSocket, nothing of the exchange.
 */
export { ReceivedAnswer } from './answer.ts';
export { sectionOf } from './check.ts';
export { CHECKS } from './checks/index.ts';
export { Coverage, type CoverageReport } from './coverage.ts';
export { loadDocument } from './document.ts';
export { Harness } from './harness.ts';
export { openHttpHarness } from './http-harness.ts';
export { jsonReport, junitReport, textReport } from './report.ts';
export { RULES } from './rules.ts';
export { runConformance } from './run.ts';
export type { CheckReport } from './suite.ts';
