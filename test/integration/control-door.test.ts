/** `/control` over loopback sockets: what a test in any language sends, and who is refused. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshSeed } from '../../src/core/index.ts';
import type { ServedExchange, ServedExchangeOptions } from '../../src/exchange/host/index.ts';
import { serveTest } from '../support/served.ts';

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

function serve(hasControl: boolean, more: Partial<ServedExchangeOptions> = {}): Promise<ServedExchange> {
  return serveTest({ clockMode: 'manual', hasControl, isRecorded: true, ...more });
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
  test('lists its actions with their parameters', async () => {
    const { status, json } = await call('GET', '/control');
    expect(status).toBe(200);
    const price = json.actions.find((action: { name: string }) => action.name === 'price');
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
    const name = `x${freshSeed()}`;
    const { json } = await call('POST', '/control/account', {
      body: JSON.stringify({ name, balance: '12.5', apiWallets: 1 }),
    });
    expect((await call('GET', `/v1/account?address=${json.address}`)).json.equity).toBe('12.500000');
    expect(
      (await call('GET', '/control/state')).json.accounts.map((one: { name: string }) => one.name),
    ).toEqual(expect.arrayContaining(['0', name]));
    const again = await call('POST', '/control/account', { body: JSON.stringify({ name }) });
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

  test.each([
    ['a body that never comes', 'content-length: 1000000\r\n'],
    ['leave to send a body', 'content-length: 1000000\r\nexpect: 100-continue\r\n'],
    ['chunks', 'transfer-encoding: chunked\r\n'],
  ])('judges the head of a request before its body: %s', async (_what, lines) => {
    for (const [head, status] of [
      [`host: evil.example\r\n`, 403],
      [`host: ${own()}\r\norigin: https://evil.example\r\n`, 403],
    ] as const) {
      const socket = connect(served.server.port, '127.0.0.1');
      const text = await new Promise<string>((resolve, reject) => {
        let said = '';
        socket.on('error', reject).on('data', (chunk) => {
          said += chunk;
        });
        socket.on('end', () => resolve(said));
        socket.write(`POST /control/restore HTTP/1.1\r\n${head}${lines}\r\n`);
      });
      socket.destroy();
      expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    }
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

  test('takes a snapshot and serves it again: the same bytes, at the same time', async () => {
    await call('POST', '/control/price', { body: '{"symbol":"ETH-USD","price":"3210"}' });
    const { json: state } = await call('GET', '/control/state');
    const taken = (await call('GET', '/control/snapshot')).json;
    const reads = async () => [
      (await call('GET', '/v1/time')).json,
      (await call('GET', '/v1/prices')).json,
      (await call('GET', `/v1/account/ledger?address=${served.accounts[0]?.address}`)).json,
    ];
    const before = await reads();
    await call('POST', '/control/price', { body: '{"symbol":"ETH-USD","price":"1"}' });
    await call('POST', '/control/advance', { body: '{"by":"1h"}' });
    const { status, json } = await call('POST', '/control/restore', {
      body: JSON.stringify(taken),
    });
    expect([status, json]).toEqual([200, { seq: state.seq, nowMs: state.nowMs }]);
    expect(await reads()).toEqual(before);
    const damaged = await call('POST', '/control/restore', {
      body: JSON.stringify({ snapshot: taken.snapshot.replace('ballast', 'bollast') }),
    });
    expect(damaged).toMatchObject({ status: 400, json: { error: { code: 'SnapshotDamaged' } } });
    expect(await reads()).toEqual(before);
  });

  test('goes on from the file of an exchange that ended', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ballast-snapshot-'));
    const file = join(folder, 'exchange.snapshot');
    try {
      const first = await serve(true, { snapshotOut: file, isQuiet: false });
      const port = first.server.port;
      await call('POST', '/control/advance', { body: '{"by":"30s"}', port });
      const { length } = (await call('POST', '/control/save', { port })).json;
      expect(readFileSync(file, 'utf8')).toHaveLength(length);
      const before = (await call('GET', '/v1/markets/BTC-USD/book', { port })).json;
      await first.stop();
      const second = await serve(true, { snapshotIn: file });
      const { port: other } = second.server;
      expect((await call('GET', '/v1/markets/BTC-USD/book', { port: other })).json).toEqual(before);
      expect(second.accounts).toEqual(first.accounts);
      await call('POST', '/control/advance', { body: '{"by":"1s"}', port: other });
      expect((await call('GET', '/v1/markets/BTC-USD/book', { port: other })).json.seq).toBeGreaterThan(
        before.seq,
      );
      await second.stop();
      await expect(serve(true, { snapshotIn: join(folder, 'none') })).rejects.toThrow('readable snapshot');
    } finally {
      rmSync(folder, { recursive: true });
    }
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
