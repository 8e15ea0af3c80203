/** @module Checks of the twelve data channels. */
import type { Doc } from '../answer.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, same } from '../expect.ts';
import type { Feed } from '../feed.ts';
import { shifted } from '../orders.ts';
import type { Probe } from '../probe.ts';
import type { Trader } from '../trader.ts';
import { cancel, indexPrice, mustBeQuiet, place, rest, sizeOf, trade } from './steps.ts';

/** A stream with one subscription. */
async function listen(probe: Probe, params: object): Promise<Feed> {
  const feed = await probe.open();
  await feed.subscribe(params);
  return feed;
}

/** A snapshot channel begins with its snapshot. */
async function beginsWithSnapshot(probe: Probe, params: { readonly channel: string }): Promise<Doc> {
  const feed = await listen(probe, params);
  await feed.settled();
  const [first] = feed.of(params.channel);
  same('isSnapshot of the first frame', first?.at('isSnapshot'), true);
  return first as Doc;
}

interface Pair {
  readonly maker: Trader;
  readonly taker: Trader;
}

async function pair(probe: Probe): Promise<Pair> {
  return { maker: await probe.trader(), taker: await probe.trader() };
}

const ofMarket = (probe: Probe, channel: string) => ({ channel, symbol: probe.market.symbol });

/** Channels of markets. */
export const MARKET_CHANNEL_CHECKS: readonly Check[] = [
  check('GW-CHANNEL-1', 'public', async (probe) => {
    const snapshot = await beginsWithSnapshot(probe, { channel: 'prices' });
    const all = answered(await probe.get('/v1/prices')).list('prices').length;
    same('markets', snapshot.list('data.prices').length, all);
  }),
  check('GW-CHANNEL-2', 'public', async (probe) => {
    const snapshot = await beginsWithSnapshot(probe, { ...ofMarket(probe, 'book'), depth: 3 } as never);
    same('symbol', snapshot.at('data.symbol'), probe.market.symbol);
    holds('at most three levels', snapshot.list('data.bids').length <= 3, snapshot.value);
  }),
  check('GW-CHANNEL-3', 'public', async (probe) => {
    const snapshot = await beginsWithSnapshot(probe, ofMarket(probe, 'bbo'));
    same('symbol', snapshot.at('data.symbol'), probe.market.symbol);
  }),
  check('GW-CHANNEL-4', 'control', async (probe) => {
    await mustBeQuiet(probe);
    const feed = await listen(probe, ofMarket(probe, 'book'));
    const order = await probe.farOrder();
    const orders = Array.from({ length: 25 }, (_none, step) => ({
      ...order,
      price: shifted(probe.market, order.price, -step),
    }));
    await place(probe, await probe.trader(), orders);
    const frame = await feed.wait('book', (one) => one.list('data.bids').length > 1);
    same('levels at the default depth', frame.list('data.bids').length, 20);
    same('isSnapshot', frame.at('isSnapshot'), false);
  }),
  check('GW-CHANNEL-5', 'control', async (probe) => {
    await mustBeQuiet(probe);
    const feed = await listen(probe, ofMarket(probe, 'book'));
    const order = await probe.farOrder();
    const orders = Array.from({ length: 10 }, (_none, step) => ({
      ...order,
      price: shifted(probe.market, order.price, -step),
    }));
    await feed.settled();
    feed.clear();
    // One entry of the log, so that all of it happens within one block.
    await place(probe, await probe.trader(), orders);
    await probe.harness.run('advance', { by: 300 });
    await feed.settled();
    same(
      'levels of each frame',
      feed.of('book').map((frame) => frame.list('data.bids').length),
      [10],
    );
  }),
  check('GW-CHANNEL-6', 'control', async (probe) => {
    await mustBeQuiet(probe);
    const feed = await listen(probe, ofMarket(probe, 'bbo'));
    const order = await probe.farOrder();
    await place(probe, await probe.trader(), [order]);
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
  check('GW-CHANNEL-7', 'control', async (probe) => {
    const feed = await listen(probe, { channel: 'prices' });
    const price = shifted(probe.market, await indexPrice(probe), 500);
    await probe.harness.run('price', { symbol: probe.market.symbol, price });
    const frame = await feed.wait('prices', (one) => one.at('isSnapshot') === false);
    const found = frame.list('data.prices').find((one) => one.at('symbol') === probe.market.symbol);
    same('the index price', found?.number('indexPrice'), Number(price));
  }),
  check('GW-CHANNEL-8', 'control', async (probe) => {
    await mustBeQuiet(probe);
    const feed = await listen(probe, ofMarket(probe, 'trades'));
    const { price } = await trade(probe, await pair(probe), await sizeOf(probe));
    const frame = await feed.wait('trades');
    same(
      'the trade',
      [frame.at('data.symbol'), frame.number('data.price'), frame.at('data.side')],
      [probe.market.symbol, +price, 'buy'],
    );
    const [told] = answered(await probe.get(`/v1/markets/${probe.market.symbol}/trades?limit=1`)).list(
      'trades',
    );
    same('the same as REST', frame.at('data'), told?.value);
  }),
  check('GW-CHANNEL-9', 'control', async (probe) => {
    const feed = await listen(probe, { ...ofMarket(probe, 'candles'), interval: '1d' });
    const size = await sizeOf(probe);
    const both = await pair(probe);
    await trade(probe, both, size);
    const first = await feed.wait('candles');
    await trade(probe, both, size);
    const second = await feed.wait(
      'candles',
      (one) => one.number('data.trades') > first.number('data.trades'),
    );
    same('one bar', second.at('data.startTime'), first.at('data.startTime'));
    const bar = answered(await probe.get(`/v1/markets/${probe.market.symbol}/candles?interval=1d&limit=1`));
    same('the same as REST', second.at('data'), bar.at('candles.0'));
  }),
  check('GW-CHANNEL-10', 'control', async (probe) => {
    const feed = await listen(probe, ofMarket(probe, 'funding'));
    await probe.harness.run('settle-funding');
    const frame = await feed.wait('funding');
    same('symbol', frame.at('data.symbol'), probe.market.symbol);
    holds('a rate', Number.isInteger(frame.at('data.ratePpm')), frame.value);
  }),
  check('GW-CHANNEL-11', 'control', async (probe) => {
    const feed = await listen(probe, ofMarket(probe, 'trades'));
    const other = await probe.farOrder({}, probe.otherMarket);
    const { maker, taker } = await pair(probe);
    const near = { price: other.price, size: other.size, symbol: other.symbol, timeInForce: 'gtc' } as const;
    await place(probe, maker, [{ ...near, side: 'sell' }]);
    await place(probe, taker, [{ ...near, side: 'buy' }]);
    await feed.settled();
    same('trades of this market', feed.of('trades').length, 0);
  }),
];

/** Channels of accounts. */
export const ACCOUNT_CHANNEL_CHECKS: readonly Check[] = [
  check('GW-CHANNEL-12', 'account', async (probe) => {
    const trader = await probe.trader();
    await rest(probe, trader);
    const snapshot = await beginsWithSnapshot(probe, { channel: 'orders', ...trader.selection });
    same('open orders', snapshot.list('data.orders').length, 1);
    same(
      'the account',
      [snapshot.at('address'), snapshot.at('subaccount')],
      [trader.address, trader.keys.subaccount],
    );
  }),
  check('GW-CHANNEL-13', 'account', async (probe) => {
    const trader = await probe.trader();
    const feed = await listen(probe, { channel: 'orders', ...trader.selection });
    const item = await rest(probe, trader);
    const opened = await feed.wait('orders', (one) => one.at('isSnapshot') === false);
    same('the event', [opened.at('data.orderId'), opened.at('data.status')], [item.at('orderId'), 'open']);
    await cancel(trader, probe.market.symbol, [item.text('orderId')]);
    const ended = await feed.wait('orders', (one) => one.at('data.status') === 'canceled');
    same('the event', ended.at('data.orderId'), item.at('orderId'));
  }),
  check('GW-CHANNEL-14', 'control', async (probe) => {
    const both = await pair(probe);
    const makers = await listen(probe, { channel: 'orders', ...both.maker.selection });
    const takers = await listen(probe, { channel: 'orders', ...both.taker.selection });
    const { makerId, takerId } = await trade(probe, both, await sizeOf(probe));
    const filled = (one: Doc) => one.at('data.status') === 'filled';
    same('the maker', (await makers.wait('orders', filled)).at('data.orderId'), makerId);
    same('the taker', (await takers.wait('orders', filled)).at('data.orderId'), takerId);
  }),
  check('GW-CHANNEL-15', 'control', async (probe) => {
    const trader = await probe.trader();
    const feed = await listen(probe, { channel: 'orders', ...trader.selection });
    const expiresAt = (await probe.serverMs()) + 30_000;
    const item = await rest(probe, trader, {}, { expiresAt });
    await probe.harness.run('advance', { by: 31_000 });
    const ended = await feed.wait('orders', (one) => one.at('data.status') === 'expired');
    same('the event', ended.at('data.orderId'), item.at('orderId'));
  }),
  check('GW-CHANNEL-16', 'control', async (probe) => {
    const both = await pair(probe);
    const feed = await listen(probe, { channel: 'fills', ...both.taker.selection });
    await trade(probe, both, await sizeOf(probe));
    const frame = await feed.wait('fills');
    const [fill] = answered(await both.taker.read('/v1/account/fills')).list('data');
    same('the same as the history', frame.at('data'), fill?.value);
  }),
  check('GW-CHANNEL-17', 'control', async (probe) => {
    const both = await pair(probe);
    const feed = await listen(probe, { channel: 'ledger', ...both.taker.selection });
    await trade(probe, both, await sizeOf(probe));
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
  check('GW-CHANNEL-18', 'control', async (probe) => {
    const both = await pair(probe);
    const feed = await listen(probe, { channel: 'positions', ...both.taker.selection });
    await feed.settled();
    same('the snapshot', feed.of('positions')[0]?.at('data.positions'), []);
    const size = await sizeOf(probe);
    await trade(probe, both, size);
    const frame = await feed.wait('positions', (one) => one.list('data.positions').length === 1);
    same('the size', frame.number('data.positions.0.size'), Number(size));
    await trade(probe, { maker: both.taker, taker: both.maker }, size);
    const flat = await feed.wait('positions', (one) => one.number('data.positions.0.size') === 0);
    same('the symbol', flat.at('data.positions.0.symbol'), probe.market.symbol);
  }),
  check('GW-CHANNEL-19', 'control', async (probe) => {
    const trader = await probe.trader();
    const feed = await listen(probe, { channel: 'account', ...trader.selection });
    await feed.settled();
    same('isSnapshot', feed.of('account')[0]?.at('isSnapshot'), true);
    await probe.harness.run('fund', { account: trader.address, amount: '250' });
    const frame = await feed.wait('account', (one) => one.at('isSnapshot') === false);
    same('the collateral', frame.number('data.collateral'), 1_000_250);
  }),
  check('GW-CHANNEL-20', 'control', async (probe) => {
    const both = await pair(probe);
    const feed = await probe.open();
    for (const channel of ['orders', 'fills', 'positions', 'account', 'ledger'])
      await feed.subscribe({ channel, ...both.taker.selection });
    await trade(probe, both, await sizeOf(probe));
    await feed.wait('positions', (one) => one.list('data.positions').length === 1);
    const epochs = feed.frames.filter((one) => one.at('address') !== undefined).map((one) => one.at('epoch'));
    const told = feed.of('subscribed')[0]?.at('epoch');
    holds('frames of five channels', epochs.length >= 5, epochs.length);
    for (const epoch of epochs) same('epoch', epoch, told);
  }),
  check('GW-CHANNEL-21', 'control', async (probe) => {
    const both = await pair(probe);
    const feed = await listen(probe, { channel: 'fills', ...both.maker.selection });
    await trade(probe, { maker: await probe.trader(), taker: both.taker }, await sizeOf(probe));
    await feed.settled();
    same('fills of somebody else', feed.of('fills').length, 0);
  }),
  check('GW-CHANNEL-22', 'control', async (probe) => {
    const feed = await listen(probe, { channel: 'events' });
    const trader = await probe.trader();
    const item = await rest(probe, trader);
    const frame = await feed.wait('events', (one) => one.at('data.data.orderId') === item.at('orderId'));
    same('the kind', frame.at('data.kind'), 'OrderAccepted');
  }),
  check('GW-CHANNEL-23', 'control', async (probe) => {
    const [trader, other] = [await probe.trader(), await probe.trader()];
    const feed = await listen(probe, { channel: 'events', address: trader.address });
    await rest(probe, other);
    const item = await rest(probe, trader);
    const told = await feed.wait('events', (one) => one.at('data.kind') === 'OrderAccepted');
    same('his own order first', told.at('data.data.orderId'), item.at('orderId'));
    await feed.settled();
    same('acceptances', feed.of('events').filter((one) => one.at('data.kind') === 'OrderAccepted').length, 1);
  }),
  check('GW-CHANNEL-24', 'control', async (probe) => {
    const feed = await listen(probe, { channel: 'events', symbol: probe.otherMarket.symbol });
    await rest(probe, await probe.trader());
    await probe.harness.run('advance', { by: 300 });
    await feed.settled();
    const foreign = feed.of('events').filter((one) => one.at('data.data.symbol') === probe.market.symbol);
    same('events of another market', foreign.length, 0);
  }),
  check('GW-CHANNEL-25', 'account', async (probe) => {
    const trader = await probe.trader();
    const feed = await listen(probe, { channel: 'orders', ...trader.selection });
    const { answer } = await place(probe, trader);
    const id = answered(answer).at('items.0.orderId');
    holds(
      'the event before the answer',
      feed.of('orders').some((one) => one.at('data.orderId') === id),
      id,
    );
  }),
];
