/** @module Checks of the WebSocket's frames: acknowledgements, errors, ping, limits, idle close. */
import { formatJson } from '../../core/index.ts';
import { type Check, check } from '../check.ts';
import { answered, holds, matches, same } from '../expect.ts';
import type { Gate } from '../gate.ts';

/** A subscription that must be refused with a code; the connection stays. */
async function refusesParams(gate: Gate, params: object, code: string): Promise<void> {
  const feed = await gate.open();
  const frame = await feed.ask('subscribe', params);
  same(formatJson(params), [frame.at('channel'), frame.at('data.code')], ['error', code]);
  matches('data.message', frame.at('data.message'), /./);
  await feed.settled();
}

async function refusesText(gate: Gate, texts: readonly string[]): Promise<void> {
  const feed = await gate.open();
  for (const [index, text] of texts.entries()) {
    feed.send(text);
    await feed.settled();
    const errors = feed.of('error');
    same(`errors after ${text.slice(0, 60)}`, errors.length, index + 1);
    same('data.code', errors.at(-1)?.at('data.code'), 'InvalidRequest');
  }
}

/** Frames of a connection. */
export const FRAMES: readonly Check[] = [
  check('GW-WS-1', 'public', async (gate) => {
    const feed = await gate.open();
    const params = { channel: 'book', symbol: gate.market.symbol, depth: 5 };
    const frame = await feed.subscribe(params);
    same('data', frame.value === undefined ? undefined : sorted(frame.at('data')), sorted(params));
    matches('epoch', frame.at('epoch'), /./);
  }),
  check('GW-WS-2', 'public', async (gate) => {
    const feed = await gate.open();
    feed.send({ method: 'subscribe', params: { channel: 'prices' }, id: 77 });
    const frame = await feed.wait('subscribed');
    same('id', frame.at('id'), 77);
    const [first] = feed.frames;
    same('the first frame', first?.at('channel'), 'subscribed');
  }),
  check('GW-WS-3', 'public', async (gate) => {
    const feed = await gate.open();
    const params = { channel: 'bbo', symbol: gate.market.symbol };
    await feed.subscribe(params);
    const frame = await feed.ask('unsubscribe', params);
    same('the answer', [frame.at('channel'), sorted(frame.at('data'))], ['unsubscribed', sorted(params)]);
  }),
  check('GW-WS-4', 'control', async (gate) => {
    const feed = await gate.open();
    const params = { channel: 'events' };
    await feed.subscribe(params);
    await feed.wait('events');
    await feed.ask('unsubscribe', params);
    feed.clear();
    await gate.stage.advance(500);
    await feed.settled();
    same('events after it', feed.of('events').length, 0);
  }),
  check('GW-WS-5', 'public', async (gate) => {
    const feed = await gate.open();
    const before = await gate.serverMs();
    feed.send({ method: 'ping' });
    const ts = (await feed.wait('pong')).number('data.ts');
    holds('the server’s time', Math.abs(ts - before) < 5_000, { ts, before });
  }),
  check('GW-WS-6', 'public', (gate) => refusesText(gate, ['{', 'null', '[]', '7', '"x"', ''])),
  check('GW-WS-7', 'public', (gate) =>
    refusesText(gate, ['{"method":"order"}', '{}', '{"method":"subscribe","params":null}', '{"method":7}']),
  ),
  check('GW-WS-8', 'public', (gate) => refusesParams(gate, { channel: 'everything' }, 'UnknownChannel')),
  check('GW-WS-9', 'public', async (gate) => {
    for (const channel of ['book', 'bbo', 'trades', 'funding'])
      await refusesParams(gate, { channel, symbol: 'NO-SUCH-MARKET' }, 'UnknownMarket');
    await refusesParams(gate, { channel: 'book' }, 'UnknownMarket');
  }),
  check('GW-WS-10', 'public', async (gate) => {
    for (const depth of [0, 101, -1, 1.5, '5', null])
      await refusesParams(gate, { channel: 'book', symbol: gate.market.symbol, depth }, 'InvalidRequest');
  }),
  check('GW-WS-11', 'public', async (gate) => {
    const feed = await gate.open();
    for (const depth of [1, 100])
      await feed.subscribe({ channel: 'book', symbol: gate.market.symbol, depth });
  }),
  check('GW-WS-12', 'public', async (gate) => {
    for (const interval of ['7m', '', 5, undefined])
      await refusesParams(
        gate,
        { channel: 'candles', symbol: gate.market.symbol, interval },
        'InvalidRequest',
      );
  }),
  check('GW-WS-13', 'public', async (gate) => {
    for (const channel of ['orders', 'fills', 'positions', 'account', 'ledger'])
      await refusesParams(gate, { channel }, 'InvalidRequest');
    await refusesParams(gate, { channel: 'orders', address: '0x12' }, 'InvalidRequest');
  }),
  check('GW-WS-14', 'public', async (gate) => {
    const address = '0x00000000000000000000000000000000deadbeef';
    await refusesParams(gate, { channel: 'orders', address }, 'NotFound');
    await refusesParams(gate, { channel: 'orders', vault: '4000000000' }, 'NotFound');
  }),
  check('GW-WS-15', 'account', async (gate) => {
    const { address } = await gate.trader();
    await refusesParams(gate, { channel: 'orders', address, vault: '1' }, 'InvalidRequest');
    await refusesParams(gate, { channel: 'orders', vault: '1', subaccount: 0 }, 'InvalidRequest');
  }),
  check('GW-WS-16', 'public', async (gate) => {
    const feed = await gate.open();
    const frame = await feed.ask('unsubscribe', { channel: 'prices' });
    same('the answer', [frame.at('channel'), frame.at('data.code')], ['error', 'NotSubscribed']);
  }),
  check('GW-WS-17', 'public', async (gate) => {
    await refusesParams(gate, { channel: 'prices', symbol: gate.market.symbol }, 'InvalidRequest');
  }),
  check('GW-WS-18', 'public', async (gate) => {
    const feed = await gate.open();
    const symbols = [gate.market.symbol, gate.otherMarket.symbol];
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
  check('GW-WS-19', 'public', async (gate) => {
    const feed = await gate.open();
    await feed.subscribe({ channel: 'prices' });
    const again = await feed.subscribe({ channel: 'prices' });
    same('the second one', again.at('channel'), 'subscribed');
  }),
  check('GW-WS-20', 'control', async (gate) => {
    const feed = await gate.open();
    await feed.subscribe({ channel: 'prices' });
    await gate.stage.advance(61_000);
    matches('the end', await feed.closed(), /./);
  }),
  check('GW-WS-21', 'control', async (gate) => {
    const feed = await gate.open();
    for (let round = 0; round < 4; round++) {
      await gate.stage.advance(20_000);
      await feed.settled();
    }
    same('an end', feed.closedBy, undefined);
  }),
  check('GW-WS-22', 'public', async (gate) => {
    const answer = await gate.get('/v1/ws');
    answered(answer, 400);
    matches('error.code', answer.at('error.code'), /./);
  }),
  check('GW-WS-23', 'public', async (gate) => {
    const feed = await gate.open();
    feed.send({ method: 'subscribe', params: { channel: 'everything' } });
    const frame = await feed.wait('error');
    same('id', frame.at('id'), undefined);
  }),
  check('GW-WS-24', 'control', async (gate) => {
    const [trader, feed] = [await gate.trader(), await gate.open()];
    feed.send({ method: 'order', params: await gate.farOrder(), id: 5 });
    same('the answer', (await feed.wait('error')).at('data.code'), 'InvalidRequest');
    same('open orders', answered(await trader.read('/v1/account/orders')).list('orders').length, 0);
  }),
];

/** An object with its fields in order: an echo may write them in another one. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
