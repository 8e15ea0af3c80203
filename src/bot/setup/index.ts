/** @module What a run reads before it begins: strategies, limits, signed structs, the signing back end, hashes. */
export { loadConfiguredCrypto } from './configured-signing.ts';

export type { Loading } from './guarded-load.ts';
export { filesOfStrategy, hashOfStrategy } from './loader.ts';
export { describeOperatorStructs, operatorStructs } from './operator-structs.ts';
export { type Prepared, prepareRun } from './prepared.ts';
export { limitsOf, monitorLimitsOf } from './risk-limits.ts';
export { hashesOf } from './run-hashes.ts';
export { type PreparedStrategy, prepareStrategies, setupsOf } from './strategies.ts';
