import { defineStrategy, order, param } from 'ballast/strategy';

export default defineStrategy({
  name: 'buy-with-exits',
  summary: 'Buys a size once; the exchange closes the position at a profit or at a loss.',
  parameters: param.object({
    size: param.decimal({ above: '0' }),
    exitPpm: param.ppm({ min: 100, max: 50_000 }).prefault(5_000),
  }),
  create: (context, { size, exitPpm }) => {
    let hasBought = false;
    return {
      onBook(view) {
        const { symbol, externalAskTicks: priceTicks } = view;
        if (hasBought || !view.isFresh || priceTicks === undefined) return;
        hasBought = true;
        context.place(order.ioc({ symbol, side: 'buy', priceTicks, sizeLots: view.lotsOf(size) }));
      },
      onFill({ side, priceTicks }, view) {
        if (side === 'sell' || view.orders.length > 0) return;
        // A trigger at a distance in ppm, and a limit as far beyond it as the order may sell through.
        const at = (ppm: number) => view.floorTicks(priceTicks * (1 + ppm / 1_000_000));
        context.placeTpsl({
          symbol: view.symbol,
          side: 'sell',
          takeProfit: { triggerTicks: at(exitPpm), priceTicks: at(exitPpm) },
          stopLoss: { triggerTicks: at(-exitPpm), priceTicks: at(-2 * exitPpm) },
        });
      },
      onOrder: ({ status, order: shown }) => context.log.info(`${shown?.trigger?.leg ?? 'order'}: ${status}`),
    };
  },
});
