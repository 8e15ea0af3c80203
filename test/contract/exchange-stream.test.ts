import { describe, expect, test } from 'vitest';
import { ticks } from '../../src/domain/index.ts';
import { startTestExchange } from '../support/test-exchange.ts';

describe('frames of the client', () => {
  test('subscribe and unsubscribe are acknowledged with params, id and epoch (GW-WS-ACK)', async () => {
    const venue = await startTestExchange();
    const stream = venue.stream();
    const params = { channel: 'book', symbol: 'BTC-USD', depth: 3 };
    stream.subscribe(params, 41);
    expect(stream.frames[0]).toEqual({
      channel: 'subscribed',
      data: params,
      epoch: venue.exchange.epoch,
      id: 41,
    });
    stream.send({ method: 'unsubscribe', params, id: 42 });
    expect(stream.frames.at(-1)).toEqual({ channel: 'unsubscribed', data: params, id: 42 });
    const count = stream.frames.length;
    venue.place([{}]);
    venue.blocks(2);
    expect(stream.frames).toHaveLength(count);
  });

  test('ping is answered with the time of the server', async () => {
    const venue = await startTestExchange();
    const stream = venue.stream();
    stream.send({ method: 'ping' });
    expect(stream.frames).toEqual([{ channel: 'pong', data: { ts: venue.nowMs } }]);
  });

  test('a bad frame gets an error frame and the connection stays (GW-WS-ERROR, O87)', async () => {
    const venue = await startTestExchange();
    const stream = venue.stream();
    const bad: (object | string)[] = [
      'no json',
      '[]',
      { method: 'order', id: 2 },
      { method: 'subscribe', id: 3 },
      { method: 'subscribe', params: { channel: 'gossip' }, id: 4 },
      { method: 'subscribe', params: { channel: 'book', symbol: 'X' }, id: 5 },
      { method: 'subscribe', params: { channel: 'candles', symbol: 'BTC-USD', interval: '2m' }, id: 6 },
      { method: 'subscribe', params: { channel: 'orders', address: '0x1' }, id: 7 },
      { method: 'subscribe', params: { channel: 'orders', vault: '1', address: venue.address }, id: 8 },
      { method: 'unsubscribe', params: { channel: 'prices' }, id: 9 },
      `{"method":"ping","pad":"${'x'.repeat(70_000)}"}`,
    ];
    for (const frame of bad) stream.send(frame);
    expect(stream.frames.map((frame) => [frame.channel, frame.data.code, frame.id])).toEqual([
      ['error', 'InvalidRequest', undefined],
      ['error', 'InvalidRequest', undefined],
      ['error', 'InvalidRequest', 2],
      ['error', 'InvalidRequest', 3],
      ['error', 'UnknownChannel', 4],
      ['error', 'UnknownMarket', 5],
      ['error', 'InvalidRequest', 6],
      ['error', 'InvalidRequest', 7],
      ['error', 'InvalidRequest', 8],
      ['error', 'NotSubscribed', 9],
      ['error', 'InvalidRequest', undefined],
    ]);
    expect(stream.closedWith()).toBeUndefined();
  });

  test('depth runs from 1 to 100 and is 20 unless said otherwise (GW-WS-DEPTH)', async () => {
    const venue = await startTestExchange();
    for (let from = 0; from < 120; from += 40)
      venue.place(
        Array.from({ length: 40 }, (_none, i) => ({ price: `${90_000 - from - i}.0`, size: '0.0010' })),
      );
    const stream = venue.stream();
    for (const depth of [undefined, 1, 100, 0, 101, 2.5, '5'])
      stream.subscribe({ channel: 'book', symbol: 'BTC-USD', ...(depth === undefined ? {} : { depth }) });
    expect(stream.of('book').map((frame) => frame.data.bids.length)).toEqual([20, 1, 100]);
    expect(stream.of('error')).toHaveLength(4);
  });

  test('more than 200 subscriptions are refused (GW-WS-LIMIT)', async () => {
    const venue = await startTestExchange();
    const stream = venue.stream();
    for (let depth = 1; depth <= 100; depth++)
      for (const symbol of ['BTC-USD', 'ETH-USD']) stream.subscribe({ channel: 'book', symbol, depth });
    expect(stream.of('subscribed')).toHaveLength(200);
    stream.subscribe({ channel: 'prices' }, 7);
    expect(stream.frames.at(-1)).toMatchObject({
      channel: 'error',
      data: { code: 'SubscriptionLimitExceeded' },
      id: 7,
    });
    stream.subscribe({ channel: 'book', symbol: 'BTC-USD', depth: 1 });
    expect(stream.of('subscribed')).toHaveLength(201);
  });

  test('a connection without a client frame for 60 s is closed; server frames do not count (GW-WS-IDLE)', async () => {
    const venue = await startTestExchange();
    const talking = venue.stream();
    const silent = venue.stream();
    silent.subscribe({ channel: 'events' });
    venue.clock.advance(30_000);
    talking.send({ method: 'ping' });
    venue.clock.advance(29_900);
    expect(silent.closedWith()).toBeUndefined();
    venue.clock.advance(200);
    expect([silent.closedWith(), talking.closedWith()]).toEqual([1001, undefined]);
  });
});

describe('channels', () => {
  test('six channels begin with a snapshot, the others with the next event (GW-WS-SNAPSHOT)', async () => {
    const venue = await startTestExchange();
    const { address } = venue;
    const stream = venue.stream();
    for (const params of [
      { channel: 'prices' },
      { channel: 'book', symbol: 'BTC-USD' },
      { channel: 'bbo', symbol: 'BTC-USD' },
      { channel: 'account', address },
      { channel: 'positions', address },
      { channel: 'orders', address },
      { channel: 'trades', symbol: 'BTC-USD' },
      { channel: 'candles', symbol: 'BTC-USD', interval: '1m' },
      { channel: 'funding', symbol: 'BTC-USD' },
      { channel: 'fills', address },
      { channel: 'ledger', address },
      { channel: 'events' },
    ])
      stream.subscribe(params);
    const first = stream.frames.filter((frame) => frame.channel !== 'subscribed');
    expect(first.map((frame) => [frame.channel, frame.isSnapshot])).toEqual([
      ['prices', true],
      ['book', true],
      ['bbo', true],
      ['account', true],
      ['positions', true],
      ['orders', true],
    ]);
  });

  test('states are sent once per block however much happens in it, and not when nothing changed (GW-WS-SNAPSHOT, O92)', async () => {
    const venue = await startTestExchange();
    const stream = venue.stream();
    stream.subscribe({ channel: 'book', symbol: 'BTC-USD' });
    stream.subscribe({ channel: 'prices' });
    for (let i = 0; i < 10; i++) venue.place([{ price: `${90_000 + i}.0` }]);
    expect(stream.of('book')).toHaveLength(1);
    venue.blocks(1);
    expect(stream.of('book')).toHaveLength(2);
    expect(stream.of('book')[1]).toMatchObject({ isSnapshot: false });
    expect(stream.of('book')[1].data.bids).toHaveLength(10);
    venue.place([{ price: '85000.0', timeInForce: 'ioc' }]);
    venue.blocks(5);
    expect(stream.of('book')).toHaveLength(2);
    const prices = stream.of('prices');
    expect(prices).toHaveLength(2);
    expect(prices[1].data.prices.map((price: { symbol: string }) => price.symbol)).toEqual(['BTC-USD']);
  });

  test('a shared frame is the same text for every subscriber', async () => {
    const venue = await startTestExchange();
    const streams = [venue.stream(), venue.stream()];
    for (const stream of streams) stream.subscribe({ channel: 'book', symbol: 'BTC-USD' });
    venue.place([{}]);
    venue.blocks(1);
    expect(streams[0]?.texts.at(-1)).toBe(streams[1]?.texts.at(-1));
  });

  test('order events follow the snapshot one by one, with their label (GW-WS-ORDERS, O93)', async () => {
    const maker = await startTestExchange();
    const taker = maker.another();
    maker.place([{ price: '89000.0' }]);
    const stream = maker.stream();
    stream.subscribe({ channel: 'orders', address: maker.address });
    expect(stream.of('orders')[0].data.orders).toHaveLength(1);
    const [item] = maker.place([{ size: '0.0300', clientOrderId: 'mine' }]).json.items;
    const sell = { side: 'sell', price: '90000.0', timeInForce: 'ioc' };
    taker.place([{ ...sell, size: '0.0100' }]);
    taker.place([{ ...sell, size: '0.0200' }]);
    maker.write('/v1/orders/cancel-all', {});
    const events = stream.of('orders').slice(1);
    expect(events.map((frame) => [frame.isSnapshot, frame.data.status, frame.data.remaining])).toEqual([
      [false, 'open', '0.0300'],
      [false, 'open', '0.0200'],
      [false, 'filled', '0.0000'],
      [false, 'canceled', '0.0100'],
    ]);
    expect(events[0].data).toMatchObject({ orderId: item.orderId, clientOrderId: 'mine' });
    expect(events[0]).toMatchObject({ address: maker.address, subaccount: 0, epoch: maker.exchange.epoch });
  });

  test('an order that does not rest is told once, in its final state', async () => {
    const maker = await startTestExchange();
    const taker = maker.another();
    maker.place([{}]);
    const stream = taker.stream();
    stream.subscribe({ channel: 'orders', address: taker.address });
    taker.place([{ side: 'sell', price: '90000.0', size: '0.0150', timeInForce: 'ioc' }]);
    taker.place([{ side: 'sell', price: '99000.0', timeInForce: 'ioc' }]);
    const states = stream.of('orders').slice(1);
    expect(states.map((frame) => [frame.data.status, frame.data.remaining])).toEqual([
      ['canceled', '0.0050'],
      ['canceled', '0.0100'],
    ]);
  });

  test('fills, ledger, trades and candles tell one execution before the write is answered (O120)', async () => {
    const maker = await startTestExchange();
    const taker = maker.another();
    const stream = maker.stream();
    maker.place([{}]);
    for (const params of [
      { channel: 'fills', address: maker.address },
      { channel: 'ledger', address: maker.address },
      { channel: 'trades', symbol: 'BTC-USD' },
      { channel: 'candles', symbol: 'BTC-USD', interval: '5m' },
    ])
      stream.subscribe(params);
    const framesBefore = stream.frames.length;
    taker.place([{ side: 'sell', price: '90000.0', size: '0.0040', timeInForce: 'ioc' }]);
    const told = stream.frames.slice(framesBefore);
    expect(told.map((frame) => frame.channel)).toEqual(['trades', 'candles', 'fills', 'ledger']);
    const [trade, candle, fill, entry] = told;
    expect(fill.data.id).toBe(trade.data.id);
    expect(candle.data).toMatchObject({ interval: '5m', volume: '0.0040', trades: 1 });
    expect(entry.data).toMatchObject({ kind: 'trade', amount: '-360.000000', symbol: 'BTC-USD' });
    const page = maker.get(`/v1/account/fills?address=${maker.address}`).json;
    expect(page.data).toEqual([fill.data]);
    const ledger = maker.get(`/v1/account/ledger?address=${maker.address}`).json.data;
    expect(ledger.at(-1)).toEqual(entry.data);
  });

  test('positions tell what changed and a closed one with size zero; the account follows the mark', async () => {
    const maker = await startTestExchange();
    const taker = maker.another();
    const stream = maker.stream();
    stream.subscribe({ channel: 'positions', address: maker.address });
    stream.subscribe({ channel: 'account', address: maker.address });
    maker.place([{}]);
    taker.place([{ side: 'sell', price: '90000.0', timeInForce: 'ioc' }]);
    maker.blocks(1);
    expect(stream.of('positions').at(-1)).toMatchObject({
      isSnapshot: false,
      data: { positions: [{ symbol: 'BTC-USD', size: '0.0100' }] },
    });
    const equity = stream.of('account').at(-1).data.equity;
    maker.exchange.control.price({ symbol: 'BTC-USD', price: ticks(1_001_000) });
    maker.blocks(1);
    expect(stream.of('account').at(-1).data.equity).not.toBe(equity);
    taker.place([{ price: '100500.0' }]);
    maker.place([{ side: 'sell', price: '100500.0', timeInForce: 'ioc' }]);
    maker.blocks(1);
    expect(stream.of('positions').at(-1).data.positions).toMatchObject([
      { size: '0.0000', entryPrice: null },
    ]);
  });

  test('funding settlements are told, and raw events by market and by wallet', async () => {
    const venue = await startTestExchange();
    const other = venue.another();
    const [all, mine, eth] = [venue.stream(), venue.stream(), venue.stream()];
    all.subscribe({ channel: 'events' });
    all.subscribe({ channel: 'funding', symbol: 'BTC-USD' });
    mine.subscribe({ channel: 'events', address: venue.address });
    eth.subscribe({ channel: 'events', symbol: 'ETH-USD' });
    venue.place([{}]);
    other.place([{ symbol: 'ETH-USD', price: '3500.00', size: '0.100' }]);
    const kinds = (stream: typeof all) => stream.of('events').map((frame) => frame.data.kind);
    expect(kinds(all)).toEqual(['OrderAccepted', 'OrderAccepted']);
    expect(kinds(mine)).toEqual(['OrderAccepted']);
    expect(eth.of('events')[0].data.data).toMatchObject({ symbol: 'ETH-USD', resting: true });
    for (let i = 0; i < 62; i++) {
      venue.clock.advance(59_000);
      for (const stream of [all, mine, eth]) stream.send({ method: 'ping' });
    }
    expect(all.of('funding').map((frame) => frame.data.symbol)).toEqual(['BTC-USD']);
    expect(kinds(eth)).toContain('FundingSettled');
    expect(kinds(mine)).not.toContain('FundingSettled');
  });
});

describe('subscribers that fall behind (GW-WS-LAGGED)', () => {
  test('frames of a slow peer are dropped once its queue is full, then it is told and gets snapshots', async () => {
    const venue = await startTestExchange({ queuedFramesMax: 5 });
    const stream = venue.stream();
    stream.subscribe({ channel: 'orders', address: venue.address });
    const before = stream.frames.length;
    stream.setReady(false);
    for (let i = 0; i < 9; i++) venue.place([{ price: `${90_000 + i}.0` }]);
    expect(stream.frames).toHaveLength(before);
    stream.setReady(true);
    venue.blocks(1);
    const [lagged, snapshot] = stream.frames.slice(before);
    expect(lagged).toEqual({
      channel: 'lagged',
      data: { dropped: 9, epoch: venue.exchange.epoch, upper: `${venue.exchange.seq}-65535-4294967295` },
    });
    expect(snapshot).toMatchObject({ channel: 'orders', isSnapshot: true });
    expect(snapshot.data.orders).toHaveLength(9);
  });

  test('a slow peer whose queue holds loses nothing and keeps the order', async () => {
    const venue = await startTestExchange();
    const stream = venue.stream();
    stream.subscribe({ channel: 'orders', address: venue.address });
    stream.setReady(false);
    for (let i = 0; i < 9; i++) venue.place([{ price: `${90_000 + i}.0` }]);
    stream.setReady(true);
    venue.blocks(1);
    expect(stream.of('lagged')).toEqual([]);
    expect(
      stream
        .of('orders')
        .slice(1)
        .map((frame) => frame.data.price),
    ).toEqual(Array.from({ length: 9 }, (_none, i) => `${90_000 + i}.0`));
  });

  test('after lagged no fill at or below the bound comes over the stream any more, and pages close the gap', async () => {
    const maker = await startTestExchange();
    const taker = maker.another();
    const stream = maker.stream();
    stream.subscribe({ channel: 'fills', address: maker.address });
    maker.place([{ size: '1.0000' }]);
    const sell = (price: number) =>
      taker.place([{ side: 'sell', price: `${price}.0`, size: '0.0010', timeInForce: 'ioc' }]);
    sell(90_000);
    maker.exchange.control.dropFrames();
    sell(89_999);
    sell(89_998);
    maker.exchange.control.lagStreams();
    sell(89_997);
    const [lagged] = stream.of('lagged');
    expect(lagged.data.dropped).toBe(2);
    const live = stream.of('fills');
    expect(live).toHaveLength(2);
    const { epoch, upper } = lagged.data;
    const page = maker.get(
      `/v1/account/fills?address=${maker.address}&after=${live[0].data.id}&epoch=${epoch}&upper=${upper}`,
    ).json;
    const joined = [live[0].data, ...page.data, live[1].data].map((fill) => fill.id);
    const whole = maker.get(`/v1/account/fills?address=${maker.address}`).json.data;
    expect(joined).toEqual(whole.map((fill: { id: string }) => fill.id));
  });

  test('a new epoch cuts the streams, or is told by their frames', async () => {
    const venue = await startTestExchange();
    const cut = venue.stream();
    venue.exchange.control.epoch({ epoch: 'k2' });
    expect(cut.closedWith()).toBe(1012);
    const kept = venue.stream();
    kept.subscribe({ channel: 'orders', address: venue.address });
    venue.exchange.control.epoch({ epoch: 'k3', keepStreams: true });
    venue.place([{}]);
    expect(kept.of('orders').map((frame) => frame.epoch)).toEqual(['k2', 'k3']);
  });
});
