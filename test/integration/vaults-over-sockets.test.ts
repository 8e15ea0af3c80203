/**
 * Vaults over loopback sockets, spoken to by a client that shares no code with the exchange: structs typed in by hand
 * after openapi.yaml and signed by viem, canonical bytes after exchange.md#command-bytes, HTTP by node:http, the stream
 * by ws.
 */
import { Agent, request as httpRequest } from 'node:http';
import { concatHex, type Hex, keccak256, numberToHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { SystemClock, seededRandom } from '../../src/core/index.ts';
import { Exchange, type ExchangeServer, startServer } from '../../src/exchange/index.ts';
import { loadCrypto } from '../../src/wire/crypto/index.ts';
import { validateAnswer, validateFrame, validateRequest } from '../support/openapi.ts';

interface HttpAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes
  readonly json: any;
}

let exchange: Exchange;
let server: ExchangeServer;
let wallet: PrivateKeyAccount;
let apiWallet: PrivateKeyAccount;
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  const crypto = await loadCrypto();
  exchange = new Exchange({ clock: new SystemClock(), random: seededRandom(3), crypto });
  const account = exchange.control.createFundedAccount({ apiWallets: 1 });
  wallet = privateKeyToAccount(account.privateKey);
  apiWallet = privateKeyToAccount(account.apiWallets[0]?.privateKey ?? '0x');
  exchange.start();
  server = await startServer(exchange);
});

afterAll(async () => {
  agent.destroy();
  exchange.stop();
  await server.close();
});

function call(method: string, path: string, body?: object): Promise<HttpAnswer> {
  if (body !== undefined) expect(validateRequest(path, method, body)).toEqual([]);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(server.baseUrl + path, { method, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        const json = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        const problems = validateAnswer(path, method, status, json);
        if (problems.length > 0) reject(new Error(problems.join('; ')));
        else resolve({ status, json });
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

interface Field {
  readonly name: string;
  readonly type: string;
}

const HEAD: readonly Field[] = [
  { name: 'owner', type: 'address' },
  { name: 'account', type: 'uint32' },
];
const NONCE: Field = { name: 'nonce', type: 'uint64' };

const AGENT_EXEC = {
  AgentExec: [
    { name: 'commandHash', type: 'bytes32' },
    { name: 'nonce', type: 'uint64' },
  ],
} as const;

/** Signs a struct of the main wallet with the nonce and the number of `selector`, and sends it. */
async function writeByWallet(
  path: string,
  business: object,
  signed: {
    readonly primaryType: string;
    readonly fields: readonly Field[];
    readonly message: Readonly<Record<string, unknown>>;
    readonly vault?: string;
  },
): Promise<HttpAnswer> {
  const { vault } = signed;
  const owner = wallet.address.toLowerCase();
  const selector = vault === undefined ? `address=${owner}` : `vault=${vault}`;
  const counter = (await call('GET', `/v1/account/nonce?${selector}`)).json;
  const { domain } = (await call('GET', '/v1/exchange')).json;
  const signature = await wallet.signTypedData({
    domain,
    types: { [signed.primaryType]: [...HEAD, ...signed.fields, NONCE] },
    primaryType: signed.primaryType,
    message: { owner, account: counter.signingAccountId, ...signed.message, nonce: BigInt(counter.nonce) },
  });
  const envelope = { account: owner, nonce: counter.nonce, signature };
  return call('POST', path, { ...envelope, ...(vault === undefined ? {} : { vault }), ...business });
}

/** Little-endian bytes of an integer, as hex. */
function le(value: bigint | number, size: number): Hex {
  const bigEndian = Buffer.from(numberToHex(value, { size }).slice(2), 'hex');
  return `0x${bigEndian.reverse().toString('hex')}`;
}

const uint = (name: string, bits: number): Field => ({ name, type: `uint${bits}` });

describe('vaults, for a client of its own', () => {
  test('create, deposit, trade by either wallet, redeem: every signature is viem’s (obligations O33, O42, O54)', async () => {
    const created = await writeByWallet(
      '/v1/vaults',
      { name: 'Żółw & co' },
      {
        primaryType: 'CreateVault',
        fields: [{ name: 'name', type: 'string' }],
        message: { name: 'Żółw & co' },
      },
    );
    expect([created.status, created.json.status]).toEqual([200, 'executed']);
    const vault: string = created.json.vault.id;

    const frames: { channel: string; vault?: string; data: { kind?: string } }[] = [];
    const socket = new WebSocket(server.wsUrl);
    socket.on('message', (text) => {
      const frame = JSON.parse(String(text));
      expect(validateFrame(frame)).toEqual([]);
      frames.push(frame);
    });
    await new Promise((opened) => socket.once('open', opened));
    socket.send(JSON.stringify({ method: 'subscribe', params: { channel: 'ledger', vault }, id: 1 }));

    const deposited = await writeByWallet(
      `/v1/vaults/${vault}/deposit`,
      { amount: '2500.000001' },
      {
        primaryType: 'DepositVault',
        fields: [uint('vault', 32), uint('amount', 64)],
        message: { vault: Number(vault), amount: 2_500_000_001n },
      },
    );
    expect(deposited.json.vault).toEqual({ id: vault, shares: '2500.000001', amount: '2500.000001' });

    const nowMs = Date.now();
    const order = {
      symbol: 'BTC-USD',
      side: 'buy',
      price: '90000.0',
      size: '0.0100',
      timeInForce: 'postOnly',
      reduceOnly: false,
    };
    const placed = await writeByWallet(
      '/v1/orders',
      { orders: [order], nowMs },
      {
        primaryType: 'PlaceOrder',
        fields: [
          uint('market', 16),
          uint('side', 8),
          uint('price', 32),
          uint('lots', 64),
          uint('tif', 8),
          { name: 'reduceOnly', type: 'bool' },
          uint('expiry', 64),
          uint('nowMs', 64),
          uint('router', 32),
          uint('routerFeePpm', 32),
        ],
        message: {
          market: 0,
          side: 0,
          price: 900_000,
          lots: 100n,
          tif: 2,
          reduceOnly: false,
          expiry: 0n,
          nowMs: BigInt(nowMs),
          router: 0,
          routerFeePpm: 0,
        },
        vault,
      },
    );
    expect(placed.json.items).toMatchObject([{ state: 'accepted', resting: true }]);
    const { orderId } = placed.json.items[0];

    // CancelOrder 0x06: account u32, orderId u64 = market << 48 | orderSeq.
    const bytes = concatHex(['0x0106', le(Number(vault), 4), le(BigInt(orderId), 8)]);
    const signer = apiWallet.address.toLowerCase();
    const { nonce } = (await call('GET', `/v1/account/nonce?vault=${vault}&signer=${signer}`)).json;
    const { domain } = (await call('GET', '/v1/exchange')).json;
    const signature = await apiWallet.signTypedData({
      domain,
      types: AGENT_EXEC,
      primaryType: 'AgentExec',
      message: { commandHash: keccak256(bytes), nonce: BigInt(nonce) },
    });
    const canceled = await call('POST', '/v1/orders/cancel', {
      account: wallet.address.toLowerCase(),
      nonce,
      signature,
      signer,
      vault,
      orders: [{ symbol: 'BTC-USD', orderId }],
    });
    expect(canceled.json.items).toMatchObject([{ kind: 'cancel', state: 'canceled', orderId }]);

    const redeemed = await writeByWallet(
      `/v1/vaults/${vault}/redeem`,
      { shares: '500' },
      {
        primaryType: 'RedeemVault',
        fields: [uint('vault', 32), uint('shares', 64)],
        message: { vault: Number(vault), shares: 500_000_000n },
      },
    );
    expect(redeemed.json.vault).toEqual({ id: vault, shares: '500.000000', amount: '500.000000' });

    const configured = await writeByWallet(
      `/v1/vaults/${vault}/config`,
      { depositCap: '3000', leverageMax: null },
      {
        primaryType: 'ConfigureVault',
        fields: [uint('vault', 32), uint('depositCap', 64), uint('leverageMax', 32)],
        message: { vault: Number(vault), depositCap: 3_000_000_000n, leverageMax: 0 },
      },
    );
    expect(configured.json.status).toBe('executed');
    expect((await call('GET', `/v1/vaults/${vault}`)).json).toMatchObject({
      name: 'Żółw & co',
      equity: '2000.000001',
      shares: '2000.000001',
      depositCap: '3000.000000',
    });
    const told = await vi.waitUntil(
      () => {
        const some = frames.filter(({ channel }) => channel === 'ledger');
        return some.length < 2 ? undefined : some;
      },
      { timeout: 20_000 },
    );
    expect(told.map((frame) => [frame.vault, frame.data.kind])).toEqual([
      [vault, 'vault_deposit'],
      [vault, 'vault_redeem'],
    ]);
    socket.terminate();
  });

  test('a fresh one is claimed with a struct of its own', async () => {
    const vault = exchange.control.freshVault({ name: 'Seeded' }).vault;
    const claimed = await writeByWallet(
      `/v1/vaults/${vault}/claim`,
      {},
      { primaryType: 'ClaimVault', fields: [uint('vault', 32)], message: { vault: Number(vault) } },
    );
    expect([claimed.status, claimed.json.vault]).toEqual([200, { id: vault }]);
  });
});
