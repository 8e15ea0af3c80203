/** @module Parameters searched, on threads or on a queue. */
export { sweepBars } from './bars-sweep.ts';
export { prepareRobustness, robustnessOf } from './robustness.ts';
export { checkAxes, settingsOf, sweepConfiguration } from './run-sweep.ts';
export { queueRunner, startSweepWorker } from './sweep-queue.ts';
