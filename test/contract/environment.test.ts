/** The environment, its numbers and its encoding (2.2), on the client's side. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/index.ts';
import { formatScaled, fromHex, parseScaled } from '../../src/core/index.ts';
import {
  formatPrice,
  formatSize,
  lots,
  type MarketSymbol,
  PRICE_TICKS_MAX,
  parsePrice,
  parseSize,
  ticks,
} from '../../src/domain/index.ts';
import { perpetual } from '../../src/exchange/index.ts';
import {
  decodeAccount,
  decodeExchange,
  decodeLedgerEntry,
  planWrite,
  readWrite,
} from '../../src/wire/protocol/index.ts';
import { decodeCommand } from '../support/decode-command.ts';
import { startTestExchange } from '../support/test-exchange.ts';
import { aMarket } from '../support/trading-builders.ts';
import { ANSWERS, OWNER } from '../support/wire-samples.ts';
import { ROOT, sourceFiles } from '../tidy/source.ts';
import { aGateway, answer, refusal } from '../unit/wire/gateway/support.ts';
import { anOrder, during, environmentOver, startClient } from './client.ts';
import { bodyOf, madeError, replyOf, Wire } from './wire.ts';

describe('the signing domain (obligations O3)', () => {
  test.each([
    { name: 'dex-os', version: '1', chainId: 31_337, verifyingContract: `0x${'00'.repeat(20)}` },
    { name: 'another exchange', version: '7.2', chainId: 2 ** 40, verifyingContract: `0x${'cd'.repeat(20)}` },
  ])('of $name is read before anything is signed, and every signature is good', async (domain) => {
    const client = await startClient({ settings: { domain } });
    client.place();
    await client.settled();
    const at = (path: string) => client.wire.passed.findIndex(({ request }) => request.path.startsWith(path));
    const firstWrite = client.wire.passed.findIndex(({ request }) => request.method === 'POST');
    expect(at('/v1/exchange')).toBeLessThan(firstWrite);
    expect(at('/v1/exchange')).toBeGreaterThanOrEqual(0);
    expect(client.wire.posts().map(({ reply }) => reply?.kind === 'answer' && reply.status)).toEqual(
      client.wire.posts().map(() => 200),
    );
    expect(client.openOrders()).toHaveLength(1);
  });

  test('error: nothing is signed while it cannot be read', async () => {
    const venue = await startTestExchange();
    const wire = new Wire(venue.exchange, venue.clock);
    wire.disturb = (request, pass) =>
      request.path.startsWith('/v1/exchange') ? Promise.resolve(madeError(503, 'Unavailable')) : pass();
    await expect(environmentOver(venue, wire)).rejects.toMatchObject({ code: 'PREFLIGHT_UNREACHABLE' });
    expect(wire.posts()).toEqual([]);
  });
});

describe('markets (obligations O4, O44)', () => {
  const [BTC, ETH] = ['BTC-USD', 'ETH-USD'] as const;
  const market = (symbol: string, signingMarketId: number, decimals: readonly [number, number]) =>
    perpetual({
      symbol,
      signingMarketId,
      priceDecimals: decimals[0],
      sizeDecimals: decimals[1],
      indexTicks: 1_000_000,
    });

  test.each([
    ['in one environment', [market(BTC, 0, [1, 4]), market(ETH, 1, [2, 3])]],
    ['with their numbers swapped in another', [market(BTC, 1, [1, 4]), market(ETH, 0, [2, 3])]],
    ['with other numbers and decimals', [market(BTC, 4_711, [3, 2]), market(ETH, 65_535, [0, 5])]],
  ])('are signed by the number that is published for the symbol, %s', async (_where, markets) => {
    const client = await startClient({ settings: { markets } });
    for (const symbol of [BTC, ETH]) {
      client.place({ symbol: symbol as MarketSymbol, priceTicks: ticks(990_000), sizeLots: lots(5_000) });
      await client.settled();
    }
    expect(client.openOrders().map((order) => order.symbol)).toEqual([BTC, ETH]);
    const placed = client.journal.rows().filter(({ body }) => body.includes('"kind":"place"'));
    const signed = placed.map(({ body }) =>
      decodeCommand(fromHex(/"bytes":"(0x[0-9a-f]+)"/.exec(body)?.[1] ?? '')),
    );
    expect(signed).toMatchObject(markets.map(({ market: own }) => ({ market: own.signingMarketId })));
    const orders = client.wire.posts().flatMap((post) => bodyOf(post).orders ?? []);
    expect(orders).toMatchObject([{ symbol: BTC }, { symbol: ETH }]);
  });
});

describe('prices, sizes and amounts (obligations O6)', () => {
  test('come back from their text digit for digit, for every number of decimals', () => {
    const decimals = fc.integer({ min: 0, max: 18 });
    fc.assert(
      fc.property(
        decimals,
        decimals,
        fc.integer({ min: 1, max: PRICE_TICKS_MAX }),
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        (priceDecimals, sizeDecimals, price, size) => {
          const market = aMarket({ priceDecimals, sizeDecimals });
          expect(parsePrice(market, formatPrice(market, ticks(price)))).toBe(price);
          expect(parseSize(market, formatSize(market, lots(size)))).toBe(size);
          // An oracle that knows digits alone.
          const digits = String(size).padStart(sizeDecimals + 1, '0');
          const point = digits.length - sizeDecimals;
          const text = sizeDecimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
          expect(formatSize(market, lots(size))).toBe(text);
        },
      ),
    );
    fc.assert(
      fc.property(decimals, fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (scale, amount) => {
        expect(parseScaled(formatScaled(amount, scale), scale)).toBe(amount);
      }),
    );
  });

  test('keep every digit on their way from an order over JSON to the signed command', () => {
    const market = aMarket({ priceDecimals: 8, sizeDecimals: 10 });
    const context = { signingAccountId: 7, market: () => market, marketById: () => market };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: PRICE_TICKS_MAX }),
        fc.integer({ min: 1, max: 2 ** 50 }),
        (price, size) => {
          const orders = [anOrder({ symbol: market.symbol, priceTicks: ticks(price), sizeLots: lots(size) })];
          const { path, body, canonical } = planWrite({ kind: 'place', orders }, context, 1_800_000_000_000);
          const read = readWrite(path, JSON.parse(JSON.stringify(body)), context);
          expect('canonical' in read && read.canonical).toEqual(canonical);
        },
      ),
    );
  });

  test('are read from unquoted YAML digit for digit', () => {
    const text = `environment: { name: sim }
markets: [{ symbol: BTC-USD }]
strategies:
  - { name: a, module: a.ts, markets: [BTC-USD], parameters: { size: 0.10000000000000000555 } }
risk:
  capital: 123456789012345678901234567.123456789
`;
    const { config } = parseConfig(text, '/etc/bot.yaml');
    expect(config.strategies[0]?.parameters['size']).toBe('0.10000000000000000555');
    expect(config.risk.capital.toFixed()).toBe('123456789012345678901234567.123456789');
  });

  test('meet no reader of floating point in the rooms that carry them', () => {
    const rooms = [
      'domain',
      'bot/execution',
      'bot/journal',
      'bot/risk',
      'exchange/engine',
      'research/venue',
      'wire',
    ];
    const offenders = rooms
      .flatMap((room) => sourceFiles(`src/${room}`))
      .filter(({ path }) =>
        /\bparseFloat\(|\.toPrecision\(|\bparseInt\(/.test(readFileSync(join(ROOT, path), 'utf8')),
      );
    expect(offenders.map(({ path }) => path)).toEqual([]);
  });
});

describe('token amounts (obligations O9)', () => {
  test.each([0, 6, 8, 18])('of a token of %i decimals are scaled by them', (decimals) => {
    const collateral = { ...ANSWERS.exchange.tokens[0], decimals };
    const exchange = decodeExchange(JSON.stringify({ ...ANSWERS.exchange, tokens: [collateral] }));
    expect(exchange.ok && exchange.value.collateralDecimals).toBe(decimals);
    const context = { collateralDecimals: decimals, market: () => undefined };
    const amount = decimals === 0 ? '12' : `12.${'0'.repeat(decimals - 1)}3`;
    const exact = decimals === 0 ? 12n : 12n * 10n ** BigInt(decimals) + 3n;
    const names = ['collateral', 'equity', 'initialMargin', 'maintenanceMargin', 'withdrawable'];
    const amounts = Object.fromEntries(names.map((name) => [name, amount]));
    const account = decodeAccount(JSON.stringify({ ...ANSWERS.account, ...amounts }), context);
    expect(account.ok && account.value.value.collateral).toBe(exact);
    const [first] = ANSWERS.ledger.data;
    const entry = decodeLedgerEntry({ ...first, amount, symbol: null }, context);
    expect(entry.ok && entry.value.amount).toBe(exact);
  });
});

describe('an account that is not found (obligations O17)', () => {
  const selection = { address: OWNER, subaccount: 0 } as never;

  test('is no empty answer to the stream layer: what was known stays known, and it asks again', async () => {
    const scripted = aGateway();
    scripted.handler = () =>
      answer(200, { positions: [{ symbol: 'BTC-USD', size: '1.0' }], seq: 5, epoch: 'k' });
    expect(await scripted.gateway.history.positions(selection, undefined)).toMatchObject({ kind: 'body' });
    scripted.handler = () => refusal(404, 'NotFound');
    expect(await scripted.gateway.history.positions(selection, undefined)).toMatchObject({ kind: 'retry' });
    expect(await scripted.gateway.history.openOrders(selection, undefined)).toMatchObject({ kind: 'retry' });
    expect(await scripted.gateway.history.fills(selection, {})).toMatchObject({ kind: 'retry' });
  });
});

describe('credentials and paths (obligations O1, O13, O15, O32)', () => {
  test('are on no read and on no stream, and the numbers of accounts stand in no address', async () => {
    const client = await startClient();
    const { venue, wire } = client;
    const account = { address: venue.address, subaccount: 0 };
    const socket = client.environment.gateway.sockets.open({
      onOpen: () =>
        socket.send(JSON.stringify({ method: 'subscribe', params: { channel: 'orders', ...account } })),
      onFrame: () => undefined,
      onClose: () => undefined,
    });
    client.place();
    await client.settled();
    await during(venue.clock, client.lanes.pipe.openOrders(undefined));
    for (const { request } of wire.passed) expect(request.path.split('/v1/')).toHaveLength(2);
    for (const { request } of wire.reads('')) {
      expect(Object.keys(request.headers).filter((name) => !name.endsWith('min-seq'))).toEqual(['accept']);
      expect(request.body).toBeUndefined();
      const query = new URL(request.path, 'http://x').searchParams;
      for (const name of query.keys()) expect(name).not.toMatch(/sign(ature)?$|key|token|auth/i);
      if (query.has('address')) expect(query.get('address')).toBe(venue.address);
      if (query.has('signer')) expect(query.get('signer')).toMatch(/^0x[0-9a-f]{40}$/);
    }
    for (const post of wire.posts()) {
      expect(bodyOf(post).account).toBe(venue.address);
      expect(bodyOf(post).signer).toMatch(/^0x[0-9a-f]{40}$/);
      expect(Object.keys(post.request.headers).filter((name) => !name.endsWith('min-seq'))).toEqual([
        'accept',
        'content-type',
      ]);
    }
    expect(wire.sent.length).toBeGreaterThan(0);
    for (const frame of wire.sent) expect(frame).not.toMatch(/signature|nonce/);
    expect(replyOf(wire.reads('/v1/account/nonce')[0] as never)).toMatchObject({
      signingAccountId: venue.account.accountId,
    });
  });
});
