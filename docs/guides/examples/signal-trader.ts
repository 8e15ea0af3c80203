import { defineStrategy, order, param } from 'ballast/strategy';
import { signal } from './signal-topic.ts';

/** Takes what is at the touch, the way the signal says. */
export default defineStrategy({
  name: 'signal-trader',
  parameters: param.object({ size: param.decimal({ above: '0' }) }),
  hears: [signal],
  create: (context, { size }) => ({
    onMessage({ value: { symbol, side } }) {
      const view = context.market(symbol);
      const priceTicks = side === 'buy' ? view.externalAskTicks : view.externalBidTicks;
      if (priceTicks === undefined || !view.isFresh) return;
      context.place(order.ioc({ symbol, side, priceTicks, sizeLots: view.lotsOf(size) }));
    },
  }),
});
