/**
 * @module
 * A client that numbers its frames with texts waited forever: the id of text was refused, and the error did not carry it.
 */
import { describe, expect, test } from 'vitest';
import { startTestExchange } from '../support/test-exchange.ts';

const BOOK = { channel: 'book', symbol: 'BTC-USD' };

async function ask(...frames: readonly (object | string)[]) {
  const stream = (await startTestExchange()).stream();
  for (const frame of frames) stream.send(frame);
  return stream.frames.filter(({ channel }) => channel !== 'book');
}

describe('the id of a client frame', () => {
  test.each(['text', '', 'ümläut "quoted" \\', '42', 7, 0, -1, 9_007_199_254_740_991])(
    'is echoed as it came: %j',
    async (id) => {
      const answers = await ask(
        { method: 'subscribe', params: BOOK, id },
        { method: 'unsubscribe', params: BOOK, id },
        { method: 'ping', id },
      );
      expect(answers.map(({ channel }) => channel)).toEqual(['subscribed', 'unsubscribed', 'pong']);
      expect(answers.map((answer) => answer.id)).toEqual([id, id, id]);
    },
  );

  test.each([
    { method: 'subscribe', params: { channel: 'nothing' } },
    { method: 'subscribe', params: { ...BOOK, symbol: 'DOGE' } },
    { method: 'subscribe', params: { ...BOOK, depht: 5 } },
    { method: 'subscribe', params: 'book' },
    { method: 'subscribe' },
    { method: 'unsubscribe', params: BOOK },
    { method: 'unsubscribe', params: {} },
    { method: 'shout' },
    { method: 5 },
    {},
    { method: 'ping', params: {} },
    { method: 'subscribe', params: BOOK, parms: {} },
  ])('is on the error of a wrong frame: %j', async (frame) => {
    for (const id of ['a', 3])
      expect(await ask({ ...frame, id })).toMatchObject([
        { channel: 'error', id, data: { message: expect.stringContaining('expected') } },
      ]);
  });

  test.each([1.5, true, null])('is echoed on its own error: %j', async (id) => {
    const answers = await ask({ method: 'subscribe', params: BOOK, id });
    expect(answers).toMatchObject([
      { channel: 'error', id, data: { message: 'expected id as text or an integer' } },
    ]);
  });

  test('beyond 2^53 keeps its digits on the error', async () => {
    const stream = (await startTestExchange()).stream();
    stream.send('{"method":"ping","id":18446744073709551615}');
    expect(stream.texts).toHaveLength(1);
    expect(stream.texts[0]).toContain('"id":18446744073709551615}');
  });

  test('is absent where a frame has none that can be read', async () => {
    for (const frame of ['{', '[]', '{"method":"ping","id":[1]}', '{"method":"ping","id":{}}']) {
      const [answer, ...more] = await ask(frame);
      expect([answer.channel, 'id' in answer, more]).toEqual(['error', false, []]);
    }
    expect(await ask({ method: 'ping' })).toEqual([{ channel: 'pong', data: { ts: expect.any(Number) } }]);
  });
});
