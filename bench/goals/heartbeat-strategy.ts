/**
 * @module
 * The strategy of G20: quotes far from the touch, and keeps the event loop busy with work of its own, a piece in each
 * tick of a timer.
 */
import { defineStrategy, param } from 'ballast/strategy';
import { quoteAround } from '../quote-around.ts';
import { busyPort } from './heartbeat-port.ts';

/** From the start of one piece of work to the next. */
export const PERIOD_MS = 10;
const DISTANCE = 0.01;

export default defineStrategy({
  name: 'busy',
  parameters: param.object({ size: param.decimal({ above: '0' }) }),
  create: (context, { size }) => ({
    onStart() {
      context.startInterval('work', PERIOD_MS);
      busyPort.onReady();
    },
    onTimer() {
      const untilMs = performance.now() + busyPort.workMs;
      while (performance.now() < untilMs);
    },
    onBook: (view) => quoteAround(context, view, { size, distance: DISTANCE, slack: 1 / 10 }),
  }),
});
