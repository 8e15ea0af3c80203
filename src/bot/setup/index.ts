/** @module What a run reads before it begins: strategies, limits, signed structs, the signing back end, hashes. */

export { lockFileOf } from './code-lock.ts';
export { loadConfiguredCrypto } from './configured-signing.ts';
export type { Loading } from './guarded-load.ts';
export { INSTALLED_STRATEGIES } from './installed-strategies.ts';
export { ruleError } from './load-error.ts';
export { filesOfStrategy, hashOfStrategy, loadStrategy } from './loader.ts';
export { describeOperatorStructs, operatorStructs } from './operator-structs.ts';
export { type Prepared, prepareRun } from './prepared.ts';
export { limitsOf, monitorLimitsOf } from './risk-limits.ts';
export { codeHashOf, hashesOf } from './run-hashes.ts';
export { SignerProcess } from './signer-process.ts';
export { SignerService } from './signer-service.ts';
export {
  lockStrategies,
  type PreparedStrategy,
  pinStrategy,
  prepareStrategies,
  setupsOf,
} from './strategies.ts';
export {
  type SignerPlan,
  type SignerState,
  SLOW_MS,
  WatchedSigner,
} from './watched-signer.ts';
