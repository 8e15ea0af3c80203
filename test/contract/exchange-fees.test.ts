/** What trading costs and who earns it: the fee schedule, builder dexes, builders. */
import { describe, expect, test } from 'vitest';
import { type Address, ppm, quantums } from '../../src/domain/index.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';

const DEPLOYER = '0x00000000000000000000000000000000000000dd' as Address;
const DEX = {
  id: 'eth-dex',
  name: 'An ether dex',
  deployer: DEPLOYER,
  symbols: ['ETH-USD'],
  feeScalePpm: ppm(500_000),
  deployerFeePpm: ppm(40),
};

/** Somebody sells 1 BTC at 100,000 and 10 ETH at 4,000. */
async function setUp(settings: object = {}): Promise<{ venue: TestExchange; other: TestExchange }> {
  const venue = await startTestExchange({ dexes: [DEX], ...settings });
  const other = venue.another();
  other.place([
    { side: 'sell', price: '100000.0', size: '1.0000' },
    { side: 'sell', symbol: 'ETH-USD', price: '4000.00', size: '10.000' },
  ]);
  return { venue, other };
}

const fees = (venue: TestExchange) =>
  venue.get(`/v1/account/fills?address=${venue.address}`).json.data.map((fill: { fee: string }) => fill.fee);

describe('builder dexes', () => {
  test('are listed and found by id (GW-DEXES)', async () => {
    const { venue } = await setUp();
    const { deployer, ...rest } = DEX;
    expect(venue.get('/v1/dexes').json).toEqual({ dexes: [{ ...rest, deployer }] });
    expect(venue.get('/v1/dexes/eth-dex').json.symbols).toEqual(['ETH-USD']);
    expect(venue.get('/v1/dexes/none').status).toBe(404);
    const plain = await startTestExchange();
    expect(plain.get('/v1/dexes').json).toEqual({ dexes: [] });
  });

  test('cost a taker more, and pay their deployer (GW-DEXES, GW-FEES)', async () => {
    const { venue } = await setUp();
    venue.place([{ symbol: 'ETH-USD', price: '4000.00', size: '1.000' }]);
    venue.place([{ price: '100000.0', size: '0.0400' }]);
    // 4,000 USDC at 500 + 250 + 40 ppm on the dex, at 500 beside it.
    expect(fees(venue)).toEqual(['3.160000', '2.000000']);
    const { json } = venue.get(`/v1/account?address=${DEPLOYER}`);
    expect(json.collateral).toBe('0.160000');
  });
});

describe('a builder', () => {
  const order = {
    symbol: 'BTC-USD',
    side: 'buy',
    price: '100000.0',
    size: '0.0400',
    timeInForce: 'gtc',
    reduceOnly: false,
  };
  const summary = (venue: TestExchange, address: string) => venue.get(`/v1/builders/${address}/summary`);

  test.each([0, 'wallet'] as const)(
    'that an order names is paid on top, and can be looked up (GW-BUILDERS) (%s)',
    async (by) => {
      const { venue, other } = await setUp();
      const { accountId } = summary(venue, other.address).json;
      const body = { orders: [order], nowMs: venue.nowMs, router: accountId, routerFeePpm: 25 };
      expect(venue.write('/v1/orders', body, { by }).json.status).toBe('executed');
      expect(fees(venue)).toEqual(['2.100000']);
      expect(summary(venue, other.address).json).toEqual({
        builder: other.address,
        accountId,
        feesEarned: '0.100000',
        volume: '4000.000000',
      });
    },
  );

  test('of another name is unknown, and an address must be one (GW-BUILDERS)', async () => {
    const { venue } = await setUp();
    expect(summary(venue, `0x${'ab'.repeat(20)}`).status).toBe(404);
    expect(summary(venue, 'nobody').status).toBe(400);
  });

  test('that asks for too much, or is no account, costs the nonce (GW-BUILDERS)', async () => {
    const { venue } = await setUp();
    for (const change of [{ routerFeePpm: 1_001 }, { router: 4_000_000 }]) {
      const body = { orders: [order], nowMs: venue.nowMs, router: 1, routerFeePpm: 25, ...change };
      const { status, json } = venue.write('/v1/orders', body);
      expect([status, json.error.code, json.error.details.nonceConsumed]).toEqual([
        422,
        'InvalidBuilder',
        true,
      ]);
    }
  });

  test.each([
    [{ orders: [order, order], router: 1, routerFeePpm: 25 }],
    [{ orders: [{ ...order, trigger: { price: '1.0', above: true } }], router: 1, routerFeePpm: 25 }],
    [{ orders: [order], router: 1 }],
    [{ orders: [order], routerFeePpm: 1 }],
    [{ orders: [order], router: 0, routerFeePpm: 1 }],
  ])('belongs to one plain order and has a fee (GW-BUILDERS) (%#)', async (fields) => {
    const { venue } = await setUp();
    const { text } = venue.signed('/v1/orders/cancel-all', {});
    const body = JSON.stringify({ ...JSON.parse(text), nowMs: venue.nowMs, ...fields });
    const answer = venue.post('/v1/orders', body);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'InvalidRequest']);
  });
});

describe('the fee schedule', () => {
  test('has base rates and tiers; an account says which tier is its own (GW-FEES)', async () => {
    const { venue } = await setUp({
      feeTiers: [{ tier: 1, volume: quantums(3_000_000_000n), takerFeePpm: ppm(350), makerFeePpm: ppm(-20) }],
    });
    expect(venue.get('/v1/fees').json).toEqual({
      base: { takerFeePpm: 500, makerFeePpm: 0 },
      tiers: [{ tier: 1, volume: '3000.000000', takerFeePpm: 350, makerFeePpm: -20 }],
    });
    const own = () => venue.get(`/v1/account?address=${venue.address}`).json;
    expect(own()).toMatchObject({ feeTier: 0, takerFeePpm: 500 });
    venue.place([{ price: '100000.0', size: '0.0400' }]);
    expect(own()).toMatchObject({ feeTier: 1, takerFeePpm: 350, makerFeePpm: -20 });
  });
});
