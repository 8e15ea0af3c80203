import { describe, expect, test } from 'vitest';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';

const WETH = 1;
const QUARTER = 250_000_000_000_000_000n;

function accountOf(venue: TestExchange) {
  return venue.get(`/v1/account?address=${venue.address}`).json;
}

function ledgerOf(venue: TestExchange) {
  return venue.get(`/v1/account/ledger?address=${venue.address}`).json.data;
}

describe('tokens that are no collateral (obligations O3, O9)', () => {
  test('are listed with decimals of their own', async () => {
    const venue = await startTestExchange();
    const { tokens } = venue.get('/v1/exchange').json;
    expect(tokens).toMatchObject([
      { token: 0, symbol: 'USDC', decimals: 6 },
      { token: 1, symbol: 'WETH', decimals: 18 },
      { token: 2, symbol: 'WBTC', decimals: 8 },
    ]);
  });

  test('come into balance and ledger, on the stream too, and move neither collateral nor profit', async () => {
    const venue = await startTestExchange();
    const before = accountOf(venue);
    const stream = venue.stream();
    stream.subscribe({ channel: 'ledger', address: venue.address });
    stream.subscribe({ channel: 'account', address: venue.address });
    venue.exchange.control.deposit(venue.address, QUARTER, 0, WETH);
    venue.exchange.control.deposit(venue.address, QUARTER, 0, WETH);
    venue.blocks(1);
    const half = {
      token: WETH,
      symbol: 'WETH',
      amount: '0.500000000000000000',
      hold: '0.000000000000000000',
    };
    expect(accountOf(venue)).toMatchObject({
      collateral: before.collateral,
      equity: before.equity,
      balances: [...before.balances, half],
    });
    const entry = { kind: 'deposit', token: WETH, amount: '0.250000000000000000', symbol: null };
    expect(ledgerOf(venue).slice(-2)).toMatchObject([entry, entry]);
    expect(stream.of('ledger').map(({ data }) => data)).toEqual(ledgerOf(venue).slice(-2));
    expect(stream.of('account').at(-1).data.balances.at(-1)).toMatchObject(half);
    const { points } = venue.get(`/v1/account/portfolio?address=${venue.address}`).json;
    expect(points.at(-1).pnl).toBe('0.000000');
  });

  test('open a new ledger with what is held of them', async () => {
    const venue = await startTestExchange();
    venue.exchange.control.deposit(venue.address, QUARTER, 0, WETH);
    venue.exchange.control.epoch();
    venue.blocks(1);
    expect(ledgerOf(venue)).toMatchObject([
      { kind: 'opening', token: 0 },
      { kind: 'opening', token: WETH, amount: '0.250000000000000000' },
    ]);
  });
});
