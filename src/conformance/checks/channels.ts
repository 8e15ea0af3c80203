/** @module Checks of the twelve data channels. */
import type { Doc } from '../answer.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, same } from '../expect.ts';
import type { Feed } from '../feed.ts';
import type { Gate } from '../gate.ts';
import { shifted } from '../orders.ts';
import type { Trader } from '../trader.ts';
import { cancel, indexPrice, mustBeQuiet, place, rest, sizeOf, trade } from './steps.ts';

/** A stream with one subscription. */
async function listen(gate: Gate, params: object): Promise<Feed> {
  const feed = await gate.open();
  await feed.subscribe(params);
  return feed;
}

/** A snapshot channel begins with its snapshot. */
async function beginsWithSnapshot(gate: Gate, params: { readonly channel: string }): Promise<Doc> {
  const feed = await listen(gate, params);
  await feed.settled();
  const [first] = feed.of(params.channel);
  same('isSnapshot of the first frame', first?.at('isSnapshot'), true);
  return first as Doc;
}

interface Pair {
  readonly maker: Trader;
  readonly taker: Trader;
}

async function pair(gate: Gate): Promise<Pair> {
  return { maker: await gate.trader(), taker: await gate.trader() };
}

const ofMarket = (gate: Gate, channel: string) => ({ channel, symbol: gate.market.symbol });

/** Channels of markets. */
export const MARKET_CHANNELS: readonly Check[] = [
  check('GW-CHANNEL-1', 'public', async (gate) => {
    const snapshot = await beginsWithSnapshot(gate, { channel: 'prices' });
    const all = answered(await gate.get('/v1/prices')).list('prices').length;
    same('markets', snapshot.list('data.prices').length, all);
  }),
  check('GW-CHANNEL-2', 'public', async (gate) => {
    const snapshot = await beginsWithSnapshot(gate, { ...ofMarket(gate, 'book'), depth: 3 } as never);
    same('symbol', snapshot.at('data.symbol'), gate.market.symbol);
    holds('at most three levels', snapshot.list('data.bids').length <= 3, snapshot.value);
  }),
  check('GW-CHANNEL-3', 'public', async (gate) => {
    const snapshot = await beginsWithSnapshot(gate, ofMarket(gate, 'bbo'));
    same('symbol', snapshot.at('data.symbol'), gate.market.symbol);
  }),
  check('GW-CHANNEL-4', 'control', async (gate) => {
    await mustBeQuiet(gate);
    const feed = await listen(gate, ofMarket(gate, 'book'));
    const order = await gate.farOrder();
    const orders = Array.from({ length: 25 }, (_none, step) => ({
      ...order,
      price: shifted(gate.market, order.price, -step),
    }));
    await place(gate, await gate.trader(), orders);
    const frame = await feed.wait('book', (one) => one.list('data.bids').length > 1);
    same('levels at the default depth', frame.list('data.bids').length, 20);
    same('isSnapshot', frame.at('isSnapshot'), false);
  }),
  check('GW-CHANNEL-5', 'control', async (gate) => {
    await mustBeQuiet(gate);
    const feed = await listen(gate, ofMarket(gate, 'book'));
    const order = await gate.farOrder();
    const orders = Array.from({ length: 10 }, (_none, step) => ({
      ...order,
      price: shifted(gate.market, order.price, -step),
    }));
    await feed.settled();
    feed.clear();
    // One entry of the log, so that all of it happens within one block.
    await place(gate, await gate.trader(), orders);
    await gate.stage.advance(300);
    await feed.settled();
    same(
      'levels of each frame',
      feed.of('book').map((frame) => frame.list('data.bids').length),
      [10],
    );
  }),
  check('GW-CHANNEL-6', 'control', async (gate) => {
    await mustBeQuiet(gate);
    const feed = await listen(gate, ofMarket(gate, 'bbo'));
    const order = await gate.farOrder();
    await place(gate, await gate.trader(), [order]);
    const frame = await feed.wait(
      'bbo',
      (one) => one.at('data.bid') !== null && one.at('isSnapshot') === false,
    );
    same(
      'the best bid',
      [frame.number('data.bid.0'), frame.number('data.bid.1')],
      [+order.price, +order.size],
    );
  }),
  check('GW-CHANNEL-7', 'control', async (gate) => {
    const feed = await listen(gate, { channel: 'prices' });
    const price = shifted(gate.market, await indexPrice(gate), 500);
    await gate.stage.setIndexPrice(gate.market.symbol, price);
    const frame = await feed.wait('prices', (one) => one.at('isSnapshot') === false);
    const found = frame.list('data.prices').find((one) => one.at('symbol') === gate.market.symbol);
    same('the index price', found?.number('indexPrice'), Number(price));
  }),
  check('GW-CHANNEL-8', 'control', async (gate) => {
    await mustBeQuiet(gate);
    const feed = await listen(gate, ofMarket(gate, 'trades'));
    const { price } = await trade(gate, await pair(gate), await sizeOf(gate));
    const frame = await feed.wait('trades');
    same(
      'the trade',
      [frame.at('data.symbol'), frame.number('data.price'), frame.at('data.side')],
      [gate.market.symbol, +price, 'buy'],
    );
    const [told] = answered(await gate.get(`/v1/markets/${gate.market.symbol}/trades?limit=1`)).list(
      'trades',
    );
    same('the same as REST', frame.at('data'), told?.value);
  }),
  check('GW-CHANNEL-9', 'control', async (gate) => {
    const feed = await listen(gate, { ...ofMarket(gate, 'candles'), interval: '1d' });
    const size = await sizeOf(gate);
    const both = await pair(gate);
    await trade(gate, both, size);
    const first = await feed.wait('candles');
    await trade(gate, both, size);
    const second = await feed.wait(
      'candles',
      (one) => one.number('data.trades') > first.number('data.trades'),
    );
    same('one bar', second.at('data.startTime'), first.at('data.startTime'));
    const bar = answered(await gate.get(`/v1/markets/${gate.market.symbol}/candles?interval=1d&limit=1`));
    same('the same as REST', second.at('data'), bar.at('candles.0'));
  }),
  check('GW-CHANNEL-10', 'control', async (gate) => {
    const feed = await listen(gate, ofMarket(gate, 'funding'));
    await gate.stage.settleFunding();
    const frame = await feed.wait('funding');
    same('symbol', frame.at('data.symbol'), gate.market.symbol);
    holds('a rate', Number.isInteger(frame.at('data.ratePpm')), frame.value);
  }),
  check('GW-CHANNEL-11', 'control', async (gate) => {
    const feed = await listen(gate, ofMarket(gate, 'trades'));
    const other = await gate.farOrder({}, gate.otherMarket);
    const { maker, taker } = await pair(gate);
    const near = { price: other.price, size: other.size, symbol: other.symbol, timeInForce: 'gtc' } as const;
    await place(gate, maker, [{ ...near, side: 'sell' }]);
    await place(gate, taker, [{ ...near, side: 'buy' }]);
    await feed.settled();
    same('trades of this market', feed.of('trades').length, 0);
  }),
];

/** Channels of accounts. */
export const ACCOUNT_CHANNELS: readonly Check[] = [
  check('GW-CHANNEL-12', 'account', async (gate) => {
    const trader = await gate.trader();
    await rest(gate, trader);
    const snapshot = await beginsWithSnapshot(gate, { channel: 'orders', ...trader.selection });
    same('open orders', snapshot.list('data.orders').length, 1);
    same(
      'the account',
      [snapshot.at('address'), snapshot.at('subaccount')],
      [trader.address, trader.keys.subaccount],
    );
  }),
  check('GW-CHANNEL-13', 'account', async (gate) => {
    const trader = await gate.trader();
    const feed = await listen(gate, { channel: 'orders', ...trader.selection });
    const item = await rest(gate, trader);
    const opened = await feed.wait('orders', (one) => one.at('isSnapshot') === false);
    same('the event', [opened.at('data.orderId'), opened.at('data.status')], [item.at('orderId'), 'open']);
    await cancel(trader, gate.market.symbol, [item.text('orderId')]);
    const ended = await feed.wait('orders', (one) => one.at('data.status') === 'canceled');
    same('the event', ended.at('data.orderId'), item.at('orderId'));
  }),
  check('GW-CHANNEL-14', 'control', async (gate) => {
    const both = await pair(gate);
    const makers = await listen(gate, { channel: 'orders', ...both.maker.selection });
    const takers = await listen(gate, { channel: 'orders', ...both.taker.selection });
    const { makerId, takerId } = await trade(gate, both, await sizeOf(gate));
    const filled = (one: Doc) => one.at('data.status') === 'filled';
    same('the maker', (await makers.wait('orders', filled)).at('data.orderId'), makerId);
    same('the taker', (await takers.wait('orders', filled)).at('data.orderId'), takerId);
  }),
  check('GW-CHANNEL-15', 'control', async (gate) => {
    const trader = await gate.trader();
    const feed = await listen(gate, { channel: 'orders', ...trader.selection });
    const expiresAt = (await gate.serverMs()) + 30_000;
    const item = await rest(gate, trader, {}, { expiresAt });
    await gate.stage.advance(31_000);
    const ended = await feed.wait('orders', (one) => one.at('data.status') === 'expired');
    same('the event', ended.at('data.orderId'), item.at('orderId'));
  }),
  check('GW-CHANNEL-16', 'control', async (gate) => {
    const both = await pair(gate);
    const feed = await listen(gate, { channel: 'fills', ...both.taker.selection });
    await trade(gate, both, await sizeOf(gate));
    const frame = await feed.wait('fills');
    const [fill] = answered(await both.taker.read('/v1/account/fills')).list('data');
    same('the same as the history', frame.at('data'), fill?.value);
  }),
  check('GW-CHANNEL-17', 'control', async (gate) => {
    const both = await pair(gate);
    const feed = await listen(gate, { channel: 'ledger', ...both.taker.selection });
    await trade(gate, both, await sizeOf(gate));
    await feed.wait('ledger');
    await feed.settled();
    const history = answered(await both.taker.read('/v1/account/ledger')).list('data');
    const told = feed.of('ledger').map((frame) => frame.at('data'));
    same(
      'the same as the history',
      told,
      history.slice(-told.length).map((entry) => entry.value),
    );
  }),
  check('GW-CHANNEL-18', 'control', async (gate) => {
    const both = await pair(gate);
    const feed = await listen(gate, { channel: 'positions', ...both.taker.selection });
    await feed.settled();
    same('the snapshot', feed.of('positions')[0]?.at('data.positions'), []);
    const size = await sizeOf(gate);
    await trade(gate, both, size);
    const frame = await feed.wait('positions', (one) => one.list('data.positions').length === 1);
    same('the size', frame.number('data.positions.0.size'), Number(size));
    await trade(gate, { maker: both.taker, taker: both.maker }, size);
    const flat = await feed.wait('positions', (one) => one.number('data.positions.0.size') === 0);
    same('the symbol', flat.at('data.positions.0.symbol'), gate.market.symbol);
  }),
  check('GW-CHANNEL-19', 'control', async (gate) => {
    const trader = await gate.trader();
    const feed = await listen(gate, { channel: 'account', ...trader.selection });
    await feed.settled();
    same('isSnapshot', feed.of('account')[0]?.at('isSnapshot'), true);
    await gate.stage.fund(trader.address, '250');
    const frame = await feed.wait('account', (one) => one.at('isSnapshot') === false);
    same('the collateral', frame.number('data.collateral'), 1_000_250);
  }),
  check('GW-CHANNEL-20', 'control', async (gate) => {
    const both = await pair(gate);
    const feed = await gate.open();
    for (const channel of ['orders', 'fills', 'positions', 'account', 'ledger'])
      await feed.subscribe({ channel, ...both.taker.selection });
    await trade(gate, both, await sizeOf(gate));
    await feed.wait('positions', (one) => one.list('data.positions').length === 1);
    const epochs = feed.frames.filter((one) => one.at('address') !== undefined).map((one) => one.at('epoch'));
    const told = feed.of('subscribed')[0]?.at('epoch');
    holds('frames of five channels', epochs.length >= 5, epochs.length);
    for (const epoch of epochs) same('epoch', epoch, told);
  }),
  check('GW-CHANNEL-21', 'control', async (gate) => {
    const both = await pair(gate);
    const feed = await listen(gate, { channel: 'fills', ...both.maker.selection });
    await trade(gate, { maker: await gate.trader(), taker: both.taker }, await sizeOf(gate));
    await feed.settled();
    same('fills of somebody else', feed.of('fills').length, 0);
  }),
  check('GW-CHANNEL-22', 'control', async (gate) => {
    const feed = await listen(gate, { channel: 'events' });
    const trader = await gate.trader();
    const item = await rest(gate, trader);
    const frame = await feed.wait('events', (one) => one.at('data.data.orderId') === item.at('orderId'));
    same('the kind', frame.at('data.kind'), 'OrderAccepted');
  }),
  check('GW-CHANNEL-23', 'control', async (gate) => {
    const [trader, other] = [await gate.trader(), await gate.trader()];
    const feed = await listen(gate, { channel: 'events', address: trader.address });
    await rest(gate, other);
    const item = await rest(gate, trader);
    const told = await feed.wait('events', (one) => one.at('data.kind') === 'OrderAccepted');
    same('his own order first', told.at('data.data.orderId'), item.at('orderId'));
    await feed.settled();
    same('acceptances', feed.of('events').filter((one) => one.at('data.kind') === 'OrderAccepted').length, 1);
  }),
  check('GW-CHANNEL-24', 'control', async (gate) => {
    const feed = await listen(gate, { channel: 'events', symbol: gate.otherMarket.symbol });
    await rest(gate, await gate.trader());
    await gate.stage.advance(300);
    await feed.settled();
    const foreign = feed.of('events').filter((one) => one.at('data.data.symbol') === gate.market.symbol);
    same('events of another market', foreign.length, 0);
  }),
  check('GW-CHANNEL-25', 'account', async (gate) => {
    const trader = await gate.trader();
    const feed = await listen(gate, { channel: 'orders', ...trader.selection });
    const { answer } = await place(gate, trader);
    const id = answered(answer).at('items.0.orderId');
    holds(
      'the event before the answer',
      feed.of('orders').some((one) => one.at('data.orderId') === id),
      id,
    );
  }),
];
