/** @module Control actions about markets: prices, status, steps, funding, and orders of the exchange's own participant. */
import {
  type Lots,
  lots,
  MARKET_STATUSES,
  type Market,
  parsePrice,
  parseSize,
  quantums,
  TIMES_IN_FORCE,
  type Ticks,
  ticks,
} from '../../domain/index.ts';
import { action, type ControlAction } from './control-action.ts';
import { invalidField } from './errors.ts';
import { choice, decimal, optional, preset, required, text } from './parameters.ts';

const SYMBOL = required(text('a market symbol like BTC-USD'), 'The market.');

function priceOf(market: Market, field: string, price: string): Ticks {
  const value = parsePrice(market, price);
  if (value === undefined)
    throw invalidField(
      field,
      `a price above zero with at most ${market.priceDecimals} decimals, on the tick`,
      price,
    );
  return value;
}

function sizeOf(market: Market, field: string, size: string): Lots {
  const value = parseSize(market, size);
  if (value === undefined)
    throw invalidField(
      field,
      `a size above zero with at most ${market.sizeDecimals} decimals, on the lot`,
      size,
    );
  return value;
}

/** Rows of the table. */
export const MARKET_ACTIONS: readonly ControlAction[] = [
  action({
    name: 'price',
    description:
      'Tells the index (oracle) price of a market. Seeded participants go on from there; a recorded market comes back to its own.',
    parameters: { symbol: SYMBOL, price: required(decimal, 'The price.') },
    gives: '`seq`',
    run: (api, { symbol, price }) => {
      const market = api.marketOf(symbol);
      api.exchange.control.setIndexPrice(symbol, priceOf({ ...market, tickStep: ticks(1) }, 'price', price));
      return { seq: api.exchange.seq };
    },
  }),
  action({
    name: 'market-status',
    description: 'Changes the status of a market.',
    parameters: { symbol: SYMBOL, status: required(choice(...MARKET_STATUSES), 'The status.') },
    gives: '`seq`',
    run: (api, { symbol, status }) => {
      api.exchange.control.setMarketStatus(api.marketOf(symbol).symbol, status);
      return { seq: api.exchange.seq };
    },
  }),
  action({
    name: 'market-rules',
    description: 'Changes tick, lot or minimum of a market. They hold for new orders; what rests stays.',
    parameters: {
      symbol: SYMBOL,
      tickSize: optional(decimal, 'Price increment.', 'as it is'),
      lotSize: optional(decimal, 'Size increment.', 'as it is'),
      minNotional: optional(decimal, 'Smallest notional of an order in USDC; 0: none.', 'as it is'),
    },
    gives: '`seq`',
    run: (api, { symbol, tickSize, lotSize, minNotional }) => {
      const market = { ...api.marketOf(symbol), tickStep: ticks(1), lotStep: lots(1) };
      api.exchange.control.setMarketRules(symbol, {
        ...(tickSize === undefined ? {} : { tickStep: priceOf(market, 'tickSize', tickSize) }),
        ...(lotSize === undefined ? {} : { lotStep: sizeOf(market, 'lotSize', lotSize) }),
        ...(minNotional === undefined
          ? {}
          : { minNotional: quantums(api.amountOf('minNotional', minNotional)) }),
      });
      return { seq: api.exchange.seq };
    },
  }),
  action({
    name: 'order',
    description:
      "Places an order of the exchange's own participant, which has money without end: to trade against, or to rest.",
    parameters: {
      symbol: SYMBOL,
      side: required(choice('buy', 'sell'), 'The side.'),
      price: required(decimal, 'Limit price.'),
      size: required(decimal, 'Size.'),
      timeInForce: preset(choice(...TIMES_IN_FORCE), 'gtc', 'Time in force.'),
    },
    gives: '`state`, `orderId`, `filledLots`, `reason` (of a rejection), `seq`',
    run: (api, { symbol, side, price, size, timeInForce }) => {
      const market = api.marketOf(symbol);
      const order = {
        market: market.signingMarketId,
        side,
        price: priceOf(market, 'price', price),
        lots: BigInt(sizeOf(market, 'size', size)),
        tif: timeInForce,
        reduceOnly: false,
      };
      const { control } = api.exchange;
      const account = api.participant();
      const outcome = control.execute({ kind: 'BatchPlace', account, nowMs: 0, orders: [order] });
      const item = outcome.items[0];
      return {
        state: item?.state ?? outcome.status,
        orderId: item?.orderSeq?.toString(),
        filledLots: item?.filledLots?.toString(),
        reason: item?.reason ?? outcome.reason,
        seq: api.exchange.seq,
      };
    },
  }),
  action({
    name: 'cancel-participant',
    description: "Cancels every order of the exchange's own participant.",
    parameters: {},
    gives: '`seq`',
    run: (api) => {
      api.exchange.control.execute({ kind: 'CancelAll', account: api.participant() });
      return { seq: api.exchange.seq };
    },
  }),
  action({
    name: 'settle-funding',
    description: 'Funding settles with the next block.',
    parameters: {},
    run: (api) => {
      api.exchange.control.settleFunding();
      return {};
    },
  }),
];
