/** @module Control actions about markets: prices, status, steps, funding, and orders of the exchange's own participant. */
import { actionsOn, type Kind, lineOf, oneOf, optional, preset, required } from '../../core/index.ts';
import { lots, MARKET_STATUSES, TIMES_IN_FORCE, ticks } from '../../domain/index.ts';
import type { ControlTarget } from './control-target.ts';
import { givenAmount, givenPrice, givenSize } from './kinds.ts';

const action = actionsOn<ControlTarget>();

const SYMBOL = required(lineOf('a market symbol like BTC-USD'), 'The market.');
/** Code may pass a status that no market has had yet. */
const status: Kind<string> = oneOf(...MARKET_STATUSES);

/** Rows of the table. */
export const MARKET_ACTIONS = [
  action({
    name: 'price',
    description:
      'Sets the index (oracle) price of a market. Seeded participants continue from there; a recorded market returns to its own.',
    parameters: { symbol: SYMBOL, price: required(givenPrice, 'The price.') },
    gives: '`seq`',
    run: (control, { symbol, price }) => {
      const market = control.marketOf(symbol);
      const indexTicks = control.ticksOf({ ...market, tickStep: ticks(1) }, 'price', price);
      control.append({ kind: 'indexPrice', market: market.signingMarketId, indexTicks });
      return { seq: control.seq };
    },
  }),
  action({
    name: 'market-status',
    description: 'Changes the status of a market.',
    parameters: { symbol: SYMBOL, status: required(status, 'The status.') },
    gives: '`seq`',
    run: (control, { symbol, status }) => {
      const { signingMarketId: market } = control.marketOf(symbol);
      control.append({ kind: 'marketStatus', market, status });
      return { seq: control.seq };
    },
  }),
  action({
    name: 'market-rules',
    description: 'Changes tick, lot or minimum of a market. They hold for new orders; what rests stays.',
    parameters: {
      symbol: SYMBOL,
      tickSize: optional(givenPrice, 'Price increment.', 'as it is'),
      lotSize: optional(givenSize, 'Size increment.', 'as it is'),
      minNotional: optional(givenAmount, 'Smallest notional of an order in USDC; 0: none.', 'as it is'),
    },
    gives: '`seq`',
    run: (control, { symbol, tickSize, lotSize, minNotional }) => {
      const market = { ...control.marketOf(symbol), tickStep: ticks(1), lotStep: lots(1) };
      const rules = {
        ...(tickSize === undefined ? {} : { tickStep: control.ticksOf(market, 'tickSize', tickSize) }),
        ...(lotSize === undefined ? {} : { lotStep: control.lotsOf(market, 'lotSize', lotSize) }),
        ...(minNotional === undefined ? {} : { minNotional: control.amountOf('minNotional', minNotional) }),
      };
      control.append({ kind: 'marketRules', market: market.signingMarketId, rules });
      return { seq: control.seq };
    },
  }),
  action({
    name: 'order',
    description:
      "Places an order of the exchange's own participant, which has unlimited collateral: to trade against, or to rest.",
    parameters: {
      symbol: SYMBOL,
      side: required(oneOf('buy', 'sell'), 'The side.'),
      price: required(givenPrice, 'Limit price.'),
      size: required(givenSize, 'Size.'),
      timeInForce: preset(oneOf(...TIMES_IN_FORCE), 'gtc', 'Time in force.'),
    },
    gives: '`state`, `orderId`, `filledLots`, `reason` (of a rejection), `seq`',
    run: (control, { symbol, side, price, size, timeInForce }) => {
      const market = control.marketOf(symbol);
      const order = {
        market: market.signingMarketId,
        side,
        price: control.ticksOf(market, 'price', price),
        lots: BigInt(control.lotsOf(market, 'size', size)),
        tif: timeInForce,
        reduceOnly: false,
      };
      const account = control.participant();
      const outcome = control.execute({ kind: 'BatchPlace', account, nowMs: 0, orders: [order] });
      const item = outcome.items[0];
      return {
        state: item?.state ?? outcome.status,
        orderId: item?.orderSeq?.toString(),
        filledLots: item?.filledLots?.toString(),
        reason: item?.reason ?? outcome.reason,
        seq: control.seq,
      };
    },
  }),
  action({
    name: 'cancel-participant',
    description: "Cancels every order of the exchange's own participant.",
    parameters: {},
    gives: '`seq`',
    run: (control) => {
      control.execute({ kind: 'CancelAll', account: control.participant() });
      return { seq: control.seq };
    },
  }),
  action({
    name: 'settle-funding',
    description: 'Funding settles with the next block.',
    parameters: {},
    run: (control) => {
      control.append({ kind: 'fundingDue' });
      return {};
    },
  }),
] as const;
