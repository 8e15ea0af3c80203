/** @module Checks of placements: times in force, flags, precision, expiry, batches. */
import type { WireOrderRequest } from '../../wire/protocol/index.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, refused, refusedWith, same } from '../expect.ts';
import { shifted } from '../orders.ts';
import type { Probe } from '../probe.ts';
import type { Trader } from '../trader.ts';
import { cancel, indexPrice, multiplied, mustBeQuiet, openIds, place, rest, sizeOf, trade } from './steps.ts';

interface Scene {
  readonly maker: Trader;
  readonly taker: Trader;
  readonly price: string;
  readonly size: string;
}

/** A maker sells `times` the smallest size at the index price. */
async function offered(probe: Probe, times = 1): Promise<Scene> {
  await mustBeQuiet(probe);
  const [maker, taker] = [await probe.trader(), await probe.trader()];
  const price = await indexPrice(probe);
  const size = await sizeOf(probe);
  await rest(probe, maker, { price, size: multiplied(size, times), side: 'sell', timeInForce: 'gtc' });
  return { maker, taker, price, size };
}

async function itemOf(probe: Probe, trader: Trader, fields: Partial<WireOrderRequest>) {
  return answered((await place(probe, trader, [fields])).answer).part('items.0');
}

/** A business rejection of a single order. */
async function rejects(
  probe: Probe,
  trader: Trader,
  fields: Partial<WireOrderRequest>,
  code: string,
): Promise<void> {
  const { answer } = await place(probe, trader, [fields]);
  refused(answer, 422, code);
  same('details.nonceConsumed', answer.at('error.details.nonceConsumed'), true);
}

async function newestOf(trader: Trader): Promise<readonly unknown[]> {
  const [order] = answered(await trader.read('/v1/account/orders/history?limit=1')).list('orders');
  return [order?.at('timeInForce'), order?.at('status')];
}

/** Times in force and flags. */
export const ORDER_CHECKS: readonly Check[] = [
  check('GW-ORDER-1', 'account', async (probe) => {
    for (const timeInForce of ['gtc', 'postOnly'] as const)
      await rest(probe, await probe.trader(), { timeInForce });
  }),
  check('GW-ORDER-2', 'control', async (probe) => {
    const { taker, price, size } = await offered(probe);
    await rejects(probe, taker, { side: 'buy', price, size, timeInForce: 'postOnly' }, 'PostOnlyWouldCross');
    same('open orders', (await openIds(taker)).length, 0);
  }),
  check('GW-ORDER-3', 'control', async (probe) => {
    const { taker, price, size } = await offered(probe);
    const item = await itemOf(probe, taker, { price, size: multiplied(size, 2), timeInForce: 'ioc' });
    same('filled', item.number('filledSize'), Number(size));
    same('resting', item.at('resting'), false);
    same('in the history', await newestOf(taker), ['ioc', 'canceled']);
    same('open orders', (await openIds(taker)).length, 0);
  }),
  check('GW-ORDER-4', 'account', async (probe) => {
    const item = await itemOf(probe, await probe.trader(), { timeInForce: 'ioc' });
    same(
      'the item',
      [item.at('state'), item.number('filledSize'), item.at('resting')],
      ['accepted', 0, false],
    );
  }),
  check('GW-ORDER-5', 'control', async (probe) => {
    const { taker, price, size } = await offered(probe);
    const order = { price, size: multiplied(size, 2), timeInForce: 'fok' } as const;
    await rejects(probe, taker, order, 'FokInsufficientLiquidity');
    const positions = answered(await taker.read('/v1/account/positions')).list('positions');
    same('positions', positions.length, 0);
  }),
  check('GW-ORDER-6', 'control', async (probe) => {
    const { taker, price, size } = await offered(probe);
    const item = await itemOf(probe, taker, { price, size, timeInForce: 'fok' });
    same('filled', item.number('filledSize'), Number(size));
    same('in the history', await newestOf(taker), ['fok', 'filled']);
  }),
  check('GW-ORDER-7', 'control', async (probe) => {
    const { taker, price, size } = await offered(probe);
    const item = await itemOf(probe, taker, { price, size: multiplied(size, 3), timeInForce: 'gtc' });
    same('the item', [item.number('filledSize'), item.at('resting')], [Number(size), true]);
    const [order] = answered(await taker.read('/v1/account/orders')).list('orders');
    same('remaining', order?.number('remaining'), Number(multiplied(size, 2)));
  }),
  check('GW-ORDER-8', 'control', async (probe) => {
    const { taker, price, size } = await offered(probe);
    const better = shifted(probe.market, price, 50);
    await itemOf(probe, taker, { price: better, size, timeInForce: 'ioc' });
    const [fill] = answered(await taker.read('/v1/account/fills')).list('data');
    same('the price of the fill', fill?.number('price'), Number(price));
  }),
  check('GW-ORDER-9', 'control', async (probe) => {
    const { maker, taker, price, size } = await offered(probe);
    const second = await probe.trader();
    await rest(probe, second, { price, size, side: 'sell', timeInForce: 'gtc' });
    await itemOf(probe, taker, { price, size, timeInForce: 'ioc' });
    same('who still offers', [(await openIds(maker)).length, (await openIds(second)).length], [0, 1]);
  }),
  check('GW-ORDER-10', 'control', async (probe) => {
    const { maker, taker, price, size } = await offered(probe);
    const better = shifted(probe.market, price, -5);
    const second = await probe.trader();
    await rest(probe, second, { price: better, size, side: 'sell', timeInForce: 'gtc' });
    await itemOf(probe, taker, { price, size, timeInForce: 'ioc' });
    same('who still offers', [(await openIds(maker)).length, (await openIds(second)).length], [1, 0]);
  }),
  check('GW-ORDER-11', 'account', async (probe) => {
    const trader = await probe.trader();
    await rejects(probe, trader, { reduceOnly: true, timeInForce: 'gtc' }, 'ReduceOnlyNoPosition');
  }),
  check('GW-ORDER-12', 'control', async (probe) => {
    const [maker, taker] = [await probe.trader(), await probe.trader()];
    await trade(probe, { maker, taker }, await sizeOf(probe));
    await rejects(probe, taker, { reduceOnly: true, timeInForce: 'gtc' }, 'ReduceOnlyWrongSide');
  }),
  check('GW-ORDER-13', 'control', async (probe) => {
    const [maker, taker] = [await probe.trader(), await probe.trader()];
    const size = await sizeOf(probe);
    const { price } = await trade(probe, { maker, taker }, size);
    const far = shifted(probe.market, price, 5_000);
    const order = { side: 'sell', price: far, size: multiplied(size, 5), reduceOnly: true } as const;
    same('the size as accepted', (await itemOf(probe, taker, order)).number('size'), Number(size));
  }),
];

/** Precision, minimums, expiry. */
export const ORDER_LIMIT_CHECKS: readonly Check[] = [
  check('GW-ORDER-14', 'account', async (probe) => {
    const { price } = await probe.farOrder();
    const { answer } = await place(probe, await probe.trader(), [
      { price: `${price.split('.')[0]}.00000001` },
    ]);
    refused(answer, 400, 'InvalidPrecision');
  }),
  check('GW-ORDER-15', 'account', async (probe) => {
    const { answer } = await place(probe, await probe.trader(), [{ size: '0.0000000001' }]);
    refused(answer, 400, 'InvalidPrecision');
  }),
  check('GW-ORDER-16', 'account', async (probe) => {
    const { answer } = await place(probe, await probe.trader(), [{ symbol: 'NO-SUCH-MARKET' }]);
    refused(answer, 400, 'UnknownMarket');
  }),
  check('GW-ORDER-17', 'account', async (probe) => {
    const { lotStep, sizeDecimals } = probe.market;
    const size = (lotStep / 10 ** sizeDecimals).toFixed(sizeDecimals);
    await rejects(probe, await probe.trader(), { size }, 'BelowMinNotional');
  }),
  check('GW-ORDER-18', 'control', async (probe) => {
    const trader = await probe.trader();
    const expiresAt = (await probe.serverMs()) + 60_000;
    const item = await rest(probe, trader, {}, { expiresAt });
    const open = answered(await trader.read(`/v1/orders/${item.text('orderId')}`));
    same('expiresAt', open.number('expiresAt'), expiresAt);
    await probe.harness.run('advance', { by: 61_000 });
    same('open orders', (await openIds(trader)).length, 0);
    const [ended] = answered(await trader.read('/v1/account/orders/history')).list('orders');
    same('status', ended?.at('status'), 'expired');
  }),
  check('GW-ORDER-19', 'account', async (probe) => {
    const expiresAt = (await probe.serverMs()) - 60_000;
    const { answer } = await place(probe, await probe.trader(), [{}], { expiresAt });
    refused(answer, 422, 'OrderExpired');
  }),
  check('GW-ORDER-20', 'account', async (probe) => {
    const trader = await probe.trader();
    const item = await rest(probe, trader, {}, { expiresAt: 0 });
    const open = answered(await trader.read(`/v1/orders/${item.text('orderId')}`));
    same('expiresAt', open.number('expiresAt'), 0);
  }),
  check('GW-ORDER-21', 'control', async (probe) => {
    const trader = await probe.trader();
    const item = await rest(probe, trader);
    await probe.harness.run('market-status', { symbol: probe.market.symbol, status: 'Paused' });
    await rejects(probe, trader, {}, 'MarketNotTrading');
    answered((await cancel(trader, probe.market.symbol, [item.text('orderId')])).answer);
  }),
  check('GW-ORDER-22', 'control', async (probe) => {
    const trader = await probe.trader();
    const item = await rest(probe, trader);
    await probe.harness.run('market-status', { symbol: probe.market.symbol, status: 'CancelOnly' });
    await rejects(probe, trader, {}, 'MarketNotTrading');
    answered((await cancel(trader, probe.market.symbol, [item.text('orderId')])).answer);
  }),
  check('GW-ORDER-23', 'control', async (probe) => {
    const { maker, price } = await offered(probe, 2);
    const item = await itemOf(probe, maker, {
      price,
      size: await sizeOf(probe),
      side: 'buy',
      timeInForce: 'gtc',
    });
    const fills = answered(await maker.read('/v1/account/fills')).list('data');
    same('fills with oneself', fills.length, 0);
    same('filled', item.number('filledSize'), 0);
  }),
];

/** Limits of an account and of an order. */
export const ACCOUNT_LIMIT_CHECKS: readonly Check[] = [
  check('GW-ORDER-24', 'control', async (probe) => {
    const trader = await probe.trader({ balance: '1000000' });
    const full = Array.from({ length: 200 }, () => ({}));
    for (let i = 0; i < 5; i++) answered((await place(probe, trader, full)).answer);
    await rejects(probe, trader, {}, 'EquityTierLimitExceeded');
  }),
  check('GW-ORDER-25', 'account', async (probe) => {
    await rejects(probe, await probe.trader(), { size: '200000000' }, 'OrderTooLarge');
  }),
  check('GW-ORDER-26', 'account', async (probe) => {
    const trader = await probe.trader();
    const body = {
      orders: [await probe.farOrder()],
      nowMs: await probe.serverMs(),
      router: 4_000_000_000,
      routerFeePpm: 25,
    };
    refused((await trader.write('/v1/orders', body)).answer, 422, 'InvalidBuilder');
  }),
];

/** Batches. */
export const BATCH_CHECKS: readonly Check[] = [
  check('GW-ITEMS-1', 'account', async (probe) => {
    const { answer } = await place(probe, await probe.trader(), [{}, {}, {}]);
    const items = answered(answer).list('items');
    same(
      'indexes',
      items.map((item) => item.at('inputIndex')),
      [0, 1, 2],
    );
    same('kinds', new Set(items.map((item) => item.at('kind'))).size, 1);
    same('batchStatus', answer.at('batchStatus'), 'ok');
  }),
  check('GW-ITEMS-2', 'account', async (probe) => {
    const { answer } = await place(probe, await probe.trader(), [
      {},
      { reduceOnly: true, timeInForce: 'gtc' },
      {},
    ]);
    const states = answered(answer)
      .list('items')
      .map((item) => item.at('state'));
    same('states', states, ['accepted', 'rejected', 'accepted']);
    same('the reason', answer.at('items.1.reason'), 'ReduceOnlyNoPosition');
    same('status', [answer.at('status'), answer.at('batchStatus')], ['executed', 'partial']);
  }),
  check('GW-ITEMS-3', 'account', async (probe) => {
    const bad = { reduceOnly: true, timeInForce: 'gtc' } as const;
    const { answer } = await place(probe, await probe.trader(), [bad, bad]);
    answered(answer);
    same('status', [answer.at('status'), answer.at('batchStatus')], ['rejected', 'none']);
    same('items', answer.list('items').length, 2);
    same('nonceConsumed', answer.at('nonceConsumed'), true);
  }),
  check('GW-ITEMS-4', 'account', async (probe) => {
    const { answer } = await place(probe, await probe.trader(), []);
    same('items', answered(answer).at('items'), []);
    same('status', answer.at('status'), 'executed');
  }),
  check('GW-ITEMS-5', 'account', async (probe) => {
    const labels = ['conformance-a', 'conformance-b'];
    const orders = labels.map((clientOrderId) => ({ clientOrderId }));
    const { answer } = await place(probe, await probe.trader(), orders);
    same(
      'labels',
      answered(answer)
        .list('items')
        .map((item) => item.at('clientOrderId')),
      labels,
    );
  }),
  check('GW-ITEMS-6', 'account', async (probe) => {
    const { answer } = await place(probe, await probe.trader(), [{}, {}]);
    const ids = answered(answer)
      .list('items')
      .map((item) => item.text('orderId'));
    holds('order numbers that differ', new Set(ids).size === 2, ids);
    holds(
      'numbers from the log position',
      ids.every((id) => BigInt(id) >> 16n === BigInt(answer.text('seq'))),
      ids,
    );
  }),
  check('GW-ITEMS-7', 'account', async (probe) => {
    const other = await probe.farOrder({}, probe.otherMarket);
    const { answer } = await place(probe, await probe.trader(), [{}, other]);
    const symbols = answered(answer)
      .list('items')
      .map((item) => item.at('symbol'));
    same('symbols', symbols, [probe.market.symbol, other.symbol]);
  }),
  check('GW-ITEMS-8', 'account', async (probe) => {
    const { answer } = await place(probe, await probe.trader(), [{}, { price: 'x' }]);
    refusedWith(answer, 400);
  }),
];
