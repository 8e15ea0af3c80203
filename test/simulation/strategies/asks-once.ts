/**
 * @module
 * A strategy that buys a little, and then asks once for an order outside the book, whatever lives follow: that it asks is stored
 * before it asks. What it is told goes into its log.
 */
import { defineStrategy, order, param } from '../../../src/bot/strategy/index.ts';

export default defineStrategy({
  name: 'asks-once',
  parameters: param.object({
    kind: param.choice(['conditional', 'twap', 'tpsl']),
    size: param.decimal({ above: '0' }),
  }),
  create: (context, { kind, size }) => {
    let hasAsked = false;
    let hasBought = false;
    return {
      onSave: () => ({ hasAsked }),
      onLoad: () => {
        hasAsked = true;
      },
      onBook(view) {
        const mid = view.externalMidTicks;
        if (hasAsked || mid === undefined || !view.isFresh) return;
        if (kind === 'tpsl' && view.inventoryLots === 0) {
          // There must be something to close.
          const entry = {
            symbol: view.symbol,
            side: 'buy',
            priceTicks: view.ceilTicks(mid * 1.001),
          } as const;
          if (!hasBought) context.place(order.ioc({ ...entry, sizeLots: view.lotsOf(size) }));
          hasBought = true;
          return;
        }
        hasAsked = true;
        if (!context.save()) {
          hasAsked = false;
          return;
        }
        const { symbol } = view;
        const sizeLots = view.lotsOf(size);
        if (kind === 'twap')
          context.placeTwap({
            ...{ symbol, side: 'buy', sizeLots, slices: 3 },
            ...{ intervalMs: 600_000, priceTolerancePpm: 3_000 },
          });
        else if (kind === 'tpsl')
          context.placeTpsl({
            ...{ symbol, side: 'sell' },
            takeProfit: { triggerTicks: view.ceilTicks(mid * 1.05), priceTicks: view.floorTicks(mid * 1.04) },
            stopLoss: { triggerTicks: view.floorTicks(mid * 0.95), priceTicks: view.floorTicks(mid * 0.94) },
          });
        else
          context.placeConditional(
            order.limit({ symbol, side: 'buy', sizeLots, priceTicks: view.floorTicks(mid * 0.94) }),
            { triggerTicks: view.floorTicks(mid * 0.95), when: 'atOrBelow' },
          );
      },
    };
  },
});
