import { defineStrategy, lots, order, param } from 'ballast/strategy';

export default defineStrategy({
  name: 'slice-seller',
  summary: 'Sells a size in slices: one post-only order at the best ask, moved each period.',
  parameters: param.object({
    total: param.decimal({ above: '0' }),
    slice: param.decimal({ above: '0' }),
    period: param.durationMs().prefault('10s'),
  }),
  create(context, { total, slice, period }) {
    let soldLots = 0;

    function sellNext() {
      const [symbol] = context.symbols;
      if (symbol === undefined) return;
      const view = context.market(symbol);
      const [resting] = view.orders;
      if (resting !== undefined) return context.cancel(resting);
      const remainingLots = view.lotsOf(total) - soldLots;
      if (remainingLots <= 0) return context.stop('all is sold');
      const priceTicks = view.externalAskTicks;
      if (priceTicks === undefined || !view.isFresh) return;
      const sizeLots = lots(Math.min(remainingLots, view.lotsOf(slice)));
      context.place(order.postOnly({ symbol, side: 'sell', priceTicks, sizeLots }));
    }

    return {
      onSave: () => ({ soldLots }),
      onLoad(saved) {
        const known = typeof saved === 'object' && saved !== null && 'soldLots' in saved ? saved.soldLots : 0;
        soldLots = Number(known);
      },
      onStart: () => context.startInterval('next', period),
      onTimer: sellNext,
      onFill(fill) {
        soldLots += fill.sizeLots;
        context.log.info('sold', { lots: soldLots });
      },
      onDenied: (denial) => context.log.warn(denial.message, { code: denial.code }),
      onOrder(update) {
        if (update.status === 'rejected') context.log.info('refused by the exchange', { reason: update.reason });
      },
    };
  },
});
