/**
 * @module
 * A market maker that sells what it bought for more, and buys back what it sold for less: one order a side, the closing
 * one never nearer than a profit to the average price of the inventory. See the README beside this file. What this does
 * not do: predict, take, or hedge.
 */
import {
  BELOW_MIN_NOTIONAL,
  defineStrategy,
  hasNoQuotes,
  lotSizesOf,
  type MakerParameters,
  ParameterQuoter,
  param,
  type QuoteFunction,
  quotesOf,
  requoteParams,
  sizeParams,
} from 'ballast/strategy';
import { pricesOf } from './prices.ts';

/** The parameters as they are used; their text forms are in the README. */
export interface PingPongParameters extends MakerParameters {
  /** Distance from the mid, ppm. */
  readonly halfSpreadPpm: number;
  /** The closing order is at least so far from the average price of the inventory, ppm. */
  readonly profitPpm: number;
  /** The next order that adds to the inventory is at least so far from its average price, ppm. */
  readonly spacingPpm: number;
  /** With the mid so far on the wrong side of the average price the closing order rests at the touch, ppm; 0: never. */
  readonly giveUpPpm: number;
}

const ppm = () => param.ppm({ max: 1_000_000 });

const parameters = param.object({
  ...sizeParams(),
  halfSpreadPpm: ppm(),
  profitPpm: ppm().prefault(200),
  spacingPpm: ppm().prefault(0),
  giveUpPpm: ppm().prefault(0),
  ...requoteParams(),
});

/** The strategy `ping-pong`. */
export default defineStrategy({
  name: 'ping-pong',
  summary: 'Quotes both sides, and closes what it holds only for a profit over its average price.',
  parameters,
  create: (context, initial) => new ParameterQuoter(context, initial, quotesBy).handlers,
});

function quotesBy(values: PingPongParameters): QuoteFunction {
  const sizesIn = lotSizesOf(values);
  return (view, touch) => {
    const { inventoryLots } = view;
    const { sizeLots, maxLots } = sizesIn(view);
    const { bid, ask } = pricesOf({
      touch,
      heldSign: Math.sign(inventoryLots),
      averageEntryTicks: view.averageEntryTicks,
      rules: values,
    });
    // The closing order never turns the inventory round: it would be a ping at a pong's price.
    const closing = inventoryLots === 0 ? maxLots : Math.abs(inventoryLots);
    const adding = maxLots - Math.abs(inventoryLots);
    const wanted = quotesOf({
      market: view,
      touch,
      requoteTicks: values.requoteTicks,
      bids: { prices: [bid], sizeLots, maxLots: inventoryLots < 0 ? closing : adding },
      asks: { prices: [ask], sizeLots, maxLots: inventoryLots > 0 ? closing : adding },
    });
    return hasNoQuotes(wanted) ? BELOW_MIN_NOTIONAL : wanted;
  };
}
