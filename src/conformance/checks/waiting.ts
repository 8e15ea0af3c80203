/** @module Checks of orders that wait outside the book: time-weighted orders, triggers, take-profit and stop-loss. */
import type { Doc } from '../answer.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, refused, refusedWith, same } from '../expect.ts';
import { shifted } from '../orders.ts';
import type { Probe } from '../probe.ts';
import type { Trader, TraderWriteOptions, Written } from '../trader.ts';
import { cancel, indexPrice, multiplied, mustBeQuiet, openIds, rest, sizeOf, trade } from './steps.ts';

interface Scene {
  readonly maker: Trader;
  readonly taker: Trader;
  readonly price: string;
  readonly size: string;
}

/** A maker sells 30 sizes at the index price, and a taker who has nothing yet. */
async function scene(probe: Probe): Promise<Scene> {
  await mustBeQuiet(probe);
  const [maker, taker] = [await probe.trader(), await probe.trader()];
  const [price, size] = [await indexPrice(probe), await sizeOf(probe, 3)];
  await rest(probe, maker, { price, size: multiplied(size, 30), side: 'sell', timeInForce: 'gtc' });
  return { maker, taker, price, size };
}

async function twap(
  probe: Probe,
  trader: Trader,
  fields: object,
  options: TraderWriteOptions = {},
): Promise<Written> {
  return trader.write(
    '/v1/orders/twap',
    {
      symbol: probe.market.symbol,
      side: 'buy',
      size: await sizeOf(probe, 9),
      slices: 3,
      intervalMs: 60_000,
      priceTolerancePpm: 5_000,
      reduceOnly: false,
      nowMs: await probe.serverMs(),
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
const TWAPS: readonly Check[] = [
  check('GW-TWAP-1', 'account', async (probe) => {
    const trader = await probe.trader();
    const { answer } = await twap(probe, trader, { priceTolerancePpm: 0, intervalMs: 3_600_000 });
    const item = answered(answer).part('items.0');
    same('the item', [item.at('kind'), item.at('state')], ['place', 'accepted']);
    const order = await orderOf(trader, item.text('orderId'));
    same('the kind', order.at('kind'), 'twap');
    for (const name of ['slices', 'slicesDone', 'intervalMs', 'priceTolerancePpm', 'nextSliceAt'])
      holds(`a field ${name}`, order.at(`twap.${name}`) !== undefined, order.value);
  }),
  check('GW-TWAP-2', 'control', async (probe) => {
    const { taker, size } = await scene(probe);
    const { answer } = await twap(probe, taker, { size: multiplied(size, 3) });
    const id = answered(answer).text('items.0.orderId');
    for (const done of [1, 2]) {
      await probe.harness.run('advance', { by: done === 1 ? 300 : 60_000 });
      same('the position', await sizeHeld(taker), Number(multiplied(size, done)));
    }
    await probe.harness.run('advance', { by: 60_000 });
    same('the position', await sizeHeld(taker), Number(multiplied(size, 3)));
    same('open orders', await openIds(taker), []);
    const ended = (await answered(await taker.read('/v1/account/orders/history'))).list('orders');
    same('status', ended.find((one) => one.at('orderId') === id)?.at('status'), 'filled');
  }),
  check('GW-TWAP-3', 'control', async (probe) => {
    const trader = await probe.trader();
    const { answer } = await twap(probe, trader, {});
    const id = answered(answer).text('items.0.orderId');
    answered((await cancel(trader, probe.market.symbol, [id])).answer);
    same('open orders', await openIds(trader), []);
    await twap(probe, trader, {});
    answered((await trader.write('/v1/orders/cancel-all', {})).answer);
    same('open orders behind cancel-all', await openIds(trader), []);
  }),
  check('GW-TWAP-4', 'account', async (probe) => {
    const trader = await probe.trader();
    for (const fields of [
      { slices: 0 },
      { intervalMs: 0 },
      { priceTolerancePpm: 1_000_000 },
      { side: 'long' },
    ])
      refusedWith((await twap(probe, trader, fields)).answer, 400);
    refused((await twap(probe, trader, { symbol: 'NO-SUCH-MARKET' })).answer, 400, 'UnknownMarket');
  }),
  check('GW-TWAP-5', 'account', async (probe) => {
    const { answer } = await twap(probe, await probe.trader(), { slices: 1_000_000 });
    refused(answer, 422, 'InvalidTwap');
    same('nonceConsumed', answer.at('error.details.nonceConsumed'), true);
  }),
  check('GW-TWAP-6', 'control', async (probe) => {
    const { taker } = await scene(probe);
    const { answer } = await twap(probe, taker, {}, { by: 'wallet' });
    same('status', answered(answer).at('status'), 'executed');
  }),
];

async function trigger(probe: Probe, trader: Trader, fields: object): Promise<Written> {
  const price = await indexPrice(probe);
  const order = {
    ...(await probe.farOrder()),
    price: shifted(probe.market, price, 10_000),
    timeInForce: 'gtc',
    trigger: { price: shifted(probe.market, price, 5_000), above: true },
    ...fields,
  };
  return trader.write('/v1/orders', { orders: [order], nowMs: await probe.serverMs() });
}

/** Trigger orders. */
const TRIGGERS: readonly Check[] = [
  check('GW-TRIGGER-1', 'control', async (probe) => {
    const trader = await probe.trader();
    const { answer } = await trigger(probe, trader, {});
    const item = answered(answer).part('items.0');
    same('the item', [item.at('state'), item.at('resting')], ['accepted', false]);
    const order = await orderOf(trader, item.text('orderId'));
    same('the kind', order.at('kind'), 'conditional');
    same('the trigger', [order.at('trigger.above'), order.at('trigger.parentOrderId')], [true, null]);
  }),
  check('GW-TRIGGER-2', 'control', async (probe) => {
    const { taker, price } = await scene(probe);
    const { answer } = await trigger(probe, taker, {});
    const id = answered(answer).text('items.0.orderId');
    await probe.harness.run('price', {
      symbol: probe.market.symbol,
      price: shifted(probe.market, price, 5_000),
    });
    await probe.harness.run('advance', { by: 300 });
    holds('a position', (await sizeHeld(taker)) > 0, await openIds(taker));
    same('its number', (await newest(taker)).at('orderId'), id);
  }),
  check('GW-TRIGGER-3', 'control', async (probe) => {
    const { taker, price } = await scene(probe);
    answered((await trigger(probe, taker, {})).answer);
    await probe.harness.run('price', {
      symbol: probe.market.symbol,
      price: shifted(probe.market, price, 4_999),
    });
    await probe.harness.run('advance', { by: 300 });
    same('the position', await sizeHeld(taker), 0);
    same('open orders', (await openIds(taker)).length, 1);
  }),
  check('GW-TRIGGER-4', 'control', async (probe) => {
    const trader = await probe.trader();
    const { answer } = await trigger(probe, trader, {});
    const id = answered(answer).text('items.0.orderId');
    answered((await cancel(trader, probe.market.symbol, [id])).answer);
    same('open orders', await openIds(trader), []);
  }),
  check('GW-TRIGGER-5', 'account', async (probe) => {
    const trader = await probe.trader();
    const order = { ...(await probe.farOrder()), trigger: { price: '1', above: true } };
    const nowMs = await probe.serverMs();
    const { answer } = await trader.write('/v1/orders', { orders: [order, order], nowMs });
    refusedWith(answer, 400);
  }),
];

async function pair(
  probe: Probe,
  trader: Trader,
  fields: object,
  options: TraderWriteOptions = {},
): Promise<Written> {
  const price = await indexPrice(probe);
  const far = shifted(probe.market, price, -100_000);
  return trader.write(
    '/v1/positions/tpsl',
    {
      symbol: probe.market.symbol,
      closeSide: 'sell',
      takeProfit: { triggerPrice: shifted(probe.market, price, 20_000), price: far },
      stopLoss: { triggerPrice: shifted(probe.market, price, -20_000), price: far },
      nowMs: await probe.serverMs(),
      ...fields,
    },
    options,
  );
}

/** A taker with a position, and an account that would buy it. */
async function held(probe: Probe): Promise<Scene> {
  await mustBeQuiet(probe);
  const [maker, taker] = [await probe.trader(), await probe.trader()];
  const size = await sizeOf(probe, 3);
  const { price } = await trade(probe, { maker, taker }, size);
  const bid = shifted(probe.market, price, -50_000);
  await rest(probe, maker, { side: 'buy', price: bid, size: multiplied(size, 5), timeInForce: 'gtc' });
  return { maker, taker, price, size };
}

/** Take-profit and stop-loss. */
const TPSL: readonly Check[] = [
  check('GW-TPSL-1', 'control', async (probe) => {
    const { taker, size } = await held(probe);
    const items = answered((await pair(probe, taker, {})).answer).list('items');
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
  check('GW-TPSL-2', 'control', async (probe) => {
    const { taker, price } = await held(probe);
    const items = answered((await pair(probe, taker, {})).answer).list('items');
    await probe.harness.run('price', {
      symbol: probe.market.symbol,
      price: shifted(probe.market, price, -20_000),
    });
    await probe.harness.run('advance', { by: 300 });
    same('the position', await sizeHeld(taker), 0);
    same('open orders', await openIds(taker), []);
    const history = answered(await taker.read('/v1/account/orders/history')).list('orders');
    const statusOf = (item?: Doc) =>
      history.find((one) => one.at('orderId') === item?.at('orderId'))?.at('status');
    same('take-profit and stop-loss', items.map(statusOf), ['canceled', 'filled']);
  }),
  check('GW-TPSL-3', 'control', async (probe) => {
    const { maker, taker, size } = await held(probe);
    answered((await pair(probe, taker, {})).answer);
    await trade(probe, { maker: taker, taker: maker }, size);
    await probe.harness.run('advance', { by: 300 });
    same('open orders', await openIds(taker), []);
  }),
  check('GW-TPSL-4', 'control', async (probe) => {
    const { taker, size } = await held(probe);
    const parent = (await rest(probe, taker, { size: multiplied(size, 2) })).text('orderId');
    answered((await pair(probe, taker, { parentOrderId: parent, size })).answer);
    const orders = answered(await taker.read('/v1/account/orders')).list('orders');
    const tied = orders.filter((order) => order.at('trigger.parentOrderId') === parent);
    same('legs of the parent', tied.length, 2);
    answered((await cancel(taker, probe.market.symbol, [parent])).answer);
    await probe.harness.run('advance', { by: 300 });
    same('open orders', await openIds(taker), []);
  }),
  check('GW-TPSL-5', 'account', async (probe) => {
    const trader = await probe.trader();
    const none = { takeProfit: undefined, stopLoss: undefined };
    refusedWith((await pair(probe, trader, none)).answer, 400);
    refusedWith((await pair(probe, trader, { stopLoss: { triggerPrice: '1' } })).answer, 400);
    refusedWith((await pair(probe, trader, { parentOrderId: '1' })).answer, 400);
  }),
  check('GW-TPSL-6', 'account', async (probe) => {
    const { answer } = await pair(probe, await probe.trader(), {});
    refused(answer, 422, 'ReduceOnlyNoPosition');
  }),
  check('GW-TPSL-7', 'control', async (probe) => {
    const { taker } = await held(probe);
    const { answer } = await pair(probe, taker, { stopLoss: undefined }, { by: 'wallet' });
    same('items', answered(answer).list('items').length, 1);
  }),
];

/** All of them need an exchange that places orders near the market; those of an account cancel what they place. */
export const WAITING_CHECKS: readonly Check[] = [...TWAPS, ...TRIGGERS, ...TPSL];
