/**
 * @module
 * The strategy of G5: one order for each book frame that is asked for, a tick below the middle, which takes what is
 * there (nothing) and is over. The bench, in the same process, says when and hears what became of it.
 */
import { defineStrategy, lots, order, param } from 'ballast/strategy';
import { tickPort } from './tick-port.ts';

const SIZE_LOTS = lots(100);

export default defineStrategy({
  name: 'one-order-a-tick',
  parameters: param.object({}),
  create: (context) => ({
    onStart: () => tickPort.listener?.onReady(),
    onBook(view) {
      if (!tickPort.isWanted || view.midTicks === undefined) {
        tickPort.listener?.onBook();
        return;
      }
      tickPort.isWanted = false;
      const priceTicks = view.floorTicks(view.midTicks - 1);
      context.place(order.ioc({ symbol: view.symbol, side: 'buy', priceTicks, sizeLots: SIZE_LOTS }));
    },
    onOrder({ status, reason }) {
      if (status === 'working') return;
      if (status === 'canceled') tickPort.listener?.onDone();
      else tickPort.listener?.onFailed(`the order is ${status}: ${reason ?? 'no reason'}`);
    },
    onDenied: ({ code, message }) => tickPort.listener?.onFailed(`${code}: ${message}`),
  }),
});
