import { defineStrategy, Hedge, param } from 'ballast/strategy';

export default defineStrategy({
  name: 'my-strategy',
  summary: 'Makes a market in the first of its markets, and hedges what it holds there in the second.',
  parameters: param.object({
    size: param.decimal({ above: '0' }),
    maxInventory: param.decimal({ above: '0' }),
    halfSpreadPpm: param.ppm({ min: 1 }).prefault(300),
    hedgeThreshold: param.decimal({ above: '0' }),
  }),
  create(context, { size, maxInventory, halfSpreadPpm, hedgeThreshold }) {
    const [made, against] = context.symbols;
    if (made === undefined || against === undefined)
      throw new Error('my-strategy needs two markets: the one that it makes, and the one that it hedges in');
    let hedge: Hedge | undefined;
    return {
      onStart() {
        const thresholdLots = context.market(against).lotsOf(hedgeThreshold);
        hedge = new Hedge(context, { of: made, against, thresholdLots });
        hedge.start();
      },
      onBook(view, book) {
        hedge?.handlers.onBook(view, book);
        if (view.symbol !== made) return;
        const mid = view.externalMidTicks;
        if (mid === undefined) return context.pullQuotes('one side of the book is empty', made);
        const [sizeLots, maxLots] = [view.lotsOf(size), view.lotsOf(maxInventory)];
        const held = view.inventoryLots;
        const half = (mid * halfSpreadPpm) / 1_000_000;
        const bid = { priceTicks: view.floorTicks(mid - half), sizeLots };
        const ask = { priceTicks: view.ceilTicks(mid + half), sizeLots };
        context.quote(
          made,
          { bids: held + sizeLots <= maxLots ? [bid] : [], asks: held - sizeLots >= -maxLots ? [ask] : [] },
          { priceToleranceTicks: Math.floor(half / 10) },
        );
      },
      onFill: (fill, view) => hedge?.handlers.onFill(fill, view),
      onOrder: (update) => hedge?.handlers.onOrder(update),
      onDenied: (denial) => hedge?.handlers.onDenied(denial),
      onTimer: (timer) => hedge?.handlers.onTimer(timer),
      onResumed: (symbol) => hedge?.handlers.onResumed(symbol),
    };
  },
});
