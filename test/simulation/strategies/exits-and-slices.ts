/**
 * @module
 * A strategy of what the exchange keeps and works for it: in its first market it holds a little and has the exchange close it at a
 * profit or a loss, in its second one it has orders worked over time. It acts on a timer alone, so that what is heard at one time in
 * another order changes nothing.
 */
import { defineStrategy, lots, type MarketView, order, param } from '../../../src/bot/strategy/index.ts';

/** How far from the middle the exits are, in turn: the nearest ones are reached every few seconds. */
const DISTANCES = [0.0001, 0.0002, 0.0004];
/** How far through the touch an order may take, and a leg beyond its trigger. */
const REACH = 0.002;
const WORKED = { slices: 3, intervalMs: 700, priceTolerancePpm: 2_000 } as const;
const WORKED_MAX = 2;

export default defineStrategy({
  name: 'exits-and-slices',
  parameters: param.object({
    size: param.decimal({ above: '0' }),
    every: param.durationMs(),
    /** Size that is worked over time, where a market wants a notional; without it one lot a slice. */
    worked: param.decimal({ above: '0' }).optional(),
  }),
  create: (context, { size, every, worked: workedSize }) => {
    let rounds = 0;

    /** Opens with a taker, asks for exits, now and then closes on its own or takes an exit back. */
    function hold(view: MarketView, mid: number): void {
      const { symbol, inventoryLots, orders } = view;
      const [exit] = orders;
      const side = rounds % 2 === 0 ? 'buy' : 'sell';
      const at = (factor: number) => view.floorTicks(mid * factor);
      const sizeLots = view.lotsOf(size);
      if (inventoryLots === 0) {
        const priceTicks = at(side === 'buy' ? 1 + REACH : 1 - REACH);
        context.place(order.ioc({ symbol, side, priceTicks, sizeLots }));
      } else if (exit === undefined) {
        const distance = DISTANCES[rounds % DISTANCES.length] ?? 0;
        const sign = inventoryLots > 0 ? 1 : -1;
        const leg = (far: number) => ({ triggerTicks: at(1 + far), priceTicks: at(1 + far - sign * REACH) });
        context.placeTpsl({
          ...{ symbol, side: inventoryLots > 0 ? 'sell' : 'buy' },
          takeProfit: leg(sign * distance),
          ...(rounds % 3 === 0 ? {} : { stopLoss: leg(-sign * distance) }),
        });
      } else if (rounds % 7 === 0) context.cancel(exit);
      else if (rounds % 5 === 0) {
        const closing = inventoryLots > 0 ? 'sell' : 'buy';
        const priceTicks = at(closing === 'buy' ? 1 + REACH : 1 - REACH);
        context.place(order.reduceOnlyIoc({ symbol, side: closing, priceTicks, sizeLots }));
      }
    }

    function work(view: MarketView): void {
      const { symbol, inventoryLots, orders } = view;
      const [oldest] = orders;
      if (oldest !== undefined && orders.length >= WORKED_MAX) context.cancel(oldest);
      else {
        const sizeLots = workedSize === undefined ? lots(WORKED.slices) : view.lotsOf(workedSize);
        context.placeTwap({ symbol, side: inventoryLots > 0 ? 'sell' : 'buy', sizeLots, ...WORKED });
      }
    }

    return {
      onStart: () => context.startInterval('round', every),
      onTimer() {
        rounds++;
        const [held, worked] = context.symbols.map((symbol) => context.market(symbol));
        const mid = held?.externalMidTicks;
        if (held?.isFresh === true && mid !== undefined) hold(held, mid);
        if (worked?.isFresh === true && rounds % 2 === 0) work(worked);
      },
    };
  },
});
