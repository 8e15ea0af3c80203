import { defineStrategy, order, param } from 'ballast/strategy';

export default defineStrategy({
  name: 'sell-below',
  summary: 'Sells what is held when the index price falls to a stop; the order waits at the exchange.',
  parameters: param.object({
    size: param.decimal({ above: '0' }),
    stop: param.decimal({ above: '0' }),
    worst: param.decimal({ above: '0' }),
  }),
  create: (context, { size, stop, worst }) => ({
    onStart() {
      for (const symbol of context.symbols)
        context.placeConditional(order.reduceOnlyIoc({ symbol, side: 'sell', price: worst, size }), {
          triggerPrice: stop,
          when: 'atOrBelow',
        });
    },
    onOrder: ({ status }) => context.log.info(`the stop: ${status}`),
  }),
});
