/** @module Checks of cancels, replacements, the switch, leverage and subaccounts. */
import { type Check, check } from '../check.ts';
import { answered, holds, refused, refusedWith, same } from '../expect.ts';
import type { Gate } from '../gate.ts';
import { shifted } from '../orders.ts';
import type { Trader, WriteOptions, Written } from '../trader.ts';
import { cancel, mustBeQuiet, NO_ORDER, openIds, place, rest, schedule, sizeOf, trade } from './steps.ts';

const cancelAll = (trader: Trader, options: WriteOptions = {}): Promise<Written> =>
  trader.write('/v1/orders/cancel-all', {}, options);

/** Cancels. */
export const CANCELS: readonly Check[] = [
  check('GW-CANCEL-1', 'account', async (gate) => {
    const trader = await gate.trader();
    const placed = await rest(gate, trader);
    const { answer } = await cancel(trader, gate.market.symbol, [placed.text('orderId')]);
    const item = answered(answer).part('items.0');
    same('the item', [item.at('kind'), item.at('state')], ['cancel', 'canceled']);
    same('orderId', item.at('orderId'), placed.at('orderId'));
    same('what was taken away', item.number('canceledSize'), placed.number('size'));
  }),
  check('GW-CANCEL-2', 'account', async (gate) => {
    const trader = await gate.trader();
    refused((await cancel(trader, gate.market.symbol, [NO_ORDER])).answer, 422, 'UnknownOrder');
  }),
  check('GW-CANCEL-3', 'account', async (gate) => {
    const trader = await gate.trader();
    const placed = await rest(gate, trader);
    const { answer } = await cancel(trader, gate.market.symbol, [NO_ORDER, placed.text('orderId')]);
    same(
      'states',
      answered(answer)
        .list('items')
        .map((item) => item.at('state')),
      ['rejected', 'canceled'],
    );
    same('batchStatus', answer.at('batchStatus'), 'partial');
  }),
  check('GW-CANCEL-4', 'account', async (gate) => {
    const trader = await gate.trader();
    const id = (await rest(gate, trader)).text('orderId');
    const { answer } = await cancel(trader, gate.market.symbol, [id, id]);
    same(
      'states',
      answered(answer)
        .list('items')
        .map((item) => item.at('state')),
      ['canceled', 'rejected'],
    );
  }),
  check('GW-CANCEL-5', 'control', async (gate) => {
    const [owner, stranger] = [await gate.trader(), await gate.trader()];
    const id = (await rest(gate, owner)).text('orderId');
    refused((await cancel(stranger, gate.market.symbol, [id])).answer, 422, 'UnknownOrder');
    same('the open orders of the owner', await openIds(owner), [id]);
  }),
  check('GW-CANCEL-6', 'account', async (gate) => {
    const trader = await gate.trader();
    const id = (await rest(gate, trader)).text('orderId');
    refused((await cancel(trader, gate.otherMarket.symbol, [id])).answer, 422, 'UnknownOrder');
  }),
  check('GW-CANCEL-7', 'account', async (gate) => {
    const trader = await gate.trader();
    for (const orderId of ['x', '-1', '', 1])
      refusedWith(
        (await trader.write('/v1/orders/cancel', { orders: [{ symbol: gate.market.symbol, orderId }] }))
          .answer,
        400,
      );
  }),
  check('GW-CANCEL-8', 'account', async (gate) => {
    const trader = await gate.trader();
    await place(gate, trader, [{}, {}]);
    await rest(gate, trader, await gate.farOrder({}, gate.otherMarket));
    const { answer } = await cancelAll(trader);
    const items = answered(answer).list('items');
    holds(
      'a cancel of each order',
      items.length >= 3 && items.every((item) => item.at('state') === 'canceled'),
      answer.value,
    );
    same('open orders', await openIds(trader), []);
  }),
  check('GW-CANCEL-9', 'account', async (gate) => {
    const trader = await gate.trader();
    answered((await cancelAll(trader)).answer);
    const { answer } = await cancelAll(trader);
    same('the second one', [answered(answer).at('status'), answer.at('items')], ['executed', []]);
  }),
  check('GW-CANCEL-10', 'control', async (gate) => {
    const [one, other] = [await gate.trader(), await gate.trader()];
    const id = (await rest(gate, other)).text('orderId');
    answered((await cancelAll(one)).answer);
    same('the open orders of another account', await openIds(other), [id]);
  }),
  check('GW-CANCEL-11', 'control', async (gate) => {
    const trader = await gate.trader();
    answered((await trader.write('/v1/account/subaccounts', {}, { by: 'wallet' })).answer);
    const id = (await rest(gate, trader)).text('orderId');
    answered((await cancelAll(trader, { by: 'wallet', subaccount: 1 })).answer);
    same('the open orders of the main account', await openIds(trader), [id]);
  }),
];

interface ReplaceParts {
  readonly cancels: readonly string[];
  readonly prices: readonly number[];
}

async function replace(gate: Gate, trader: Trader, { cancels, prices }: ReplaceParts): Promise<Written> {
  const order = await gate.farOrder();
  const { symbol } = gate.market;
  return trader.write('/v1/orders/replace', {
    cancels: cancels.map((orderId) => ({ symbol, orderId })),
    orders: prices.map((ticks) => ({ ...order, price: shifted(gate.market, order.price, ticks) })),
    nowMs: await gate.serverMs(),
  });
}

/** Replacements. */
export const REPLACES: readonly Check[] = [
  check('GW-REPLACE-1', 'account', async (gate) => {
    const trader = await gate.trader();
    const old = (await rest(gate, trader)).text('orderId');
    const { answer } = await replace(gate, trader, { cancels: [old], prices: [-1] });
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
  check('GW-REPLACE-2', 'account', async (gate) => {
    const trader = await gate.trader();
    const { answer } = await replace(gate, trader, { cancels: [NO_ORDER], prices: [0] });
    same(
      'states',
      answered(answer)
        .list('items')
        .map((item) => item.at('state')),
      ['rejected', 'accepted'],
    );
    same('batchStatus', answer.at('batchStatus'), 'partial');
  }),
  check('GW-REPLACE-3', 'account', async (gate) => {
    const { answer } = await replace(gate, await gate.trader(), { cancels: [], prices: [] });
    same('items', answered(answer).at('items'), []);
  }),
  check('GW-REPLACE-4', 'account', async (gate) => {
    const trader = await gate.trader();
    const old = (await rest(gate, trader)).text('orderId');
    const { answer } = await replace(gate, trader, { cancels: [old], prices: [] });
    same(
      'states',
      answered(answer)
        .list('items')
        .map((item) => item.at('state')),
      ['canceled'],
    );
    same('open orders', await openIds(trader), []);
  }),
  check('GW-REPLACE-5', 'account', async (gate) => {
    const { answer } = await replace(gate, await gate.trader(), { cancels: [], prices: [0, -1] });
    same(
      'states',
      answered(answer)
        .list('items')
        .map((item) => item.at('state')),
      ['accepted', 'accepted'],
    );
  }),
  check('GW-REPLACE-6', 'control', async (gate) => {
    await mustBeQuiet(gate);
    const trader = await gate.trader();
    const feed = await gate.open();
    await feed.subscribe({ channel: 'book', symbol: gate.market.symbol });
    let id = (await rest(gate, trader)).text('orderId');
    await gate.eventually(
      'the order in the book',
      async () => feed.of('book').some((frame) => frame.list('data.bids').length > 0) || undefined,
    );
    feed.clear();
    for (let round = 1; round <= 10; round++) {
      const { answer } = await replace(gate, trader, { cancels: [id], prices: [-round] });
      id = answered(answer).text('items.1.orderId');
      const book = answered(await gate.get(`/v1/markets/${gate.market.symbol}/book`));
      same('bids', book.list('bids').length, 1);
    }
    await gate.pause(250);
    for (const frame of feed.of('book')) same('bids of a frame', frame.list('data.bids').length, 1);
  }),
  check('GW-REPLACE-7', 'control', async (gate) => {
    const trader = await gate.trader();
    const feed = await gate.open();
    await feed.subscribe({ channel: 'orders', ...trader.selection });
    const old = (await rest(gate, trader)).text('orderId');
    feed.clear();
    const { answer } = await replace(gate, trader, { cancels: [old], prices: [-1] });
    await feed.settled();
    const told = feed.of('orders').map((frame) => [frame.at('data.status'), frame.number('seq')]);
    const seq = answered(answer).number('seq');
    same('events', told, [
      ['canceled', seq],
      ['open', seq],
    ]);
  }),
  check('GW-REPLACE-8', 'account', async (gate) => {
    const trader = await gate.trader();
    const old = (await rest(gate, trader)).text('orderId');
    const { answer } = await replace(gate, trader, { cancels: [old], prices: [0] });
    const fresh = answered(answer).text('items.1.orderId');
    holds('a new number', fresh !== old, { old, fresh });
  }),
];

/** The dead man's switch. */
export const SWITCH: readonly Check[] = [
  check('GW-SWITCH-1', 'account', async (gate) => {
    const trader = await gate.trader();
    answered((await schedule(gate, trader, (await gate.serverMs()) + 600_000)).answer);
    answered((await schedule(gate, trader, 0)).answer);
  }),
  check('GW-SWITCH-2', 'account', async (gate) => {
    const { answer } = await schedule(gate, await gate.trader(), (await gate.serverMs()) - 60_000);
    refused(answer, 422, 'InvalidScheduleCancel');
  }),
  check('GW-SWITCH-3', 'control', async (gate) => {
    const trader = await gate.trader();
    await place(gate, trader, [{}, {}]);
    answered((await schedule(gate, trader, (await gate.serverMs()) + 60_000)).answer);
    await gate.stage.advance(30_000);
    same('open orders before', (await openIds(trader)).length, 2);
    await gate.stage.advance(31_000);
    same('open orders after', (await openIds(trader)).length, 0);
  }),
  check('GW-SWITCH-4', 'control', async (gate) => {
    const trader = await gate.trader();
    await rest(gate, trader);
    answered((await schedule(gate, trader, (await gate.serverMs()) + 60_000)).answer);
    answered((await schedule(gate, trader, 0)).answer);
    await gate.stage.advance(61_000);
    same('open orders', (await openIds(trader)).length, 1);
  }),
  check('GW-SWITCH-5', 'control', async (gate) => {
    const trader = await gate.trader();
    await rest(gate, trader);
    answered((await schedule(gate, trader, (await gate.serverMs()) + 60_000)).answer);
    answered((await schedule(gate, trader, (await gate.serverMs()) + 180_000)).answer);
    await gate.stage.advance(90_000);
    same('open orders', (await openIds(trader)).length, 1);
    await gate.stage.advance(91_000);
    same('open orders at the new time', (await openIds(trader)).length, 0);
  }),
  check('GW-SWITCH-6', 'control', async (gate) => {
    const [trader, other] = [await gate.trader(), await gate.trader()];
    const id = (await rest(gate, other)).text('orderId');
    answered((await schedule(gate, trader, (await gate.serverMs()) + 60_000)).answer);
    await gate.stage.advance(61_000);
    same('the open orders of another account', await openIds(other), [id]);
  }),
  check('GW-SWITCH-7', 'control', async (gate) => {
    const trader = await gate.trader();
    answered((await schedule(gate, trader, (await gate.serverMs()) + 60_000)).answer);
    await gate.stage.advance(61_000);
    const id = (await rest(gate, trader)).text('orderId');
    await gate.stage.advance(61_000);
    same('open orders', await openIds(trader), [id]);
  }),
  check('GW-SWITCH-8', 'control', async (gate) => {
    const trader = await gate.trader();
    const feed = await gate.open();
    await feed.subscribe({ channel: 'events', address: trader.address });
    await rest(gate, trader);
    answered((await schedule(gate, trader, (await gate.serverMs()) + 30_000)).answer);
    await gate.stage.advance(31_000);
    const fired = await feed.wait('events', (frame) => frame.at('data.kind') === 'ScheduleCancelFired');
    same('canceled orders', fired.at('data.data.canceledOrders'), 1);
  }),
];

/** Leverage and subaccounts. */
export const LEVERAGE: readonly Check[] = [
  check('GW-LEVERAGE-1', 'control', async (gate) => {
    const [maker, taker] = [await gate.trader(), await gate.trader()];
    await trade(gate, { maker, taker }, await sizeOf(gate));
    const { symbol } = gate.market;
    answered((await taker.write('/v1/account/leverage', { symbol, leverage: 5 })).answer);
    const [position] = answered(await taker.read('/v1/account/positions')).list('positions');
    same('initialMarginPpm', position?.at('initialMarginPpm'), 200_000);
  }),
  check('GW-LEVERAGE-2', 'control', async (gate) => {
    const { symbol } = gate.market;
    const { answer } = await (await gate.trader()).write('/v1/account/leverage', { symbol, leverage: 1_000 });
    refused(answer, 422, 'InvalidLeverage');
  }),
  check('GW-LEVERAGE-3', 'account', async (gate) => {
    const trader = await gate.trader();
    const { symbol } = gate.market;
    for (const leverage of [0, -1, 'x', null, 0.5])
      refusedWith((await trader.write('/v1/account/leverage', { symbol, leverage })).answer, 400);
    const unknown = await trader.write('/v1/account/leverage', { symbol: 'NO-SUCH-MARKET', leverage: 5 });
    refused(unknown.answer, 400, 'UnknownMarket');
  }),
  check('GW-LEVERAGE-4', 'control', async (gate) => {
    const [maker, taker] = [await gate.trader(), await gate.trader()];
    await trade(gate, { maker, taker }, await sizeOf(gate, 10));
    const before = answered(await taker.read('/v1/account'));
    const { symbol } = gate.market;
    answered((await taker.write('/v1/account/leverage', { symbol, leverage: 2 })).answer);
    const after = answered(await taker.read('/v1/account'));
    holds('more initial margin', after.number('initialMargin') > before.number('initialMargin'), after.value);
    same('maintenance margin', after.at('maintenanceMargin'), before.at('maintenanceMargin'));
  }),
  check('GW-SUB-1', 'control', async (gate) => {
    const trader = await gate.trader();
    answered((await trader.write('/v1/account/subaccounts', {}, { by: 'wallet' })).answer);
    const list = answered(await trader.read('/v1/account/subaccounts')).list('subaccounts');
    same(
      'subaccounts',
      list.map((one) => one.at('subaccount')),
      [0, 1],
    );
    const account = answered(await gate.get(`/v1/account?address=${trader.address}&subaccount=1`));
    same('its money', account.number('collateral'), 0);
  }),
  check('GW-SUB-2', 'control', async (gate) => {
    const trader = await gate.trader();
    answered((await trader.write('/v1/account/subaccounts', {}, { by: 'wallet' })).answer);
    await gate.stage.fund(trader.address, '500', 1);
    const sub = gate.traderWith({ ...trader.keys, subaccount: 1 });
    const { answer } = await place(gate, sub, [{}], { by: 'wallet' });
    answered(answer);
    same('open orders', [(await openIds(trader)).length, (await openIds(sub)).length], [0, 1]);
  }),
];
