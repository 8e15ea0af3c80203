/** @module Checks of cancels, replacements, the switch, leverage and subaccounts. */
import { type Check, check } from '../check.ts';
import { answered, holds, refused, refusedWith, same } from '../expect.ts';
import { shifted } from '../orders.ts';
import type { Probe } from '../probe.ts';
import type { Trader, TraderWriteOptions, Written } from '../trader.ts';
import { cancel, mustBeQuiet, NO_ORDER, openIds, place, rest, schedule, sizeOf, trade } from './steps.ts';

const cancelAll = (trader: Trader, options: TraderWriteOptions = {}): Promise<Written> =>
  trader.write('/v1/orders/cancel-all', {}, options);

/** Cancels. */
export const CANCEL_CHECKS: readonly Check[] = [
  check('GW-CANCEL-1', 'account', async (probe) => {
    const trader = await probe.trader();
    const placed = await rest(probe, trader);
    const { answer } = await cancel(trader, probe.market.symbol, [placed.text('orderId')]);
    const item = answered(answer).part('items.0');
    same('the item', [item.at('kind'), item.at('state')], ['cancel', 'canceled']);
    same('orderId', item.at('orderId'), placed.at('orderId'));
    same('what was taken away', item.number('canceledSize'), placed.number('size'));
  }),
  check('GW-CANCEL-2', 'account', async (probe) => {
    const trader = await probe.trader();
    refused((await cancel(trader, probe.market.symbol, [NO_ORDER])).answer, 422, 'UnknownOrder');
  }),
  check('GW-CANCEL-3', 'account', async (probe) => {
    const trader = await probe.trader();
    const placed = await rest(probe, trader);
    const { answer } = await cancel(trader, probe.market.symbol, [NO_ORDER, placed.text('orderId')]);
    same(
      'states',
      answered(answer)
        .list('items')
        .map((item) => item.at('state')),
      ['rejected', 'canceled'],
    );
    same('batchStatus', answer.at('batchStatus'), 'partial');
  }),
  check('GW-CANCEL-4', 'account', async (probe) => {
    const trader = await probe.trader();
    const id = (await rest(probe, trader)).text('orderId');
    const { answer } = await cancel(trader, probe.market.symbol, [id, id]);
    same(
      'states',
      answered(answer)
        .list('items')
        .map((item) => item.at('state')),
      ['canceled', 'rejected'],
    );
  }),
  check('GW-CANCEL-5', 'control', async (probe) => {
    const [owner, stranger] = [await probe.trader(), await probe.trader()];
    const id = (await rest(probe, owner)).text('orderId');
    refused((await cancel(stranger, probe.market.symbol, [id])).answer, 422, 'UnknownOrder');
    same('the open orders of the owner', await openIds(owner), [id]);
  }),
  check('GW-CANCEL-6', 'account', async (probe) => {
    const trader = await probe.trader();
    const id = (await rest(probe, trader)).text('orderId');
    refused((await cancel(trader, probe.otherMarket.symbol, [id])).answer, 422, 'UnknownOrder');
  }),
  check('GW-CANCEL-7', 'account', async (probe) => {
    const trader = await probe.trader();
    for (const orderId of ['x', '-1', '', 1])
      refusedWith(
        (await trader.write('/v1/orders/cancel', { orders: [{ symbol: probe.market.symbol, orderId }] }))
          .answer,
        400,
      );
  }),
  check('GW-CANCEL-8', 'account', async (probe) => {
    const trader = await probe.trader();
    await place(probe, trader, [{}, {}]);
    await rest(probe, trader, await probe.farOrder({}, probe.otherMarket));
    const { answer } = await cancelAll(trader);
    const items = answered(answer).list('items');
    holds(
      'a cancel of each order',
      items.length >= 3 && items.every((item) => item.at('state') === 'canceled'),
      answer.value,
    );
    same('open orders', await openIds(trader), []);
  }),
  check('GW-CANCEL-9', 'account', async (probe) => {
    const trader = await probe.trader();
    answered((await cancelAll(trader)).answer);
    const { answer } = await cancelAll(trader);
    same('the second one', [answered(answer).at('status'), answer.at('items')], ['executed', []]);
  }),
  check('GW-CANCEL-10', 'control', async (probe) => {
    const [one, other] = [await probe.trader(), await probe.trader()];
    const id = (await rest(probe, other)).text('orderId');
    answered((await cancelAll(one)).answer);
    same('the open orders of another account', await openIds(other), [id]);
  }),
  check('GW-CANCEL-11', 'control', async (probe) => {
    const trader = await probe.trader();
    answered((await trader.write('/v1/account/subaccounts', {}, { by: 'wallet' })).answer);
    const id = (await rest(probe, trader)).text('orderId');
    answered((await cancelAll(trader, { by: 'wallet', subaccount: 1 })).answer);
    same('the open orders of the main account', await openIds(trader), [id]);
  }),
];

interface ReplaceParts {
  readonly cancels: readonly string[];
  readonly prices: readonly number[];
}

async function replace(probe: Probe, trader: Trader, { cancels, prices }: ReplaceParts): Promise<Written> {
  const order = await probe.farOrder();
  const { symbol } = probe.market;
  return trader.write('/v1/orders/replace', {
    cancels: cancels.map((orderId) => ({ symbol, orderId })),
    orders: prices.map((ticks) => ({ ...order, price: shifted(probe.market, order.price, ticks) })),
    nowMs: await probe.serverMs(),
  });
}

/** Replacements. */
export const REPLACE_CHECKS: readonly Check[] = [
  check('GW-REPLACE-1', 'account', async (probe) => {
    const trader = await probe.trader();
    const old = (await rest(probe, trader)).text('orderId');
    const { answer } = await replace(probe, trader, { cancels: [old], prices: [-1] });
    const items = answered(answer).list('items');
    same(
      'kinds',
      items.map((item) => item.at('kind')),
      ['cancel', 'place'],
    );
    same(
      'indexes',
      items.map((item) => item.at('inputIndex')),
      [0, 0],
    );
    same('open orders', await openIds(trader), [items[1]?.text('orderId')]);
  }),
  check('GW-REPLACE-2', 'account', async (probe) => {
    const trader = await probe.trader();
    const { answer } = await replace(probe, trader, { cancels: [NO_ORDER], prices: [0] });
    same(
      'states',
      answered(answer)
        .list('items')
        .map((item) => item.at('state')),
      ['rejected', 'accepted'],
    );
    same('batchStatus', answer.at('batchStatus'), 'partial');
  }),
  check('GW-REPLACE-3', 'account', async (probe) => {
    const { answer } = await replace(probe, await probe.trader(), { cancels: [], prices: [] });
    same('items', answered(answer).at('items'), []);
  }),
  check('GW-REPLACE-4', 'account', async (probe) => {
    const trader = await probe.trader();
    const old = (await rest(probe, trader)).text('orderId');
    const { answer } = await replace(probe, trader, { cancels: [old], prices: [] });
    same(
      'states',
      answered(answer)
        .list('items')
        .map((item) => item.at('state')),
      ['canceled'],
    );
    same('open orders', await openIds(trader), []);
  }),
  check('GW-REPLACE-5', 'account', async (probe) => {
    const { answer } = await replace(probe, await probe.trader(), { cancels: [], prices: [0, -1] });
    same(
      'states',
      answered(answer)
        .list('items')
        .map((item) => item.at('state')),
      ['accepted', 'accepted'],
    );
  }),
  check('GW-REPLACE-6', 'control', async (probe) => {
    await mustBeQuiet(probe);
    const trader = await probe.trader();
    const feed = await probe.open();
    await feed.subscribe({ channel: 'book', symbol: probe.market.symbol });
    let id = (await rest(probe, trader)).text('orderId');
    await probe.eventually(
      'the order in the book',
      async () => feed.of('book').some((frame) => frame.list('data.bids').length > 0) || undefined,
    );
    feed.clear();
    for (let round = 1; round <= 10; round++) {
      const { answer } = await replace(probe, trader, { cancels: [id], prices: [-round] });
      id = answered(answer).text('items.1.orderId');
      const book = answered(await probe.get(`/v1/markets/${probe.market.symbol}/book`));
      same('bids', book.list('bids').length, 1);
    }
    await probe.pause(250);
    for (const frame of feed.of('book')) same('bids of a frame', frame.list('data.bids').length, 1);
  }),
  check('GW-REPLACE-7', 'control', async (probe) => {
    const trader = await probe.trader();
    const feed = await probe.open();
    await feed.subscribe({ channel: 'orders', ...trader.selection });
    const old = (await rest(probe, trader)).text('orderId');
    feed.clear();
    const { answer } = await replace(probe, trader, { cancels: [old], prices: [-1] });
    await feed.settled();
    const told = feed.of('orders').map((frame) => [frame.at('data.status'), frame.number('seq')]);
    const seq = answered(answer).number('seq');
    same('events', told, [
      ['canceled', seq],
      ['open', seq],
    ]);
  }),
  check('GW-REPLACE-8', 'account', async (probe) => {
    const trader = await probe.trader();
    const old = (await rest(probe, trader)).text('orderId');
    const { answer } = await replace(probe, trader, { cancels: [old], prices: [0] });
    const fresh = answered(answer).text('items.1.orderId');
    holds('a new number', fresh !== old, { old, fresh });
  }),
];

/** The dead man's switch. */
export const SWITCH_CHECKS: readonly Check[] = [
  check('GW-SWITCH-1', 'account', async (probe) => {
    const trader = await probe.trader();
    answered((await schedule(probe, trader, (await probe.serverMs()) + 600_000)).answer);
    answered((await schedule(probe, trader, 0)).answer);
  }),
  check('GW-SWITCH-2', 'account', async (probe) => {
    const { answer } = await schedule(probe, await probe.trader(), (await probe.serverMs()) - 60_000);
    refused(answer, 422, 'InvalidScheduleCancel');
  }),
  check('GW-SWITCH-3', 'control', async (probe) => {
    const trader = await probe.trader();
    await place(probe, trader, [{}, {}]);
    answered((await schedule(probe, trader, (await probe.serverMs()) + 60_000)).answer);
    await probe.harness.run('advance', { by: 30_000 });
    same('open orders before', (await openIds(trader)).length, 2);
    await probe.harness.run('advance', { by: 31_000 });
    same('open orders after', (await openIds(trader)).length, 0);
  }),
  check('GW-SWITCH-4', 'control', async (probe) => {
    const trader = await probe.trader();
    await rest(probe, trader);
    answered((await schedule(probe, trader, (await probe.serverMs()) + 60_000)).answer);
    answered((await schedule(probe, trader, 0)).answer);
    await probe.harness.run('advance', { by: 61_000 });
    same('open orders', (await openIds(trader)).length, 1);
  }),
  check('GW-SWITCH-5', 'control', async (probe) => {
    const trader = await probe.trader();
    await rest(probe, trader);
    answered((await schedule(probe, trader, (await probe.serverMs()) + 60_000)).answer);
    answered((await schedule(probe, trader, (await probe.serverMs()) + 180_000)).answer);
    await probe.harness.run('advance', { by: 90_000 });
    same('open orders', (await openIds(trader)).length, 1);
    await probe.harness.run('advance', { by: 91_000 });
    same('open orders at the new time', (await openIds(trader)).length, 0);
  }),
  check('GW-SWITCH-6', 'control', async (probe) => {
    const [trader, other] = [await probe.trader(), await probe.trader()];
    const id = (await rest(probe, other)).text('orderId');
    answered((await schedule(probe, trader, (await probe.serverMs()) + 60_000)).answer);
    await probe.harness.run('advance', { by: 61_000 });
    same('the open orders of another account', await openIds(other), [id]);
  }),
  check('GW-SWITCH-7', 'control', async (probe) => {
    const trader = await probe.trader();
    answered((await schedule(probe, trader, (await probe.serverMs()) + 60_000)).answer);
    await probe.harness.run('advance', { by: 61_000 });
    const id = (await rest(probe, trader)).text('orderId');
    await probe.harness.run('advance', { by: 61_000 });
    same('open orders', await openIds(trader), [id]);
  }),
  check('GW-SWITCH-8', 'control', async (probe) => {
    const trader = await probe.trader();
    const feed = await probe.open();
    await feed.subscribe({ channel: 'events', address: trader.address });
    await rest(probe, trader);
    answered((await schedule(probe, trader, (await probe.serverMs()) + 30_000)).answer);
    await probe.harness.run('advance', { by: 31_000 });
    const fired = await feed.wait('events', (frame) => frame.at('data.kind') === 'ScheduleCancelFired');
    same('canceled orders', fired.at('data.data.canceledOrders'), 1);
  }),
];

/** Leverage and subaccounts. */
export const LEVERAGE_CHECKS: readonly Check[] = [
  check('GW-LEVERAGE-1', 'control', async (probe) => {
    const [maker, taker] = [await probe.trader(), await probe.trader()];
    await trade(probe, { maker, taker }, await sizeOf(probe));
    const { symbol } = probe.market;
    answered((await taker.write('/v1/account/leverage', { symbol, leverage: 5 })).answer);
    const [position] = answered(await taker.read('/v1/account/positions')).list('positions');
    same('initialMarginPpm', position?.at('initialMarginPpm'), 200_000);
  }),
  check('GW-LEVERAGE-2', 'control', async (probe) => {
    const { symbol } = probe.market;
    const { answer } = await (await probe.trader()).write('/v1/account/leverage', {
      symbol,
      leverage: 1_000,
    });
    refused(answer, 422, 'InvalidLeverage');
  }),
  check('GW-LEVERAGE-3', 'account', async (probe) => {
    const trader = await probe.trader();
    const { symbol } = probe.market;
    for (const leverage of [0, -1, 'x', null, 0.5])
      refusedWith((await trader.write('/v1/account/leverage', { symbol, leverage })).answer, 400);
    const unknown = await trader.write('/v1/account/leverage', { symbol: 'NO-SUCH-MARKET', leverage: 5 });
    refused(unknown.answer, 400, 'UnknownMarket');
  }),
  check('GW-LEVERAGE-4', 'control', async (probe) => {
    const [maker, taker] = [await probe.trader(), await probe.trader()];
    await trade(probe, { maker, taker }, await sizeOf(probe, 10));
    const before = answered(await taker.read('/v1/account'));
    const { symbol } = probe.market;
    answered((await taker.write('/v1/account/leverage', { symbol, leverage: 2 })).answer);
    const after = answered(await taker.read('/v1/account'));
    holds('more initial margin', after.number('initialMargin') > before.number('initialMargin'), after.value);
    same('maintenance margin', after.at('maintenanceMargin'), before.at('maintenanceMargin'));
  }),
  check('GW-SUB-1', 'control', async (probe) => {
    const trader = await probe.trader();
    answered((await trader.write('/v1/account/subaccounts', {}, { by: 'wallet' })).answer);
    const list = answered(await trader.read('/v1/account/subaccounts')).list('subaccounts');
    same(
      'subaccounts',
      list.map((one) => one.at('subaccount')),
      [0, 1],
    );
    const account = answered(await probe.get(`/v1/account?address=${trader.address}&subaccount=1`));
    same('its money', account.number('collateral'), 0);
  }),
  check('GW-SUB-2', 'control', async (probe) => {
    const trader = await probe.trader();
    answered((await trader.write('/v1/account/subaccounts', {}, { by: 'wallet' })).answer);
    await probe.harness.run('fund', { account: trader.address, amount: '500', subaccount: 1 });
    const sub = probe.traderWith({ ...trader.keys, subaccount: 1 });
    const { answer } = await place(probe, sub, [{}], { by: 'wallet' });
    answered(answer);
    same('open orders', [(await openIds(trader)).length, (await openIds(sub)).length], [0, 1]);
  }),
];
