/** A grid of post-only orders at round prices around a reservation price that leans against the position. */
import { defineStrategy, type MarketView, param } from 'ballast/strategy';

const MILLION = 1_000_000;

export default defineStrategy({
  name: 'queue-grid',
  summary: 'Orders at round prices around a reservation price; what keeps its price keeps its place in the queue.',
  parameters: param.object({
    orderSize: param.decimal({ above: '0' }),
    gridNum: param.integer({ min: 1, max: 20 }).prefault(5),
    halfSpreadPpm: param.ppm({ min: 1 }),
    gridIntervalPpm: param.ppm({ min: 1 }),
    /** How far the reservation price moves for each order that is held. */
    skewPpm: param.ppm().prefault(0),
    maxPosition: param.decimal({ above: '0' }),
    interval: param.durationMs({ min: '10ms' }).prefault('100ms'),
  }),
  create(context, values) {
    function decide(view: MarketView): void {
      const mid = view.externalMidTicks;
      const [bestBid, bestAsk] = [view.externalBidTicks, view.externalAskTicks];
      if (!view.isFresh || mid === undefined || bestBid === undefined || bestAsk === undefined)
        return context.pullQuotes('the book is old or has one side only', view.symbol);
      const sizeLots = view.lotsOf(values.orderSize);
      const maxLots = view.lotsOf(values.maxPosition);
      const held = view.inventoryLots / sizeLots;
      const reservation = mid * (1 - (values.skewPpm * held) / MILLION);
      const half = (mid * values.halfSpreadPpm) / MILLION;
      const step = Math.max(1, Math.round((mid * values.gridIntervalPpm) / MILLION));
      // On multiples of the step: a small move of the mid leaves every order where it is in its queue.
      const firstBid = Math.floor(Math.min(reservation - half, bestBid) / step) * step;
      const firstAsk = Math.ceil(Math.max(reservation + half, bestAsk) / step) * step;
      const count = (roomLots: number): number =>
        Math.max(0, Math.min(values.gridNum, Math.floor(roomLots / sizeLots)));
      const level = (price: number) => ({ priceTicks: view.floorTicks(price), sizeLots });
      context.quote(view.symbol, {
        bids: Array.from({ length: count(maxLots - view.inventoryLots) }, (_, i) => level(firstBid - i * step)),
        asks: Array.from({ length: count(maxLots + view.inventoryLots) }, (_, i) => level(firstAsk + i * step)),
      });
    }
    return {
      onStart: () => context.startInterval('decide', values.interval),
      onTimer() {
        for (const symbol of context.symbols) decide(context.market(symbol));
      },
    };
  },
});
