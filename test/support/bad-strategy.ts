/**
 * @module
 * Strategies that behave for a while and then do not, as source text: written to a folder outside of the project, as a
 * user's plugin would lie.
 */

/** What a bad strategy does in `onBook` once it has quoted for a while; `context` and `view` are at hand. */
export const MISDEEDS = {
  throws: `throw new Error('on purpose');`,
  promise: `return Promise.resolve();`,
  rejects: `return Promise.reject(new Error('late on purpose'));`,
  notANumber: `context.quote(view.symbol, { bids: [{ priceTicks: Number.NaN, sizeLots: Number.NaN }], asks: [] });`,
  infinite: `context.quote(view.symbol, { bids: [{ priceTicks: Infinity, sizeLots: -1 }], asks: [{ priceTicks: 1e300, sizeLots: 0.5 }] });`,
  unknownMarket: `context.quote('DOGE-USD' as never, { bids: [], asks: [] });`,
  otherMarket: `context.quote('BTC-USD' as never, { bids: [], asks: [] });`,
  manyOrders: `for (let n = 0; n < 100_000; n++) context.place(order.limit({ symbol: view.symbol, side: 'buy', priceTicks: view.floorTicks(far * 0.98), sizeLots, timeInForce: 'postOnly' } as never));`,
  manyLevels: `context.quote(view.symbol, { bids: Array.from({ length: 100_000 }, (_, n) => ({ priceTicks: view.floorTicks(far - n), sizeLots })), asks: [] });`,
  manyQuotes: `for (let n = 0; n < 100_000; n++) context.quote(view.symbol, { bids: [{ priceTicks: view.floorTicks(far - n), sizeLots }], asks: [] });`,
  getter: `context.quote(view.symbol, { get bids(): never { throw new Error('a getter'); }, asks: [] });`,
  nothing: `context.quote(undefined as never, undefined as never); context.place(null as never); context.cancel(7 as never);`,
  unhandled: `void Promise.reject(new Error('nobody waits for this'));`,
  timerThrows: `setTimeout(() => { throw new Error('in a timer of its own'); }, 0);`,
  hangs: `for (;;);`,
} as const;

/** The name of a misdeed. */
export type Misdeed = keyof typeof MISDEEDS;

/**
 * The source of a strategy that quotes a bid and an ask of parameter `size` far from the touch, and does `misdeed` at
 * every book after the first twenty. A later life does it at once.
 */
export function badStrategy(misdeed: Misdeed): string {
  return `
import { defineStrategy, order, param } from 'ballast/strategy';

let lives = 0;

export default defineStrategy({
  name: 'bad',
  parameters: param.object({ size: param.decimal({ above: '0' }) }),
  create: (context, { size }) => {
    const life = ++lives;
    let books = 0;
    return {
      onBook(view) {
        const mid = view.externalMidTicks;
        if (mid === undefined) return;
        const sizeLots = view.lotsOf(size);
        const far = mid * 0.99;
        if (life === 1 && ++books <= 20) {
          context.quote(view.symbol, {
            bids: [{ priceTicks: view.floorTicks(far), sizeLots }],
            asks: [{ priceTicks: view.ceilTicks(mid * 1.01), sizeLots }],
          }, { priceToleranceTicks: 1000 });
          return;
        }
        void [order, far];
        ${MISDEEDS[misdeed]}
      },
    };
  },
});
`;
}
