import { defineStrategy, Ema, lots, order, param } from 'ballast/strategy';

/** Orders whose outcome is known. */
const ENDED = ['filled', 'canceled', 'expired', 'rejected', 'notExecuted', 'voided'];

export default defineStrategy({
  name: 'my-strategy',
  summary: 'Takes a position in the direction of a fast mean of the mid against a slow one.',
  parameters: param
    .object({
      position: param.decimal({ above: '0' }),
      every: param.durationMs({ min: '100ms' }).prefault('1s'),
      fast: param.integer({ min: 1, max: 10_000 }).prefault(30),
      slow: param.integer({ min: 2, max: 10_000 }).prefault(120),
      bandPpm: param.ppm().prefault(100),
      throughPpm: param.ppm().prefault(200),
    })
    .refine((values) => values.fast < values.slow, { path: ['fast'], error: 'below slow' }),
  create(context, { position, every, fast, slow, bandPpm, throughPpm }) {
    const [symbol] = context.symbols;
    const [fastMean, slowMean] = [new Ema(fast), new Ema(slow)];
    let direction = 0;
    let isOut = false;

    function look() {
      if (symbol === undefined) return;
      const view = context.market(symbol);
      const { externalMidTicks: mid, externalBidTicks: bid, externalAskTicks: ask } = view;
      if (mid === undefined || bid === undefined || ask === undefined) return;
      const [quick, calm] = [fastMean.observe(mid), slowMean.observe(mid)];
      if (slowMean.count < slow || !view.isFresh) return;
      const apart = ((quick - calm) / calm) * 1_000_000;
      if (Math.abs(apart) > bandPpm) direction = Math.sign(apart);
      const missing = direction * view.lotsOf(position) - view.inventoryLots;
      // One order at a time: the next look sees what this one did.
      if (missing === 0 || direction === 0 || isOut) return;
      const through = (mid * throughPpm) / 1_000_000;
      isOut = true;
      context.place(
        order.ioc({
          symbol,
          side: missing > 0 ? 'buy' : 'sell',
          priceTicks: missing > 0 ? view.ceilTicks(ask + through) : view.floorTicks(bid - through),
          sizeLots: lots(Math.abs(missing)),
        }),
      );
    }

    return {
      onStart: () => context.startInterval('look', every),
      onTimer: look,
      onOrder({ status }) {
        if (ENDED.includes(status)) isOut = false;
      },
      onDenied() {
        isOut = false;
      },
    };
  },
});
