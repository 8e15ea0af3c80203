/**
 * The exchange over loopback sockets, spoken to by a client that shares no code with it: canonical bytes written by
 * hand after exchange.md#command-bytes, signatures and hashes by viem, HTTP by node:http, the stream by ws.
 */
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { concatHex, type Hex, hashTypedData, keccak256, numberToHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { SystemClock, seededRandom } from '../../src/core/index.ts';
import {
  Exchange,
  type ExchangeServer,
  type FundedSeedAccount,
  startServer,
} from '../../src/exchange/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { validateAnswer, validateFrame } from '../support/openapi.ts';

interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes
  readonly json: any;
}

let exchange: Exchange;
let server: ExchangeServer;
let account: FundedSeedAccount;
let apiWallet: PrivateKeyAccount;
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  const crypto = await loadCrypto();
  exchange = new Exchange({
    clock: new SystemClock(),
    random: seededRandom(3),
    crypto,
    settings: { basePath: '/perps' },
  });
  account = exchange.control.createFundedAccount({ apiWallets: 1 });
  apiWallet = privateKeyToAccount(account.apiWallets[0]?.privateKey ?? '0x');
  exchange.start();
  server = await startServer(exchange);
});

afterAll(async () => {
  agent.destroy();
  exchange.stop();
  await server.close();
});

function call(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(server.baseUrl + path, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        const json = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        const problems = validateAnswer(path, method, status, json);
        if (problems.length > 0) reject(new Error(problems.join('; ')));
        else resolve({ status, headers: response.headers, json });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Little-endian bytes of an integer, as hex. */
function le(value: bigint | number, bytes: number): Hex {
  return numberToHex(
    BigInt(
      `0x${Buffer.from(numberToHex(value, { size: bytes }).slice(2), 'hex')
        .reverse()
        .toString('hex')}`,
    ),
    { size: bytes },
  );
}

async function exchangeDomain() {
  const { json } = await call('GET', '/v1/exchange');
  return { ...json.domain, chainId: Number(json.domain.chainId) };
}

const types = {
  AgentExec: [
    { name: 'commandHash', type: 'bytes32' },
    { name: 'nonce', type: 'uint64' },
  ],
} as const;

async function agentWrite(
  path: string,
  business: object,
  bytes: Hex,
): Promise<HttpAnswer & { requestId: Hex }> {
  const query = `address=${account.address}&signer=${apiWallet.address}`;
  const { json: record } = await call('GET', `/v1/account/nonce?${query}`);
  const typed = {
    domain: await exchangeDomain(),
    types,
    primaryType: 'AgentExec',
    message: { commandHash: keccak256(bytes), nonce: BigInt(record.nonce) },
  } as const;
  const body = {
    account: account.address,
    signer: apiWallet.address.toLowerCase(),
    nonce: record.nonce,
    signature: await apiWallet.signTypedData(typed),
    ...business,
  };
  const requestId = keccak256(concatHex([apiWallet.address, hashTypedData(typed)]));
  return {
    ...(await call('POST', path, JSON.stringify(body), { 'content-type': 'application/json' })),
    requestId,
  };
}

/** PlaceOrder of exchange.md#command-bytes, BTC-USD with 1 price decimal and 4 size decimals. */
function placeOrder(order: { side: 'buy' | 'sell'; ticks: number; lots: number; nowMs: number }): {
  bytes: Hex;
  business: object;
} {
  const bytes = concatHex([
    '0x0105',
    le(account.accountId, 4),
    le(0, 2),
    le(order.side === 'buy' ? 0 : 1, 1),
    le(order.ticks, 4),
    le(order.lots, 8),
    le(0, 1),
    le(0, 1),
    le(0, 8),
    le(order.nowMs, 8),
    le(0, 4),
    le(0, 4),
  ]);
  const business = {
    orders: [
      {
        symbol: 'BTC-USD',
        side: order.side,
        price: `${Math.floor(order.ticks / 10)}.${order.ticks % 10}`,
        size: (order.lots / 10_000).toFixed(4),
        timeInForce: 'gtc',
        reduceOnly: false,
        clientOrderId: 'first',
      },
    ],
    nowMs: order.nowMs,
  };
  return { bytes, business };
}

/** A stream whose frames can be waited for. */
async function openStream() {
  const socket = new WebSocket(server.wsUrl);
  // biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes
  const frames: any[] = [];
  const waiting: { readonly isMet: () => boolean; readonly resolve: () => void }[] = [];
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    expect(validateFrame(frame)).toEqual([]);
    frames.push(frame);
    for (const one of waiting.splice(0)) {
      if (one.isMet()) one.resolve();
      else waiting.push(one);
    }
  });
  const upgraded = new Promise<Record<string, unknown>>((resolve) =>
    socket.on('upgrade', (response) => resolve(response.headers)),
  );
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  return {
    frames,
    socket,
    headers: await upgraded,
    send: (frame: object) => socket.send(JSON.stringify(frame)),
    until: (isMet: () => boolean) =>
      new Promise<void>((resolve) => {
        if (isMet()) resolve();
        else waiting.push({ isMet, resolve });
      }),
  };
}

describe('the exchange over sockets', () => {
  test('takes an order signed by viem over bytes made by hand, and tells it on the stream first', async () => {
    const stream = await openStream();
    stream.send({ method: 'subscribe', params: { channel: 'orders', address: account.address }, id: 1 });
    await stream.until(() => stream.frames.some((frame) => frame.isSnapshot));
    const { json: time } = await call('GET', '/v1/time');
    const { bytes, business } = placeOrder({
      side: 'buy',
      ticks: 900_005,
      lots: 123,
      nowMs: time.serverTime,
    });
    const placed = await agentWrite('/v1/orders', business, bytes);
    expect(placed.status).toBe(200);
    expect(placed.json).toMatchObject({
      status: 'executed',
      requestId: placed.requestId,
      nonceConsumed: true,
    });
    await stream.until(() => stream.frames.some((frame) => frame.isSnapshot === false));
    const event = stream.frames.at(-1);
    expect(event.data).toMatchObject({
      orderId: placed.json.items[0].orderId,
      clientOrderId: 'first',
      price: '90000.5',
      size: '0.0123',
      status: 'open',
    });
    expect(String(event.seq)).toBe(placed.headers['x-svc-seq']);
    const receipt = await call('GET', `/v1/requests/${placed.requestId}`);
    expect(receipt.json).toMatchObject({ status: 'executed', signer: apiWallet.address.toLowerCase() });

    const cancel = concatHex([
      '0x0106',
      le(account.accountId, 4),
      le(BigInt(placed.json.items[0].orderId), 8),
    ]);
    const orders = [{ symbol: 'BTC-USD', orderId: placed.json.items[0].orderId }];
    const canceled = await agentWrite('/v1/orders/cancel', { orders }, cancel);
    expect(canceled.json.items[0]).toMatchObject({ state: 'canceled', canceledSize: '0.0123' });
    stream.socket.close();
  });

  test('approves another API wallet with the main wallet’s own struct', async () => {
    const wallet = privateKeyToAccount(account.privateKey);
    const { json: record } = await call('GET', `/v1/account/nonce?address=${account.address}`);
    const granted = `0x${'ab'.repeat(20)}` as const;
    const signature = await wallet.signTypedData({
      domain: await exchangeDomain(),
      types: {
        ApproveAgent: [
          { name: 'owner', type: 'address' },
          { name: 'master', type: 'uint32' },
          { name: 'agent', type: 'address' },
          { name: 'validUntilMs', type: 'uint64' },
          { name: 'nonce', type: 'uint64' },
        ],
      },
      primaryType: 'ApproveAgent',
      message: {
        owner: wallet.address,
        master: record.signingAccountId,
        agent: granted,
        validUntilMs: 0n,
        nonce: BigInt(record.nonce),
      },
    });
    const body = { account: wallet.address, nonce: record.nonce, signature, agent: granted, validUntilMs: 0 };
    const approved = await call('POST', '/v1/account/agents/approve', JSON.stringify(body));
    expect(approved.json).toMatchObject({ status: 'executed', items: [] });
    const listed = await call('GET', `/v1/agents/${granted}`);
    expect(listed.json.grants).toMatchObject([{ account: account.address }]);
  });

  test('a lost answer cuts the connection after the write took effect', async () => {
    exchange.control.disturb({ fault: { kind: 'dropResponse' } });
    const { bytes, business } = placeOrder({ side: 'buy', ticks: 800_000, lots: 100, nowMs: Date.now() });
    await expect(agentWrite('/v1/orders', business, bytes)).rejects.toThrow(/socket hang up|ECONNRESET/);
    const { json } = await call('GET', `/v1/account/orders?address=${account.address}`);
    expect(json.orders.map((order: { price: string }) => order.price)).toContain('80000.0');
  });

  test('an upgrade carries the budget, a wrong path is refused, a binary frame is an error frame', async () => {
    const stream = await openStream();
    expect(stream.headers['ratelimit']).toMatch(/^"ip";r=\d+;t=\d+$/);
    stream.socket.send(Buffer.from([1, 2, 3]));
    await stream.until(() => stream.frames.length === 1);
    expect(stream.frames[0]).toMatchObject({ channel: 'error', data: { code: 'InvalidRequest' } });
    stream.socket.close();
    const wrong = new WebSocket(server.wsUrl.replace('/v1/ws', '/v1/other'));
    const status = await new Promise((resolve) => {
      wrong.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      wrong.on('error', () => undefined);
    });
    expect(status).toBe(404);
    wrong.terminate();
  });

  test('malformed HTTP and bodies that are too long are 400 with an error body', async () => {
    const raw = connect(server.port, '127.0.0.1');
    const text = await new Promise<string>((resolve, reject) => {
      let seen = '';
      raw.on('data', (chunk) => {
        seen += chunk.toString();
      });
      raw.on('close', () => resolve(seen));
      raw.on('error', reject);
      raw.write('NOT HTTP AT ALL\r\n\r\n');
    });
    expect(text).toContain('400 Bad Request');
    expect(text).toContain('"code":"InvalidRequest"');
    const long = await call('POST', '/v1/orders', 'x'.repeat(1_100_000));
    expect([long.status, long.json.error.message]).toEqual([400, 'the body is too long']);
  });

  test('without its base path there is nothing', async () => {
    const outside = await fetch(`${server.baseUrl.replace('/perps', '')}/v1/time`);
    expect(outside.status).toBe(404);
    await outside.text();
  });

  test('closes its streams when it stops', async () => {
    const other = new Exchange({
      clock: new SystemClock(),
      random: seededRandom(4),
      crypto: await loadCrypto(),
    });
    other.start();
    const otherServer = await startServer(other);
    const socket = new WebSocket(otherServer.wsUrl);
    await new Promise((resolve) => socket.on('open', resolve));
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    other.stop();
    expect(await closed).toBe(1001);
    await otherServer.close();
  });
});
