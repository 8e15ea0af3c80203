/** @module The strategy of G18: a bid and an ask around the market, which follow it. */
import { defineStrategy, param } from 'ballast/strategy';
import { soakPort } from './soak-port.ts';

const DISTANCE = 0.002;

export default defineStrategy({
  name: 'soak',
  parameters: param.object({ size: param.decimal({ above: '0' }) }),
  create: (context, { size }) => ({
    onStart: () => soakPort.onReady(),
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
        { priceToleranceTicks: Math.ceil((mid * DISTANCE) / 4) },
      );
    },
  }),
});
