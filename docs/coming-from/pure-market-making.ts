/** Levels of orders around the mid, renewed at an interval, with the sizes skewed toward a target inventory. */
import { clamp, defineStrategy, lots, type MarketView, param } from 'ballast/strategy';

const MILLION = 1_000_000;

export default defineStrategy({
  name: 'pure-market-making',
  summary: 'Levels around the mid, renewed at an interval, sizes skewed toward a target inventory.',
  parameters: param.object({
    bidSpreadPpm: param.ppm({ min: 1 }),
    askSpreadPpm: param.ppm({ min: 1 }),
    orderAmount: param.decimal({ above: '0' }),
    orderLevels: param.integer({ min: 1, max: 10 }).prefault(1),
    levelSpreadPpm: param.ppm().prefault(0),
    orderRefreshTime: param.durationMs({ min: '100ms' }).prefault('15s'),
    filledOrderDelay: param.durationMs({ min: '0ms' }).prefault('0ms'),
    /** A move of the mid within which resting orders stay where they are. */
    refreshTolerancePpm: param.ppm().prefault(0),
    maxInventory: param.decimal({ above: '0' }),
  }),
  create(context, values) {
    let quietUntilMs = 0;

    function quote(view: MarketView): void {
      const mid = view.externalMidTicks;
      if (!view.isFresh || mid === undefined) return context.pullQuotes('no mid to quote around', view.symbol);
      if (context.now() < quietUntilMs) return context.pullQuotes('after a fill', view.symbol);
      const maxLots = view.lotsOf(values.maxInventory);
      const sizeLots = view.lotsOf(values.orderAmount);
      // 1 where nothing is held; at the limit one side is 0, the other twice as large.
      const skew = clamp(view.inventoryLots / maxLots, -1, 1);
      const ladder = (side: 'buy' | 'sell', spreadPpm: number, factor: number) => {
        const size = Math.round(sizeLots * factor);
        return Array.from({ length: size > 0 ? values.orderLevels : 0 }, (_, level) => {
          const distance = (mid * (spreadPpm + level * values.levelSpreadPpm)) / MILLION;
          const priceTicks = side === 'buy' ? view.floorTicks(mid - distance) : view.ceilTicks(mid + distance);
          return { priceTicks, sizeLots: lots(size) };
        });
      };
      context.quote(
        view.symbol,
        {
          bids: ladder('buy', values.bidSpreadPpm, 1 - skew),
          asks: ladder('sell', values.askSpreadPpm, 1 + skew),
        },
        { priceToleranceTicks: Math.floor((mid * values.refreshTolerancePpm) / MILLION) },
      );
    }
    const quoteAll = (): void => {
      for (const symbol of context.symbols) quote(context.market(symbol));
    };

    return {
      onStart() {
        context.startInterval('refresh', values.orderRefreshTime);
        quoteAll();
      },
      onTimer: quoteAll,
      onFill(_fill, view) {
        if (values.filledOrderDelay === 0) return;
        quietUntilMs = context.now() + values.filledOrderDelay;
        context.startTimer('after a fill', values.filledOrderDelay);
        quote(view);
      },
      onResumed: quoteAll,
    };
  },
});
