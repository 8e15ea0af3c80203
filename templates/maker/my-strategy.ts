import { defineStrategy, param } from 'ballast/strategy';

export default defineStrategy({
  name: 'my-strategy',
  summary: 'One order on each side of the mid, leaning against the inventory.',
  parameters: param.object({
    size: param.decimal({ above: '0' }),
    maxInventory: param.decimal({ above: '0' }),
    halfSpreadPpm: param.ppm({ min: 1 }).prefault(300),
    skewPpm: param.ppm().prefault(100),
  }),
  create: (context, { size, maxInventory, halfSpreadPpm, skewPpm }) => ({
    onBook(view) {
      // The mid of others: with your own orders in it, your quotes would chase themselves.
      const mid = view.externalMidTicks;
      if (mid === undefined) return context.pullQuotes('one side of the book is empty', view.symbol);
      const sizeLots = view.lotsOf(size);
      const maxLots = view.lotsOf(maxInventory);
      const held = view.inventoryLots;
      const half = (mid * halfSpreadPpm) / 1_000_000;
      // The more is held, the lower are both quotes; never past the mid.
      const lean = Math.max(-1, Math.min(1, held / maxLots)) * Math.min(half, (mid * skewPpm) / 1_000_000);
      const bid = { priceTicks: view.floorTicks(mid - half - lean), sizeLots };
      const ask = { priceTicks: view.ceilTicks(mid + half - lean), sizeLots };
      context.quote(
        view.symbol,
        { bids: held + sizeLots <= maxLots ? [bid] : [], asks: held - sizeLots >= -maxLots ? [ask] : [] },
        // An order this near to its price keeps its place in the queue.
        { priceToleranceTicks: Math.floor(half / 10) },
      );
    },
  }),
});
