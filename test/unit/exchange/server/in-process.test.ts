import { describe, expect, test } from 'vitest';
import { type InProcessReply, inProcessTransport } from '../../../../src/exchange/index.ts';
import { startTestExchange, type TestExchange } from '../../../support/test-exchange.ts';

function get(path: string, timeoutMs = 1_000) {
  return { method: 'GET', path, headers: {}, timeoutMs } as const;
}

function connect(venue: TestExchange, latencyMs: number) {
  return inProcessTransport(venue.exchange, {
    clock: venue.clock,
    requestLatencyMs: latencyMs,
    answerLatencyMs: latencyMs,
    frameLatencyMs: latencyMs,
  });
}

describe('inProcessTransport', () => {
  test('answers after the way there and back', async () => {
    const venue = await startTestExchange();
    const asked = connect(venue, 20).request(get('/v1/time'));
    const sentAtMs = venue.nowMs;
    let reply: InProcessReply | undefined;
    void asked.then((came) => {
      reply = came;
    });
    await venue.clock.advanceAsync(39);
    expect(reply).toBeUndefined();
    await venue.clock.advanceAsync(1);
    expect(reply).toMatchObject({ kind: 'answer', status: 200, body: `{"serverTime":${sentAtMs + 20}}` });
  });

  test('is lost when nothing comes in time, or when the connection is cut', async () => {
    const venue = await startTestExchange();
    const slow = connect(venue, 300).request(get('/v1/time', 500));
    await venue.clock.advanceAsync(700);
    expect(await slow).toEqual({ kind: 'lost', why: 'no answer within 500 ms' });
    venue.exchange.control.disturb({ fault: { kind: 'dropResponse' }, matches: () => true });
    const cut = connect(venue, 0).request(get('/v1/time'));
    await venue.clock.advanceAsync(1);
    expect(await cut).toEqual({ kind: 'lost', why: 'the connection was cut' });
  });

  test('carries frames both ways in order, and closes once', async () => {
    const venue = await startTestExchange();
    const seen: string[] = [];
    const stream = connect(venue, 5).open({
      onOpen: () => seen.push('open'),
      onFrame: (text, receivedAtMs) => seen.push(`${JSON.parse(text).channel} ${receivedAtMs - venue.nowMs}`),
      onClose: (why) => seen.push(why),
    });
    await venue.clock.advanceAsync(20);
    stream.send(JSON.stringify({ method: 'subscribe', params: { channel: 'prices' }, id: 1 }));
    stream.send(JSON.stringify({ method: 'ping' }));
    await venue.clock.advanceAsync(20);
    expect(seen).toEqual(['open', 'subscribed 0', 'prices 0', 'pong 0']);
    venue.exchange.control.disconnect();
    await venue.clock.advanceAsync(20);
    stream.close('again');
    expect(seen.at(-1)).toBe('closed with code 1012 restart');
    expect(seen).toHaveLength(5);
  });

  test('a client that closes is forgotten by the exchange', async () => {
    const venue = await startTestExchange();
    const seen: string[] = [];
    const stream = connect(venue, 0).open({
      onOpen: () => undefined,
      onFrame: (text) => seen.push(text),
      onClose: (why) => seen.push(why),
    });
    await venue.clock.advanceAsync(1);
    stream.send(JSON.stringify({ method: 'subscribe', params: { channel: 'events' }, id: 1 }));
    await venue.clock.advanceAsync(1);
    stream.close('enough');
    const count = seen.length;
    await venue.clock.advanceAsync(500);
    expect(seen.slice(count - 1)).toEqual(['enough']);
  });
});
