import { defineStrategy, param } from 'ballast/strategy';

export default defineStrategy({
  name: 'one-level',
  parameters: param.object({
    size: param.decimal({ above: '0' }),
    halfSpreadPpm: param.integer({ min: 1, max: 10_000 }).prefault(300),
  }),
  create: (context, { size, halfSpreadPpm }) => ({
    onBook(view) {
      const mid = view.externalMidTicks; // the mid without your own orders
      if (mid === undefined) return context.pullQuotes('one side of the book is empty', view.symbol);
      const half = (mid * halfSpreadPpm) / 1_000_000;
      const sizeLots = view.lotsOf(size);
      context.quote(view.symbol, {
        bids: [{ priceTicks: view.floorTicks(mid - half), sizeLots }],
        asks: [{ priceTicks: view.ceilTicks(mid + half), sizeLots }],
      });
    },
  }),
});
