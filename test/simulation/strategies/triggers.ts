/**
 * @module
 * A maker with stops: it quotes on both sides and keeps orders that wait for the index price around the market, some that
 * only close and some that open, some that take and some that rest when they fire. It acts on a timer alone, so that what
 * is heard at one time in another order changes nothing.
 */
import { defineStrategy, type MarketView, order, param } from '../../../src/bot/strategy/index.ts';

/** How far from the middle triggers are, in turn: the nearest ones are reached every few seconds. */
const DISTANCES = [0.0001, 0.0002, 0.0004, 0.0008];
const WAITING_MAX = 4;

export default defineStrategy({
  name: 'triggers',
  parameters: param.object({ size: param.decimal({ above: '0' }), every: param.durationMs() }),
  create: (context, { size, every }) => {
    let rounds = 0;
    const place = (view: MarketView, mid: number): void => {
      const distance = DISTANCES[rounds % DISTANCES.length] ?? 0;
      const isAbove = rounds % 2 === 0;
      const triggerTicks = isAbove
        ? view.ceilTicks(mid * (1 + distance))
        : view.floorTicks(mid * (1 - distance));
      const trigger = { triggerTicks, when: isAbove ? 'atOrAbove' : 'atOrBelow' } as const;
      const { symbol } = view;
      const sizeLots = view.lotsOf(size);
      // A stop of what is held: out at any price near the trigger.
      const side = view.inventoryLots > 0 ? 'sell' : 'buy';
      const isStop = view.inventoryLots !== 0 && isAbove === (side === 'buy') && rounds % 3 !== 0;
      const through = view.floorTicks(triggerTicks * (side === 'buy' ? 1.002 : 0.998));
      if (isStop)
        context.placeConditional(
          order.reduceOnlyIoc({ symbol, side, priceTicks: through, sizeLots }),
          trigger,
        );
      else {
        const opens = isAbove ? 'sell' : 'buy';
        const behind = view.floorTicks(triggerTicks * (isAbove ? 1.0001 : 0.9999));
        context.placeConditional(
          order.postOnly({ symbol, side: opens, priceTicks: behind, sizeLots }),
          trigger,
        );
      }
    };
    return {
      onStart: () => context.startInterval('round', every),
      onTimer() {
        const [symbol] = context.symbols;
        if (symbol === undefined) return;
        rounds++;
        const view = context.market(symbol);
        const mid = view.externalMidTicks;
        if (!view.isFresh || mid === undefined) return;
        const waiting = view.orders.filter(({ trigger }) => trigger !== undefined);
        const plain = view.orders.filter(({ trigger }) => trigger === undefined);
        const [oldest] = waiting;
        if (oldest !== undefined && waiting.length >= WAITING_MAX) context.cancel(oldest);
        else place(view, mid);
        for (const one of plain.slice(0, Math.max(0, plain.length - WAITING_MAX))) context.cancel(one);
      },
    };
  },
});
