/** `/control` over loopback sockets: what a test in any language sends, and who is refused. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedExchange, serveExchange } from '../../src/app/index.ts';
import { SystemClock, silentLog } from '../../src/core/index.ts';

interface HttpAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes
  readonly json: any;
}

let served: ServedExchange;

beforeAll(async () => {
  served = await serve(true);
});
afterAll(async () => {
  await served.stop();
});

function serve(hasControl: boolean): Promise<ServedExchange> {
  return serveExchange({
    clock: new SystemClock(),
    log: silentLog,
    seed: 5,
    accounts: 1,
    tape: undefined,
    symbol: undefined,
    isQuiet: true,
    port: 0,
    clockMode: 'manual',
    hasControl,
  });
}

function call(
  method: string,
  path: string,
  options: { readonly body?: string; readonly headers?: Record<string, string>; readonly port?: number } = {},
): Promise<HttpAnswer> {
  const { body, headers = {}, port = served.server.port } = options;
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, json: JSON.parse(Buffer.concat(chunks).toString()) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const own = (): string => `127.0.0.1:${served.server.port}`;

describe('/control', () => {
  test('lists its verbs with their parameters', async () => {
    const { status, json } = await call('GET', '/control');
    expect(status).toBe(200);
    const price = json.verbs.find((verb: { name: string }) => verb.name === 'price');
    expect(price).toMatchObject({ method: 'POST', path: '/control/price' });
    expect(price.parameters.map((one: { name: string }) => one.name)).toEqual(['symbol', 'price']);
  });

  test('moves a manual clock, and nothing else does', async () => {
    const before = (await call('GET', '/v1/time')).json.serverTime;
    const { json } = await call('POST', '/control/advance', { body: '{"by":"90s"}' });
    expect(json).toEqual({ nowMs: before + 90_000, seq: expect.any(Number) });
    expect((await call('GET', '/v1/time')).json.serverTime).toBe(before + 90_000);
  });

  test('makes accounts that the interface knows', async () => {
    const { json } = await call('POST', '/control/account', {
      body: '{"name":"x","amount":"12.5","apiWallets":1}',
    });
    expect((await call('GET', `/v1/account?address=${json.address}`)).json.equity).toBe('12.500000');
    expect(
      (await call('GET', '/control/state')).json.accounts.map((one: { name: string }) => one.name),
    ).toEqual(['0', 'x']);
    const again = await call('POST', '/control/account', { body: '{"name":"x"}' });
    expect(again).toMatchObject({ status: 409, json: { error: { code: 'ControlRefused' } } });
  });

  test('names the field that is wrong, what was expected and what was found', async () => {
    const { status, json } = await call('POST', '/control/price', {
      body: '{"symbol":"BTC-USD","price":90000.1}',
    });
    expect([status, json.error.code, json.error.details]).toEqual([
      400,
      'ControlInvalid',
      { field: 'price', expected: 'decimal text like "12.5", not negative', found: '90000.1' },
    ]);
    for (const body of ['[]', '{"a":', 'null', '"x"', '{"__proto__":{"symbol":"x"}}'])
      expect((await call('POST', '/control/price', { body })).status, body).toBe(400);
    expect((await call('POST', '/control/nonsense')).status).toBe(404);
    expect((await call('GET', '/control/price')).status).toBe(405);
    expect((await call('POST', '/control')).status).toBe(405);
  });

  test('refuses a foreign host, and a page of another origin', async () => {
    const statusOf = async (headers: Record<string, string>) =>
      (await call('GET', '/control/state', { headers })).status;
    expect(await statusOf({ host: 'evil.example' })).toBe(403);
    expect(await statusOf({ host: '127.0.0.1.evil.example' })).toBe(403);
    expect(await statusOf({ host: own(), origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf({ host: own(), origin: 'null' })).toBe(403);
    expect(await statusOf({ host: own(), origin: `http://${own()}` })).toBe(200);
    expect(await statusOf({ host: `localhost:${served.server.port}` })).toBe(200);
  });

  test('costs nothing of the budget of an address', async () => {
    const remaining = async () => {
      const reply = await served.exchange.handle({
        method: 'GET',
        path: '/v1/time',
        headers: {},
        body: '',
        ip: '127.0.0.1',
      });
      return reply === 'lost' ? '' : (reply.headers['ratelimit'] ?? '');
    };
    const left = async () =>
      Number(/r=(\d+)/.exec(await remaining())?.[1] ?? /remaining=(\d+)/.exec(await remaining())?.[1]);
    const before = await left();
    for (let i = 0; i < 5; i++) await call('GET', '/control/state');
    expect(before - (await left())).toBeLessThanOrEqual(4);
  });

  test('is not there without being asked for', async () => {
    const bare = await serve(false);
    try {
      expect(await call('GET', '/control', { port: bare.server.port })).toMatchObject({
        status: 404,
        json: { error: { code: 'NotFound' } },
      });
    } finally {
      await bare.stop();
    }
  });
});
