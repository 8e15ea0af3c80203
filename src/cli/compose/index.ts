/** @module Where bot meets exchange. */
export { startConformanceExchange } from './conformance-exchange.ts';
export { runInProcess } from './in-process-run.ts';
export { onOwnExchange } from './own-exchange.ts';
export { runOnSim } from './sim-run.ts';
