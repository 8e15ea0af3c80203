import { defineStrategy, param } from 'ballast/strategy';

export default defineStrategy({
  name: 'buy-in-slices',
  summary: 'Buys a size once, in slices that the exchange sends.',
  parameters: param.object({ size: param.decimal({ above: '0' }) }),
  create: (context, { size }) => {
    let isAsked = false;
    return {
      onBook({ symbol, isFresh, inventoryLots }) {
        if (isAsked || !isFresh || inventoryLots !== 0) return;
        isAsked = true;
        const plan = { slices: 30, intervalMs: 20_000, priceTolerancePpm: 3_000 };
        context.placeTwap({ symbol, side: 'buy', size, ...plan });
      },
      onOrder: ({ status, order }) =>
        context.log.info(`${order?.twap?.slicesDone ?? 0} slices are out: ${status}`),
    };
  },
});
