/**
 * @module
 * A strategy of two writes: it quotes one order a side, and moves both once when it first holds an inventory. It tops nothing
 * up, so what else is written is the framework's own.
 */
import { defineStrategy, param } from '../../../src/bot/strategy/index.ts';

/** How far from the index price an order rests, and how far it is moved by an inventory. */
const DISTANCE = 0.0005;
const SKEW = 0.0002;

export default defineStrategy({
  name: 'two-writes',
  parameters: param.object({ size: param.decimal({ above: '0' }) }),
  create: (context, { size }) => {
    let hasMoved = false;
    const quote = (): void => {
      const [symbol] = context.symbols;
      if (symbol === undefined) return;
      const view = context.market(symbol);
      const index = view.prices?.indexTicks;
      if (!view.isFresh || index === undefined) return;
      const sizeLots = view.lotsOf(size);
      hasMoved ||= view.inventoryLots !== 0;
      const shift = hasMoved ? -SKEW : 0;
      context.quote(
        symbol,
        {
          bids: [{ priceTicks: view.floorTicks(index * (1 - DISTANCE + shift)), sizeLots }],
          asks: [{ priceTicks: view.ceilTicks(index * (1 + DISTANCE + shift)), sizeLots }],
        },
        { sizeToleranceLots: sizeLots - 1 },
      );
    };
    return { onBook: quote, onFill: quote };
  },
});
