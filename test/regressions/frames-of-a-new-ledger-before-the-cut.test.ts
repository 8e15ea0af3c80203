/**
 * @module
 * A new epoch cut the streams after it was published: the opening entries of the new ledger reached subscriptions of the
 * old one, over the socket, before its close.
 */
import { expect, test } from 'vitest';
import { CHANNELS } from '../../src/wire/protocol/index.ts';
import { serveTest } from '../support/served.ts';

const OF_MARKET = ['book', 'bbo', 'trades', 'candles', 'funding'];
const OF_ACCOUNT = ['orders', 'fills', 'positions', 'account', 'ledger'];

function paramsOf(channel: string, address: string): object {
  if (OF_ACCOUNT.includes(channel)) return { channel, address };
  if (!OF_MARKET.includes(channel)) return { channel };
  return { channel, symbol: 'BTC-USD', ...(channel === 'candles' ? { interval: '1m' } : {}) };
}

test.each([
  { way: 'epoch', options: {} },
  { way: 'restart', options: { rollBackTo: 3 } },
])('no frame of a new ledger reaches a subscription of the old one: $way', async ({ way, options }) => {
  const served = await serveTest({ isQuiet: false, settings: { keepsLog: true } });
  try {
    const { control } = served.api.exchange;
    const address = served.accounts[0]?.address ?? '';
    const socket = new WebSocket(served.server.wsUrl);
    const texts: string[] = [];
    const opened = new Promise((done) => socket.addEventListener('open', done));
    socket.addEventListener('message', ({ data }) => texts.push(String(data)));
    const closed = new Promise<number>((done) => socket.addEventListener('close', ({ code }) => done(code)));
    await opened;
    for (const [id, channel] of CHANNELS.entries())
      socket.send(JSON.stringify({ method: 'subscribe', params: paramsOf(channel, address), id }));
    const acks = () => texts.filter((text) => text.includes('"channel":"subscribed"'));
    await expect.poll(() => acks().length).toBe(CHANNELS.length);
    control.price({ symbol: 'BTC-USD', price: '100001.0' });
    const before = served.api.exchange.epoch;
    if (way === 'epoch') control.epoch();
    else control.restart(options);
    const after = served.api.exchange.epoch;
    expect(after).not.toBe(before);
    expect(await closed).toBe(1012);
    expect(texts.filter((text) => text.includes(`"epoch":"${before}"`)).length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.includes(after))).toEqual([]);
  } finally {
    await served.stop();
  }
});
