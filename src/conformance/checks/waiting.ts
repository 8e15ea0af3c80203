/** @module Checks of orders that wait outside the book: time-weighted orders, triggers, take-profit and stop-loss. */
import type { Doc } from '../answer.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, refused, refusedWith, same } from '../expect.ts';
import type { Gate } from '../gate.ts';
import { shifted } from '../orders.ts';
import type { Trader, WriteOptions, Written } from '../trader.ts';
import { cancel, indexPrice, multiplied, mustBeQuiet, openIds, rest, sizeOf, trade } from './steps.ts';

interface Scene {
  readonly maker: Trader;
  readonly taker: Trader;
  readonly price: string;
  readonly size: string;
}

/** A maker sells 30 sizes at the index price, and a taker who has nothing yet. */
async function scene(gate: Gate): Promise<Scene> {
  await mustBeQuiet(gate);
  const [maker, taker] = [await gate.trader(), await gate.trader()];
  const [price, size] = [await indexPrice(gate), await sizeOf(gate, 3)];
  await rest(gate, maker, { price, size: multiplied(size, 30), side: 'sell', timeInForce: 'gtc' });
  return { maker, taker, price, size };
}

async function twap(
  gate: Gate,
  trader: Trader,
  fields: object,
  options: WriteOptions = {},
): Promise<Written> {
  return trader.write(
    '/v1/orders/twap',
    {
      symbol: gate.market.symbol,
      side: 'buy',
      size: await sizeOf(gate, 9),
      slices: 3,
      intervalMs: 60_000,
      priceTolerancePpm: 5_000,
      reduceOnly: false,
      nowMs: await gate.serverMs(),
      ...fields,
    },
    options,
  );
}

const orderOf = async (trader: Trader, id: string): Promise<Doc> =>
  answered(await trader.read(`/v1/orders/${id}`));
const sizeHeld = async (trader: Trader): Promise<number> =>
  answered(await trader.read('/v1/account/positions'))
    .part('positions.0')
    .number('size') || 0;
const newest = async (trader: Trader): Promise<Doc> =>
  answered(await trader.read('/v1/account/orders/history?limit=1')).part('orders.0');

/** Time-weighted orders. */
export const TWAPS: readonly Check[] = [
  check('GW-TWAP-1', 'account', async (gate) => {
    const trader = await gate.trader();
    const { answer } = await twap(gate, trader, { priceTolerancePpm: 0, intervalMs: 3_600_000 });
    const item = answered(answer).part('items.0');
    same('the item', [item.at('kind'), item.at('state')], ['place', 'accepted']);
    const order = await orderOf(trader, item.text('orderId'));
    same('the kind', order.at('kind'), 'twap');
    for (const name of ['slices', 'slicesDone', 'intervalMs', 'priceTolerancePpm', 'nextSliceAt'])
      holds(`a field ${name}`, order.at(`twap.${name}`) !== undefined, order.value);
  }),
  check('GW-TWAP-2', 'control', async (gate) => {
    const { taker, size } = await scene(gate);
    const { answer } = await twap(gate, taker, { size: multiplied(size, 3) });
    const id = answered(answer).text('items.0.orderId');
    for (const done of [1, 2]) {
      await gate.stage.advance(done === 1 ? 300 : 60_000);
      same('the position', await sizeHeld(taker), Number(multiplied(size, done)));
    }
    await gate.stage.advance(60_000);
    same('the position', await sizeHeld(taker), Number(multiplied(size, 3)));
    same('open orders', await openIds(taker), []);
    const ended = (await answered(await taker.read('/v1/account/orders/history'))).list('orders');
    same('status', ended.find((one) => one.at('orderId') === id)?.at('status'), 'filled');
  }),
  check('GW-TWAP-3', 'control', async (gate) => {
    const trader = await gate.trader();
    const { answer } = await twap(gate, trader, {});
    const id = answered(answer).text('items.0.orderId');
    answered((await cancel(trader, gate.market.symbol, [id])).answer);
    same('open orders', await openIds(trader), []);
    await twap(gate, trader, {});
    answered((await trader.write('/v1/orders/cancel-all', {})).answer);
    same('open orders behind cancel-all', await openIds(trader), []);
  }),
  check('GW-TWAP-4', 'account', async (gate) => {
    const trader = await gate.trader();
    for (const fields of [
      { slices: 0 },
      { intervalMs: 0 },
      { priceTolerancePpm: 1_000_000 },
      { side: 'long' },
    ])
      refusedWith((await twap(gate, trader, fields)).answer, 400);
    refused((await twap(gate, trader, { symbol: 'NO-SUCH-MARKET' })).answer, 400, 'UnknownMarket');
  }),
  check('GW-TWAP-5', 'account', async (gate) => {
    const { answer } = await twap(gate, await gate.trader(), { slices: 1_000_000 });
    refused(answer, 422, 'InvalidTwap');
    same('nonceConsumed', answer.at('error.details.nonceConsumed'), true);
  }),
  check('GW-TWAP-6', 'control', async (gate) => {
    const { taker } = await scene(gate);
    const { answer } = await twap(gate, taker, {}, { by: 'wallet' });
    same('status', answered(answer).at('status'), 'executed');
  }),
];

async function trigger(gate: Gate, trader: Trader, fields: object): Promise<Written> {
  const price = await indexPrice(gate);
  const order = {
    ...(await gate.farOrder()),
    price: shifted(gate.market, price, 10_000),
    timeInForce: 'gtc',
    trigger: { price: shifted(gate.market, price, 5_000), above: true },
    ...fields,
  };
  return trader.write('/v1/orders', { orders: [order], nowMs: await gate.serverMs() });
}

/** Trigger orders. */
export const TRIGGERS: readonly Check[] = [
  check('GW-TRIGGER-1', 'control', async (gate) => {
    const trader = await gate.trader();
    const { answer } = await trigger(gate, trader, {});
    const item = answered(answer).part('items.0');
    same('the item', [item.at('state'), item.at('resting')], ['accepted', false]);
    const order = await orderOf(trader, item.text('orderId'));
    same('the kind', order.at('kind'), 'conditional');
    same('the trigger', [order.at('trigger.above'), order.at('trigger.parentOrderId')], [true, null]);
  }),
  check('GW-TRIGGER-2', 'control', async (gate) => {
    const { taker, price } = await scene(gate);
    const { answer } = await trigger(gate, taker, {});
    const id = answered(answer).text('items.0.orderId');
    await gate.stage.setIndexPrice(gate.market.symbol, shifted(gate.market, price, 5_000));
    await gate.stage.advance(300);
    holds('a position', (await sizeHeld(taker)) > 0, await openIds(taker));
    same('its number', (await newest(taker)).at('orderId'), id);
  }),
  check('GW-TRIGGER-3', 'control', async (gate) => {
    const { taker, price } = await scene(gate);
    answered((await trigger(gate, taker, {})).answer);
    await gate.stage.setIndexPrice(gate.market.symbol, shifted(gate.market, price, 4_999));
    await gate.stage.advance(300);
    same('the position', await sizeHeld(taker), 0);
    same('open orders', (await openIds(taker)).length, 1);
  }),
  check('GW-TRIGGER-4', 'control', async (gate) => {
    const trader = await gate.trader();
    const { answer } = await trigger(gate, trader, {});
    const id = answered(answer).text('items.0.orderId');
    answered((await cancel(trader, gate.market.symbol, [id])).answer);
    same('open orders', await openIds(trader), []);
  }),
  check('GW-TRIGGER-5', 'account', async (gate) => {
    const trader = await gate.trader();
    const order = { ...(await gate.farOrder()), trigger: { price: '1', above: true } };
    const nowMs = await gate.serverMs();
    const { answer } = await trader.write('/v1/orders', { orders: [order, order], nowMs });
    refusedWith(answer, 400);
  }),
];

async function pair(
  gate: Gate,
  trader: Trader,
  fields: object,
  options: WriteOptions = {},
): Promise<Written> {
  const price = await indexPrice(gate);
  const far = shifted(gate.market, price, -100_000);
  return trader.write(
    '/v1/positions/tpsl',
    {
      symbol: gate.market.symbol,
      closeSide: 'sell',
      takeProfit: { triggerPrice: shifted(gate.market, price, 20_000), price: far },
      stopLoss: { triggerPrice: shifted(gate.market, price, -20_000), price: far },
      nowMs: await gate.serverMs(),
      ...fields,
    },
    options,
  );
}

/** A taker with a position, and somebody who would buy it. */
async function held(gate: Gate): Promise<Scene> {
  await mustBeQuiet(gate);
  const [maker, taker] = [await gate.trader(), await gate.trader()];
  const size = await sizeOf(gate, 3);
  const { price } = await trade(gate, { maker, taker }, size);
  const bid = shifted(gate.market, price, -50_000);
  await rest(gate, maker, { side: 'buy', price: bid, size: multiplied(size, 5), timeInForce: 'gtc' });
  return { maker, taker, price, size };
}

/** Take-profit and stop-loss. */
export const TPSL: readonly Check[] = [
  check('GW-TPSL-1', 'control', async (gate) => {
    const { taker, size } = await held(gate);
    const items = answered((await pair(gate, taker, {})).answer).list('items');
    same(
      'sizes',
      items.map((item) => item.number('size')),
      [Number(size), Number(size)],
    );
    const orders = answered(await taker.read('/v1/account/orders')).list('orders');
    same(
      'kinds',
      orders.map((order) => order.at('kind')),
      ['takeProfit', 'stopLoss'],
    );
  }),
  check('GW-TPSL-2', 'control', async (gate) => {
    const { taker, price } = await held(gate);
    const items = answered((await pair(gate, taker, {})).answer).list('items');
    await gate.stage.setIndexPrice(gate.market.symbol, shifted(gate.market, price, -20_000));
    await gate.stage.advance(300);
    same('the position', await sizeHeld(taker), 0);
    same('open orders', await openIds(taker), []);
    const history = answered(await taker.read('/v1/account/orders/history')).list('orders');
    const statusOf = (item?: Doc) =>
      history.find((one) => one.at('orderId') === item?.at('orderId'))?.at('status');
    same('take-profit and stop-loss', items.map(statusOf), ['canceled', 'filled']);
  }),
  check('GW-TPSL-3', 'control', async (gate) => {
    const { maker, taker, size } = await held(gate);
    answered((await pair(gate, taker, {})).answer);
    await trade(gate, { maker: taker, taker: maker }, size);
    await gate.stage.advance(300);
    same('open orders', await openIds(taker), []);
  }),
  check('GW-TPSL-4', 'control', async (gate) => {
    const { taker, size } = await held(gate);
    const parent = (await rest(gate, taker, { size: multiplied(size, 2) })).text('orderId');
    answered((await pair(gate, taker, { parentOrderId: parent, size })).answer);
    const orders = answered(await taker.read('/v1/account/orders')).list('orders');
    const tied = orders.filter((order) => order.at('trigger.parentOrderId') === parent);
    same('legs of the parent', tied.length, 2);
    answered((await cancel(taker, gate.market.symbol, [parent])).answer);
    await gate.stage.advance(300);
    same('open orders', await openIds(taker), []);
  }),
  check('GW-TPSL-5', 'account', async (gate) => {
    const trader = await gate.trader();
    const none = { takeProfit: undefined, stopLoss: undefined };
    refusedWith((await pair(gate, trader, none)).answer, 400);
    refusedWith((await pair(gate, trader, { stopLoss: { triggerPrice: '1' } })).answer, 400);
    refusedWith((await pair(gate, trader, { parentOrderId: '1' })).answer, 400);
  }),
  check('GW-TPSL-6', 'account', async (gate) => {
    const { answer } = await pair(gate, await gate.trader(), {});
    refused(answer, 422, 'ReduceOnlyNoPosition');
  }),
  check('GW-TPSL-7', 'control', async (gate) => {
    const { taker } = await held(gate);
    const { answer } = await pair(gate, taker, { stopLoss: undefined }, { by: 'wallet' });
    same('items', answered(answer).list('items').length, 1);
  }),
];

/** All of them need an exchange that places near the market; those of an account cancel what they place. */
export const WAITING: readonly Check[] = [...TWAPS, ...TRIGGERS, ...TPSL];
