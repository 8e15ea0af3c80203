/** The client for people and `ballast api` over real sockets: a base path, another header prefix, a durable journal. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AccountFill, ApiError, type Client, createClient } from '../../src/client/index.ts';
import { SystemClock, seededRandom, toHex } from '../../src/core/index.ts';
import {
  Exchange,
  type ExchangeServer,
  type FundedSeedAccount,
  startServer,
} from '../../src/exchange/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { ballast } from '../support/ballast-process.ts';

const ORDER = { symbol: 'BTC-USD', side: 'buy', price: '90000', size: '0.01' } as const;

let exchange: Exchange;
let server: ExchangeServer;
let account: FundedSeedAccount;
let folder: string;
const clients: Client[] = [];

beforeEach(async () => {
  const clock = new SystemClock();
  exchange = new Exchange({
    clock,
    random: seededRandom(3),
    crypto: await loadCrypto(),
    settings: { basePath: '/gate', headerPrefix: 'x-env-', blockMs: 20 },
  });
  account = exchange.control.createFundedAccount();
  exchange.start();
  server = await startServer(exchange);
  folder = mkdtempSync(join(tmpdir(), 'ballast-client-'));
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await server.close();
  exchange.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A client of the funded account, by its first API wallet unless its main wallet signs. */
function open(by: 'wallet' | 0 = 0, options: object = {}): Client {
  const key = by === 'wallet' ? account.key : account.apiWallets[0]?.key;
  const client = createClient({
    baseUrl: server.baseUrl,
    headerPrefix: 'x-env-',
    wallet: toHex(key?.exposeBytes() ?? new Uint8Array()),
    account: { address: account.address },
    ...options,
  });
  clients.push(client);
  return client;
}

describe('ballast/client over loopback', () => {
  test('reads, writes, reads what it wrote, and hears of it', async () => {
    const maker = open();
    const other = exchange.control.createFundedAccount();
    const taker = open('wallet', { wallet: toHex(other.key.exposeBytes()), account: {} });
    const fills: AccountFill[] = [];
    const heard = Promise.withResolvers<void>();
    const { ready } = await maker.streams.fills({}, (fill) => {
      fills.push(fill);
      heard.resolve();
    });
    await ready;
    const { items } = await maker.orders.place(ORDER);
    expect((await maker.account.orders()).map(({ orderId }) => orderId)).toEqual([items[0]?.orderId]);
    await taker.orders.place({ ...ORDER, side: 'sell', timeInForce: 'ioc' });
    await heard.promise;
    const written: string[] = [];
    for await (const { id } of maker.account.fills({ limit: 1 })) written.push(id);
    expect(written).toContain(fills[0]?.id);
    expect((await maker.markets.book({ symbol: 'BTC-USD' })).bids).toEqual([]);
  });

  test('a journal on the disk is locked, and goes on in the next client', async () => {
    const journal = { folder, lockFolder: join(folder, 'locks') };
    const first = open(0, { journal });
    const { requestId } = await first.orders.place(ORDER);
    const second = open(0, { journal });
    await expect(second.orders.cancelAll()).rejects.toMatchObject({ code: 'JOURNAL_SCOPE_LOCKED' });
    await first.close();
    const third = open(0, { journal });
    expect((await third.orders.cancelAll()).items).toHaveLength(1);
    expect((await third.requests.receipt({ requestId })).status).toBe('executed');
    expect(readdirSync(folder).some((name) => name.endsWith('.sqlite'))).toBe(true);
  });

  test('error: a refused read carries status, code and body', async () => {
    const error = await open()
      .markets.get({ symbol: 'NO/SUCH MARKET' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'NotFound', num: 1200, status: 404, effect: 'none' });
  });
});

/** Of EIP-55's own first address, its second letter raised. */
const WRONG = '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('ballast api', () => {
  test('prints the answer with all its digits, indented or as one line', async () => {
    const indented = await ballast(['api', 'get', '/v1/markets/BTC-USD', '--base-url', server.baseUrl]);
    expect(indented).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(indented.stdout)).toMatchObject({ symbol: 'BTC-USD', status: 'Active' });
    expect(indented.stdout.split('\n').length).toBeGreaterThan(5);
    const line = await ballast([
      ...['api', 'GET', '/v1/account', '--base-url', server.baseUrl],
      ...['--query', `address=${account.address}`, '--query', 'subaccount=0', '--json'],
    ]);
    expect(line.stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(line.stdout)).toMatchObject({ accountId: account.accountId });
  });

  test.each([
    ['what is not there', ['get', '/v1/markets/NOPE'], 1, 'NotFound'],
    ['a write', ['post', '/v1/orders'], 64, 'CLIENT_METHOD_REFUSED'],
    ['no path of the interface', ['get', '/v1/nope'], 64, 'CLIENT_PATH_UNKNOWN'],
    [
      'an address with a wrong checksum',
      ['get', '/v1/account', '--query', `address=${WRONG}`],
      64,
      'CLIENT_ADDRESS_INVALID',
    ],
    ['a malformed query', ['get', '/v1/prices', '--query', 'x'], 64, 'CLIENT_QUERY_INVALID'],
  ])('error: %s', async (_what, args, exitCode, code) => {
    const ended = await ballast(['api', ...args, '--base-url', server.baseUrl]);
    expect(ended).toMatchObject({ exitCode, stdout: '' });
    expect(ended.stderr).toContain(`ballast: ${code}: `);
    expect(ended.stderr).toContain('remedy: ');
  });

  test('error: nobody there', async () => {
    const ended = await ballast(['api', 'get', '/v1/time', '--base-url', 'http://127.0.0.1:1']);
    expect(ended).toMatchObject({ exitCode: 69, stdout: '' });
  });
});
