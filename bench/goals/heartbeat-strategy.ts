/**
 * @module
 * The strategy of G20: quotes far from the touch, and keeps the event loop busy with work of its own, a piece in each
 * tick of a timer.
 */
import { defineStrategy, param } from 'ballast/strategy';
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
    onBook(view) {
      const mid = view.externalMidTicks;
      if (mid === undefined) return;
      const sizeLots = view.lotsOf(size);
      context.quote(
        view.symbol,
        {
          bids: [{ priceTicks: view.floorTicks(mid * (1 - DISTANCE)), sizeLots }],
          asks: [{ priceTicks: view.ceilTicks(mid * (1 + DISTANCE)), sizeLots }],
        },
        { priceToleranceTicks: Math.ceil((mid * DISTANCE) / 10) },
      );
    },
  }),
});
