/** @module The strategy of the bench of many markets: an order that takes nothing for each frame that asks for one. */
import { defineStrategy, lots, order, param } from 'ballast/strategy';
import { MARK_LOTS, SEEN } from './wire.ts';

const SIZE_LOTS = lots(100);

export default defineStrategy({
  name: 'marked-frames',
  /** A strategy that only reads places no orders. */
  parameters: param.object({ reads: param.flag() }),
  candles: [],
  create: (context, { reads }) => {
    const busy = new Set<string>();
    return {
      onBook(view) {
        SEEN.books++;
        const { symbol, midTicks, book } = view;
        if (reads || midTicks === undefined || book?.bidLots[0] !== MARK_LOTS || busy.has(symbol)) return;
        busy.add(symbol);
        const priceTicks = view.floorTicks(midTicks - 1);
        context.place(order.ioc({ symbol, side: 'buy', priceTicks, sizeLots: SIZE_LOTS }));
      },
      onOrder({ status, symbol }) {
        if (status !== 'working') busy.delete(symbol);
      },
      onDenied: () => busy.clear(),
      onDegraded() {
        SEEN.degraded++;
      },
    };
  },
});
