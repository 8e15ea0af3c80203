/** @module Checks of the WebSocket's frames: acknowledgements, errors, ping, limits, idle close. */
import { formatJson } from '../../core/index.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, matches, same } from '../expect.ts';
import type { Probe } from '../probe.ts';

/** A subscription that must be refused with a code; the connection stays. */
async function refusesParams(probe: Probe, params: object, code: string): Promise<void> {
  const feed = await probe.open();
  const frame = await feed.ask('subscribe', params);
  same(formatJson(params), [frame.at('channel'), frame.at('data.code')], ['error', code]);
  matches('data.message', frame.at('data.message'), /./);
  await feed.settled();
}

async function refusesText(probe: Probe, texts: readonly string[]): Promise<void> {
  const feed = await probe.open();
  for (const [index, text] of texts.entries()) {
    feed.send(text);
    await feed.settled();
    const errors = feed.of('error');
    same(`errors after ${text.slice(0, 60)}`, errors.length, index + 1);
    same('data.code', errors.at(-1)?.at('data.code'), 'InvalidRequest');
  }
}

/** Frames of a connection. */
export const FRAME_CHECKS: readonly Check[] = [
  check('GW-WS-1', 'public', async (probe) => {
    const feed = await probe.open();
    const params = { channel: 'book', symbol: probe.market.symbol, depth: 5 };
    const frame = await feed.subscribe(params);
    same('data', frame.value === undefined ? undefined : sorted(frame.at('data')), sorted(params));
    matches('epoch', frame.at('epoch'), /./);
  }),
  check('GW-WS-2', 'public', async (probe) => {
    const feed = await probe.open();
    feed.send({ method: 'subscribe', params: { channel: 'prices' }, id: 77 });
    const frame = await feed.wait('subscribed');
    same('id', frame.at('id'), 77);
    const [first] = feed.frames;
    same('the first frame', first?.at('channel'), 'subscribed');
  }),
  check('GW-WS-3', 'public', async (probe) => {
    const feed = await probe.open();
    const params = { channel: 'bbo', symbol: probe.market.symbol };
    await feed.subscribe(params);
    const frame = await feed.ask('unsubscribe', params);
    same('the answer', [frame.at('channel'), sorted(frame.at('data'))], ['unsubscribed', sorted(params)]);
  }),
  check('GW-WS-4', 'control', async (probe) => {
    const feed = await probe.open();
    const params = { channel: 'events' };
    await feed.subscribe(params);
    await feed.wait('events');
    await feed.ask('unsubscribe', params);
    feed.clear();
    await probe.harness.run('advance', { by: 500 });
    await feed.settled();
    same('events after it', feed.of('events').length, 0);
  }),
  check('GW-WS-5', 'public', async (probe) => {
    const feed = await probe.open();
    const before = await probe.serverMs();
    feed.send({ method: 'ping' });
    const ts = (await feed.wait('pong')).number('data.ts');
    holds('the server’s time', Math.abs(ts - before) < 5_000, { ts, before });
  }),
  check('GW-WS-6', 'public', (probe) => refusesText(probe, ['{', 'null', '[]', '7', '"x"', ''])),
  check('GW-WS-7', 'public', (probe) =>
    refusesText(probe, ['{"method":"order"}', '{}', '{"method":"subscribe","params":null}', '{"method":7}']),
  ),
  check('GW-WS-8', 'public', (probe) => refusesParams(probe, { channel: 'everything' }, 'UnknownChannel')),
  check('GW-WS-9', 'public', async (probe) => {
    for (const channel of ['book', 'bbo', 'trades', 'funding'])
      await refusesParams(probe, { channel, symbol: 'NO-SUCH-MARKET' }, 'UnknownMarket');
    await refusesParams(probe, { channel: 'book' }, 'UnknownMarket');
  }),
  check('GW-WS-10', 'public', async (probe) => {
    for (const depth of [0, 101, -1, 1.5, '5', null])
      await refusesParams(probe, { channel: 'book', symbol: probe.market.symbol, depth }, 'InvalidRequest');
  }),
  check('GW-WS-11', 'public', async (probe) => {
    const feed = await probe.open();
    for (const depth of [1, 100])
      await feed.subscribe({ channel: 'book', symbol: probe.market.symbol, depth });
  }),
  check('GW-WS-12', 'public', async (probe) => {
    for (const interval of ['7m', '', 5, undefined])
      await refusesParams(
        probe,
        { channel: 'candles', symbol: probe.market.symbol, interval },
        'InvalidRequest',
      );
  }),
  check('GW-WS-13', 'public', async (probe) => {
    for (const channel of ['orders', 'fills', 'positions', 'account', 'ledger'])
      await refusesParams(probe, { channel }, 'InvalidRequest');
    await refusesParams(probe, { channel: 'orders', address: '0x12' }, 'InvalidRequest');
  }),
  check('GW-WS-14', 'public', async (probe) => {
    const address = '0x00000000000000000000000000000000deadbeef';
    await refusesParams(probe, { channel: 'orders', address }, 'NotFound');
    await refusesParams(probe, { channel: 'orders', vault: '4000000000' }, 'NotFound');
  }),
  check('GW-WS-15', 'account', async (probe) => {
    const { address } = await probe.trader();
    await refusesParams(probe, { channel: 'orders', address, vault: '1' }, 'InvalidRequest');
    await refusesParams(probe, { channel: 'orders', vault: '1', subaccount: 0 }, 'InvalidRequest');
  }),
  check('GW-WS-16', 'public', async (probe) => {
    const feed = await probe.open();
    const frame = await feed.ask('unsubscribe', { channel: 'prices' });
    same('the answer', [frame.at('channel'), frame.at('data.code')], ['error', 'NotSubscribed']);
  }),
  check('GW-WS-17', 'public', async (probe) => {
    await refusesParams(probe, { channel: 'prices', symbol: probe.market.symbol }, 'InvalidRequest');
  }),
  check('GW-WS-18', 'public', async (probe) => {
    const feed = await probe.open();
    const symbols = [probe.market.symbol, probe.otherMarket.symbol];
    for (let count = 0; count < 200; count++) {
      const params = { channel: 'book', symbol: symbols[count % 2], depth: 1 + (count >> 1) };
      feed.send({ method: 'subscribe', params, id: 1_000 + count });
    }
    await feed.settled();
    same('acknowledged', feed.of('subscribed').length, 200);
    const frame = await feed.ask('subscribe', { channel: 'prices' });
    same(
      'the next one',
      [frame.at('channel'), frame.at('data.code')],
      ['error', 'SubscriptionLimitExceeded'],
    );
  }),
  check('GW-WS-19', 'public', async (probe) => {
    const feed = await probe.open();
    await feed.subscribe({ channel: 'prices' });
    const again = await feed.subscribe({ channel: 'prices' });
    same('the second one', again.at('channel'), 'subscribed');
  }),
  check('GW-WS-20', 'control', async (probe) => {
    const feed = await probe.open();
    await feed.subscribe({ channel: 'prices' });
    await probe.harness.run('advance', { by: 61_000 });
    matches('the end', await feed.closed(), /./);
  }),
  check('GW-WS-21', 'control', async (probe) => {
    const feed = await probe.open();
    for (let round = 0; round < 4; round++) {
      await probe.harness.run('advance', { by: 20_000 });
      await feed.settled();
    }
    same('an end', feed.closedBy, undefined);
  }),
  check('GW-WS-22', 'public', async (probe) => {
    const answer = await probe.get('/v1/ws');
    answered(answer, 400);
    matches('error.code', answer.at('error.code'), /./);
  }),
  check('GW-WS-23', 'public', async (probe) => {
    const feed = await probe.open();
    feed.send({ method: 'subscribe', params: { channel: 'everything' } });
    const frame = await feed.wait('error');
    same('id', frame.at('id'), undefined);
  }),
  check('GW-WS-25', 'control', async (probe) => {
    const feed = await probe.open();
    const params = { channel: 'bbo', symbol: probe.market.symbol };
    for (const [id, frame, channel] of [
      ['first', { method: 'subscribe', params }, 'subscribed'],
      ['', { method: 'unsubscribe', params }, 'unsubscribed'],
      ['7', { method: 'unsubscribe', params }, 'error'],
      ['last', { method: 'ping' }, 'pong'],
    ] as const) {
      feed.send({ ...frame, id });
      same('the id', (await feed.wait(channel)).at('id'), id);
    }
  }),
  check('GW-WS-24', 'control', async (probe) => {
    const [trader, feed] = [await probe.trader(), await probe.open()];
    feed.send({ method: 'order', params: await probe.farOrder(), id: 5 });
    same('the answer', (await feed.wait('error')).at('data.code'), 'InvalidRequest');
    same('open orders', answered(await trader.read('/v1/account/orders')).list('orders').length, 0);
  }),
];

/** An object with its fields in order: an echo may write them in another one. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
