import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { SystemClock, seededRandom, silentLog, silentMeter } from '../../src/core/index.ts';
import type { Address, Fact, Market, MarketSymbol } from '../../src/domain/index.ts';
import {
  Exchange,
  type ExchangeServer,
  type FundedSeedAccount,
  startServer,
} from '../../src/exchange/index.ts';
import { type Crypto, generateSecretKey, loadCrypto, makeDomain } from '../../src/wire/crypto/index.ts';
import {
  createAccountSigner,
  createApiWallet,
  createGateway,
  createMainWallet,
  type Gateway,
  readAccount,
  readAgentAccounts,
  readAgents,
  readCandles,
  readExchange,
  readFillsPage,
  readLedgerPage,
  readMarkets,
  readNonce,
  readOpenOrders,
  readPositions,
} from '../../src/wire/gateway/index.ts';
import { composeWrite, type DecodeContext, encodeCommand, planWrite } from '../../src/wire/protocol/index.ts';
import { createStream, type Stream } from '../../src/wire/stream/index.ts';

const clock = new SystemClock();
const SYMBOL = 'BTC-USD' as MarketSymbol;

let crypto: Crypto;
let exchange: Exchange;
let server: ExchangeServer;
let account: FundedSeedAccount;
let gateway: Gateway;
let markets: readonly Market[];
let context: DecodeContext;

beforeEach(async () => {
  crypto = await loadCrypto();
  exchange = new Exchange({
    clock,
    random: seededRandom(3),
    crypto,
    settings: { basePath: '/gate', headerPrefix: 'x-env-', blockMs: 20 },
  });
  account = exchange.control.createFundedAccount();
  exchange.start();
  server = await startServer(exchange);
  gateway = createGateway({
    baseUrl: `${server.baseUrl}/`,
    headerPrefix: 'x-env-',
    clock,
    random: seededRandom(4),
    log: silentLog,
    meter: silentMeter,
  });
  await gateway.start();
  markets = (await readMarkets(gateway.reader, 6)).markets;
  context = { collateralDecimals: 6, market: (symbol) => markets.find((market) => market.symbol === symbol) };
});

afterEach(async () => {
  await gateway.close();
  await server.close();
  exchange.stop();
});

const selection = () => ({ address: account.address, subaccount: 0 });

/** Writes orders with one of the account's API wallets. */
async function place(
  owner: FundedSeedAccount,
  side: 'buy' | 'sell',
  price: number,
  tif: 'gtc' | 'ioc' = 'gtc',
) {
  const { domain } = await readExchange(gateway.reader);
  const wallet = owner.apiWallets[0];
  if (wallet === undefined) throw new Error('expected an API wallet');
  const signer = createApiWallet({ crypto, key: wallet.key, domain: makeDomain(crypto, domain) });
  const pipe = gateway.writePipe({ address: owner.address, subaccount: 0 });
  const record = await readNonce(gateway.reader, { address: owner.address, subaccount: 0 }, signer.address);
  if (record === undefined) throw new Error('expected a nonce');
  const planned = planWrite(
    {
      kind: 'place',
      orders: [
        {
          intentId: 'i' as never,
          strategyId: 's' as never,
          symbol: SYMBOL,
          side,
          priceTicks: price as never,
          sizeLots: 100 as never,
          timeInForce: tif,
          reduceOnly: false,
          clientOrderId: 'c1' as never,
          expiresAtMs: 0,
        },
      ],
    },
    {
      signingAccountId: record.signingAccountId,
      market: (symbol) => markets.find((market) => market.symbol === symbol),
      marketById: () => undefined,
    },
    gateway.serverClock.serverNowMs(),
  );
  const bytes = encodeCommand(planned.canonical);
  const prepared = signer.prepare(bytes, record.nonce);
  const body = composeWrite(planned.body, {
    account: owner.address,
    nonce: record.nonce,
    signature: prepared.sign(),
    signer: signer.address,
  });
  const answer = await pipe.post({ path: planned.path, body, timeoutMs: 5_000 });
  return { answer, prepared, pipe, record };
}

describe('a gateway at the embedded exchange', () => {
  test('reads everything a bot needs', async () => {
    const { reader } = gateway;
    const { answer } = await place(account, 'buy', 900_000);
    const minSeq = answer.kind === 'answer' ? answer.seq : undefined;
    const options = { selection: selection(), context, minSeq };
    expect((await readExchange(reader)).chainId).toBe(31_337n);
    expect((await readAccount(reader, options))?.value.collateral).toBe(1_000_000_000_000n);
    expect((await readPositions(reader, options))?.value).toEqual([]);
    expect((await readOpenOrders(reader, options))?.value).toHaveLength(1);
    expect((await readAgents(reader, selection())).length).toBe(2);
    const agent = account.apiWallets[0]?.address as Address;
    expect((await readAgentAccounts(reader, agent))[0]?.account).toBe(account.address);
    expect((await readFillsPage(reader, { selection: selection(), context })).entries).toEqual([]);
    expect((await readLedgerPage(reader, { selection: selection(), context })).entries).toHaveLength(1);
    expect(await readCandles(reader, { symbol: SYMBOL, context, interval: '1m' })).toBeDefined();
  });

  test('carries a signed write to a proven outcome', async () => {
    const { answer, prepared, pipe, record } = await place(account, 'buy', 900_000);
    expect(answer).toMatchObject({ kind: 'answer', status: 200 });
    expect(answer.kind === 'answer' && JSON.parse(answer.body).requestId).toBe(prepared.requestId);
    const seq = answer.kind === 'answer' ? answer.seq : undefined;
    expect(seq).toBeDefined();
    const receipt = await pipe.receipt({
      requestId: prepared.requestId,
      commandHash: prepared.commandHash,
      scope: record.scope,
      nonce: record.nonce,
    });
    expect(receipt).toMatchObject({ kind: 'answer', status: 200 });
    expect(receipt.kind === 'answer' && JSON.parse(receipt.body).status).toBe('executed');
    expect(await pipe.openOrders(seq)).toMatchObject({ kind: 'answer', status: 200 });
    const nonce = await pipe.nonce(account.apiWallets[0]?.address as Address);
    expect(nonce.kind === 'answer' && JSON.parse(nonce.body).nonce).toBe(Number(record.nonce) + 1);
  });

  test('approves and revokes API wallets and creates subaccounts with the main wallet (O51)', async () => {
    const { domain } = await readExchange(gateway.reader);
    const wallet = createMainWallet({
      client: gateway.client,
      reader: gateway.reader,
      signer: createAccountSigner({ crypto, key: account.key, domain: makeDomain(crypto, domain) }),
      clock,
    });
    const agent = generateSecretKey(crypto, (count) => new Uint8Array(count).fill(9)).address as Address;
    const approved = await wallet.change({ kind: 'ApproveAgent', agent, validUntilMs: 0 }, 0);
    expect(approved.seq).toBeGreaterThan(0n);
    expect((await readAgents(gateway.reader, selection())).map(({ address }) => address)).toContain(agent);
    await wallet.change({ kind: 'RevokeAgent', agent }, 0);
    expect((await readAgents(gateway.reader, selection())).map(({ address }) => address)).not.toContain(
      agent,
    );
    await wallet.createSubaccount();
    const call = { endpoint: 'subaccounts', query: { address: account.address } } as const;
    const subaccounts = await gateway.client.get(call);
    expect(subaccounts.kind === 'answer' && JSON.parse(subaccounts.body).subaccounts).toHaveLength(2);
  });

  test('error: names the reason when a grant is refused', async () => {
    const { domain } = await readExchange(gateway.reader);
    const wallet = createMainWallet({
      client: gateway.client,
      reader: gateway.reader,
      signer: createAccountSigner({
        crypto,
        key: account.key,
        domain: makeDomain(crypto, { ...domain, chainId: 1n }),
      }),
      clock,
    });
    await expect(
      wallet.change({ kind: 'ApproveAgent', agent: account.address, validUntilMs: 0 }, 0),
    ).rejects.toMatchObject({ details: { gatewayCode: expect.stringMatching(/Signature|Signer/) } });
  });

  test('counts its budget as the exchange does (O112, I26)', async () => {
    for (let i = 0; i < 20; i++) await readMarkets(gateway.reader, 6);
    const own = gateway.budget.remaining('ip') ?? 0;
    const answer = await fetchRateLimit();
    expect(Math.abs(own - answer)).toBeLessThanOrEqual(0.05 * 6_000);
    expect(own).toBeLessThan(6_000);
  });
});

/** What the exchange itself says is left of the budget. */
async function fetchRateLimit(): Promise<number> {
  const { request } = await import('undici');
  const { headers, body } = await request(`${server.baseUrl}/v1/time`);
  await body.dump();
  return Number(/r=([0-9]+)/.exec(String(headers['ratelimit']))?.[1]);
}

describe('the stream layer over sockets', () => {
  let stream: Stream;
  let facts: Fact[];
  const journal = () => createInMemoryJournal();

  function start(): void {
    facts = [];
    stream = createStream({
      clock,
      random: seededRandom(8),
      sockets: gateway.sockets,
      history: gateway.history,
      effects: journal(),
      subscriptions: {
        selection: selection(),
        market: [
          { channel: 'book', symbol: SYMBOL },
          { channel: 'trades', symbol: SYMBOL },
          { channel: 'candles', symbol: SYMBOL, interval: '1m' },
        ],
      },
      markets: context,
      sink: (fact) => facts.push(fact),
      onPong: (pong) => gateway.serverClock.observe(pong),
      log: silentLog,
      meter: silentMeter,
    });
    stream.start();
  }

  const isSynced = () => stream.state().account.isSynced;
  const fills = () => facts.filter(({ type }) => type === 'FillRecorded');

  test('syncs, follows fills, and joins again after the exchange cut it off', async () => {
    const other = exchange.control.createFundedAccount();
    start();
    await expect.poll(isSynced, { timeout: 5_000 }).toBe(true);
    const trade = async () => {
      await place(account, 'buy', 900_000);
      await place(other, 'sell', 900_000, 'ioc');
    };
    await trade();
    await expect.poll(() => fills().length, { timeout: 5_000 }).toBe(1);
    exchange.control.disconnect();
    await trade();
    await trade();
    await expect.poll(() => isSynced() && fills().length, { timeout: 10_000 }).toBe(3);
    expect(stream.state().account.isAuditClean).toBe(true);
    expect(stream.lastActivityMs()).toBeLessThan(10_000);
    expect(facts.filter(({ type }) => type === 'TradePrinted')).toHaveLength(3);
    expect(facts.some(({ type }) => type === 'BookUpdated')).toBe(true);
    stream.stop();
  });

  test('joins after a lag and in a new epoch', async () => {
    const other = exchange.control.createFundedAccount();
    start();
    await expect.poll(isSynced, { timeout: 5_000 }).toBe(true);
    exchange.control.dropFrames();
    await place(account, 'buy', 900_000);
    await place(other, 'sell', 900_000, 'ioc');
    exchange.control.lagStreams();
    await expect.poll(() => facts.some(({ type }) => type === 'AccountDegraded')).toBe(true);
    await expect.poll(() => isSynced() && fills().length, { timeout: 10_000 }).toBe(1);
    exchange.control.epoch({ epoch: 'k2-1' });
    await expect.poll(() => stream.epoch(), { timeout: 10_000 }).toBe('k2-1');
    await expect.poll(isSynced, { timeout: 10_000 }).toBe(true);
    stream.stop();
  });
});
