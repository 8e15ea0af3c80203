/** @module Where bot meets exchange. */
export { startConformanceHarness } from './conformance-harness.ts';
export { runInProcess } from './in-process-run.ts';
export { onOwnExchange } from './own-exchange.ts';
export { runOnSim } from './sim-run.ts';
