/**
 * What a client can send to harm an exchange: bodies and frames that no client of ballast would make. Nothing of it may
 * end in a 5xx, in a frame that is no JSON, or in the end of the process (GW-ERROR; openapi.yaml).
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SystemClock, seededRandom } from '../../src/core/index.ts';
import { REJECT_REASONS } from '../../src/exchange/engine/reasons.ts';
import { Exchange, type ExchangeServer, startServer } from '../../src/exchange/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { errorCodeOf } from '../../src/wire/protocol/index.ts';
import { validateAnswer } from '../support/openapi.ts';
import { anOrder, startTestExchange } from '../support/test-exchange.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('bodies', () => {
  test.each(['nowMs', 'orders', 'expiresAt', 'extra', 'subaccount'])(
    '%s nested 200,000 deep is an invalid request',
    async (field) => {
      const venue = await startTestExchange();
      const { text } = venue.signed('/v1/orders', { orders: [anOrder()], nowMs: venue.nowMs });
      const { [field]: _replaced, ...rest } = JSON.parse(text);
      const body = `${JSON.stringify(rest).slice(0, -1)},"${field}":${nested(200_000)}}`;
      const { status, json } = venue.post('/v1/orders', body);
      expect([status, json.error.code]).toEqual([400, 'InvalidRequest']);
    },
  );

  test('every reason of the venue is a code of the table, so that its number is one too', () => {
    expect(REJECT_REASONS.filter((reason) => errorCodeOf(reason) === undefined)).toEqual([]);
    expect(errorCodeOf('SubaccountLimitExceeded')).toMatchObject({ httpStatus: 422, consumesNonce: true });
  });
});

describe('frames', () => {
  test.each([
    ['a number beyond 2^53', '9007199254740993'],
    ['a list nested 30,000 deep', nested(30_000)],
  ])('parameters with %s are refused, and the stream stays (GW-WS-ERROR)', async (_name, value) => {
    const venue = await startTestExchange();
    const stream = venue.stream();
    for (const method of ['subscribe', 'unsubscribe'])
      stream.send(`{"method":"${method}","params":{"channel":"prices","more":${value}},"id":7}`);
    stream.send({ method: 'ping' });
    expect(stream.frames.map(({ channel, id, data }) => [channel, id, data.code])).toEqual([
      ['error', 7, 'InvalidRequest'],
      ['error', 7, 'InvalidRequest'],
      ['pong', undefined, undefined],
    ]);
  });

  test.each([
    { channel: 'bbo', symbol: 'BTC-USD', depth: 5 },
    { channel: 'events', subaccount: 1 },
    { channel: 'prices', symbol: 'BTC-USD' },
  ])('parameters that the channel does not have are refused: %j', async (params) => {
    const venue = await startTestExchange();
    const stream = venue.stream();
    stream.subscribe(params, 3);
    expect(stream.frames).toMatchObject([{ channel: 'error', id: 3, data: { code: 'InvalidRequest' } }]);
  });

  test.each(['1e400', '1.5', 'null', '99999999999999999999', '{}'])('an id %s is refused', async (id) => {
    const venue = await startTestExchange();
    const stream = venue.stream();
    stream.send(`{"method":"subscribe","params":{"channel":"prices"},"id":${id}}`);
    expect(stream.frames).toMatchObject([{ channel: 'error', data: { code: 'InvalidRequest' } }]);
  });
});

describe('HTTP', () => {
  let exchange: Exchange;
  let server: ExchangeServer;

  beforeAll(async () => {
    exchange = new Exchange({
      clock: new SystemClock(),
      random: seededRandom(5),
      crypto: await loadCrypto(),
    });
    exchange.start();
    server = await startServer(exchange);
  });
  afterAll(async () => {
    exchange.stop();
    await server.close();
  });

  /** Sends bytes as they are; gives status, head and body of the one answer. */
  async function raw(text: string): Promise<{ status: number; head: string; body: string }> {
    const socket = connect(server.port, '127.0.0.1');
    let seen = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      seen += chunk;
    });
    socket.on('error', () => undefined);
    socket.write(text);
    await new Promise((resolve) => socket.once('close', resolve));
    const [head = '', body = ''] = seen.split('\r\n\r\n', 2);
    return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body };
  }
  const head = (...lines: string[]): string =>
    `${[...lines, 'Host: x', 'Connection: close'].join('\r\n')}\r\n\r\n`;

  test('a body that is too long is charged and says what is left of the budget (GW-RATE, O112)', async () => {
    const long = 'x'.repeat(1_048_577);
    const lines = head('POST /v1/orders HTTP/1.1', `Content-Length: ${long.length}`);
    const before = await raw(head('GET /v1/time HTTP/1.1'));
    const { status, head: answered, body } = await raw(lines + long);
    expect(status).toBe(400);
    expect(validateAnswer('/v1/orders', 'POST', 400, JSON.parse(body))).toEqual([]);
    const left = (text: string) => Number(/ratelimit: "ip";r=(\d+)/.exec(text)?.[1]);
    // A window may have ended in between.
    expect([left(before.head) - 1, 5_999]).toContain(left(answered));
    expect(answered).toContain('ratelimit-policy:');
  });

  test('an offer of HTTP/2 in the clear is answered over HTTP/1.1, as Java’s HttpClient expects', async () => {
    const offer = ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];
    const lines = `${['GET /v1/time HTTP/1.1', 'Host: x', ...offer, 'Connection: Upgrade, HTTP2-Settings, close'].join('\r\n')}\r\n\r\n`;
    const { status, body } = await raw(lines);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toHaveProperty('serverTime');
  });

  test('a path in absolute form is the same path', async () => {
    expect((await raw(head('GET http://127.0.0.1/v1/markets/BTC-USD/book?depth=1 HTTP/1.1'))).status).toBe(
      200,
    );
  });

  test.each([
    ['without a key', ['Sec-WebSocket-Version: 13']],
    ['of another version', ['Sec-WebSocket-Version: 99', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']],
  ])('a handshake %s is refused with an error body and the budget', async (_name, lines) => {
    const upgrade = ['GET /v1/ws HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket', ...lines];
    const { status, head: answered, body } = await raw(`${upgrade.join('\r\n')}\r\n\r\n`);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'InvalidRequest' } });
    expect(answered).toMatch(/ratelimit: "ip";r=\d+;t=\d+/);
    expect(answered).toContain('sec-websocket-version: 13');
  });
});
