import { describe, expect, test } from 'vitest';
import {
  decodeAccount,
  decodeAgentAccounts,
  decodeAgents,
  decodeCandles,
  decodeErrorBody,
  decodeExchange,
  decodeFill,
  decodeFillsPage,
  decodeFrame,
  decodeFundingHistory,
  decodeLedgerEntry,
  decodeLedgerPage,
  decodeMarkets,
  decodeNonce,
  decodeOrders,
  decodePage,
  decodePositions,
  decodeReceipt,
  decodeTime,
  decodeTrades,
} from '../../../../src/wire/protocol/index.ts';
import { AGENT, ANSWERS, OWNER, WRITE_ANSWERS } from '../../../support/wire-samples.ts';
import { CONTEXT, marketOf, NO_BOOKS } from './support.ts';

const text = (value: unknown) => JSON.stringify(value);
const ok = (value: unknown) => ({ ok: true, value });
const MALFORMED = { ok: false, error: { code: 'PROTOCOL_WIRE_MALFORMED', effect: 'unknown' } };

describe('environment', () => {
  test('the domain is read with an integer chain id, also from text', () => {
    const wire = { ...ANSWERS.exchange, chainId: '31337' };
    expect(decodeExchange(text(wire))).toMatchObject(
      ok({
        chainId: 31337n,
        domain: { name: 'dex-os', version: '1', chainId: 31337n },
        collateralDecimals: 6,
        codecVersion: 1,
        fundingIntervalMs: 3_600_000,
      }),
    );
  });

  test('a version of another form is kept for comparison and names no codec', () => {
    expect(decodeExchange(text({ ...ANSWERS.exchange, version: '2026-01' }))).toMatchObject(
      ok({ codecVersion: undefined, version: '2026-01' }),
    );
    const earlier = { pkg: '0.1.0', snapshot_ver: 19, codec_ver: 2, build_id: 'dev' };
    expect(decodeExchange(text({ ...ANSWERS.exchange, version: earlier }))).toMatchObject(
      ok({ codecVersion: 2 }),
    );
  });

  test('error: two chain ids that differ, or no collateral token, are refused', () => {
    const domain = { ...ANSWERS.exchange.domain, chainId: 1 };
    expect(decodeExchange(text({ ...ANSWERS.exchange, domain }))).toMatchObject(MALFORMED);
    const tokens = [{ token: 3, symbol: 'WETH', decimals: 18, address: OWNER }];
    expect(decodeExchange(text({ ...ANSWERS.exchange, tokens }))).toMatchObject(MALFORMED);
  });

  test('a market is read with its steps and the quantums of a tick and a lot', () => {
    expect(marketOf(ANSWERS.market)).toEqual({
      symbol: 'BTC-USD',
      signingMarketId: 0,
      priceDecimals: 1,
      sizeDecimals: 3,
      tickStep: 5,
      lotStep: 1,
      status: 'Active',
      quantumsPerTickLot: 100n,
      initialMarginPpm: 50_000,
      maintenanceFractionPpm: 600_000,
      minNotional: 10_000_000n,
    });
  });

  test('absent margin figures count as the safest, an absent status is not tradable (obligations O10, O14)', () => {
    const { initialMarginPpm, maintenanceFractionPpm, minNotional, status, kind, ...bare } = ANSWERS.market;
    expect([initialMarginPpm, maintenanceFractionPpm, minNotional, status, kind]).not.toContain(undefined);
    expect(marketOf(bare)).toMatchObject({
      initialMarginPpm: 1_000_000,
      maintenanceFractionPpm: 1_000_000,
      minNotional: 0n,
      status: 'Unknown',
    });
  });

  test.each([
    ['unknown precision', { priceDecimals: null }],
    ['more decimals than collateral has', { priceDecimals: 4 }],
    ['a tick of zero', { tickSize: '0' }],
    ['a tick below the precision', { tickSize: '0.05' }],
    ['a spot market', { kind: 'spot' }],
    ['a market id of 17 bits', { signingMarketId: 65536 }],
  ])('%s leaves that market out by name and no other', (_name, changes) => {
    const broken = { ...ANSWERS.market, symbol: 'ODD-USD', ...changes };
    const decoded = decodeMarkets(text({ markets: [ANSWERS.market, broken] }), 6);
    expect(decoded).toMatchObject(
      ok({ markets: [{ symbol: 'BTC-USD' }], refused: [{ symbol: 'ODD-USD', why: expect.any(String) }] }),
    );
  });

  test('a nonce is exact to 64 bits, as number or text (obligation O7)', () => {
    const wire = text(ANSWERS.nonce).replace('"nonce":2', '"nonce":18446744073709551615');
    const expected = ok({ nonce: 2n ** 64n - 1n, signingAccountId: 2, scope: `agent:${AGENT}` });
    expect(decodeNonce(wire)).toEqual(expected);
    expect(decodeNonce(text({ ...ANSWERS.nonce, nonce: '18446744073709551615' }))).toEqual(expected);
    expect(decodeNonce(text({ ...ANSWERS.nonce, nonce: -1 }))).toMatchObject(MALFORMED);
  });

  test('grants are read with their validity; one that does not say counts as expired', () => {
    expect(decodeAgents(text(ANSWERS.agents))).toEqual(
      ok([{ address: AGENT, validUntilMs: 1_803_887_990_472, isExpired: false }]),
    );
    expect(decodeAgentAccounts(text(ANSWERS.agentAccounts))).toEqual(
      ok([{ account: OWNER, subaccount: 0, accountId: 2, validUntilMs: 0, isExpired: false }]),
    );
    const vague = { agents: [{ address: AGENT.toUpperCase().replace('X', 'x'), validUntilMs: 0 }] };
    expect(decodeAgents(text(vague))).toEqual(ok([{ address: AGENT, validUntilMs: 0, isExpired: true }]));
  });

  test('time is read', () => {
    expect(decodeTime(text(ANSWERS.time))).toEqual(ok(1790239780062));
  });
});

describe('market data', () => {
  test('prices, trades, candles and funding are read in ticks and lots', () => {
    const prices = (data: object) =>
      decodeFrame(text({ channel: 'prices', seq: 1, data }), CONTEXT, NO_BOOKS);
    const expected = {
      markTicks: 1_180_005,
      lastTicks: undefined,
      openInterestLots: 200,
      fundingRatePpm: 12,
    };
    expect(prices(ANSWERS.prices)).toMatchObject(ok({ prices: [expected] }));
    const strange = { prices: [...ANSWERS.prices.prices, { symbol: 'NEW-USD', markPrice: '1' }] };
    expect(prices(strange)).toMatchObject(ok({ prices: [{ markTicks: 1_180_005 }] }));
    expect(decodeTrades(text(ANSWERS.trades), CONTEXT)).toMatchObject(
      ok([{ id: '73-0-1', aggressor: 'buy', priceTicks: 1_000_500, sizeLots: 1 }]),
    );
    expect(decodeCandles(text(ANSWERS.candles), CONTEXT)).toMatchObject(
      ok([{ interval: '1m', closeTicks: 1_000_500, volumeLots: 12, tradeCount: 3 }]),
    );
    expect(decodeFundingHistory(text(ANSWERS.fundingHistory), CONTEXT)).toEqual(
      ok([{ symbol: 'BTC-USD', ratePpm: -3, indexTicks: 1_000_000, atMs: 1790240400000 }]),
    );
  });

  test('error: one broken entry breaks the answer', () => {
    const trades = [...ANSWERS.trades.trades, { ...ANSWERS.trades.trades[0], price: 'x' }];
    expect(decodeTrades(text({ trades }), CONTEXT)).toMatchObject(MALFORMED);
  });
});

describe('account', () => {
  test('orders, positions and summary come with the position of their snapshot', () => {
    const at = { seq: 88n, epoch: 'k1790239771298524311-1696007' };
    expect(decodeOrders(text(ANSWERS.openOrders), CONTEXT)).toMatchObject(
      ok({ ...at, value: [{ orderId: '4521985', remainingLots: 3 }] }),
    );
    expect(decodePositions(text(ANSWERS.positions), CONTEXT)).toMatchObject(
      ok({ ...at, value: [{ symbol: 'BTC-USD', sizeLots: -1 }] }),
    );
    expect(decodeAccount(text(ANSWERS.account), CONTEXT)).toMatchObject(
      ok({ ...at, value: { withdrawable: 4_995_350_000n } }),
    );
  });

  test('what an order waits for is read where it is told in a known form; another form never hides the order (O14)', () => {
    const read = (fields: object) => {
      const { orders } = ANSWERS.openOrders;
      const answer = { ...ANSWERS.openOrders, orders: [{ ...orders[0], ...fields }] };
      const decoded = decodeOrders(text(answer), CONTEXT);
      return decoded.ok ? decoded.value.value[0] : undefined;
    };
    const trigger = { price: '118000.5', above: true, parentOrderId: '7' };
    expect(read({ kind: 'takeProfit', trigger })?.waiting).toEqual({
      kind: 'takeProfit',
      trigger: { priceTicks: 1_180_005, isAbove: true, parentOrderId: '7' },
    });
    const twap = { slices: 3, slicesDone: 1, intervalMs: 1_000, priceTolerancePpm: 5_000, nextSliceAt: 9 };
    const { nextSliceAt: nextSliceAtMs, ...rest } = twap;
    expect(read({ kind: 'twap', twap })?.waiting).toEqual({ kind: 'twap', twap: { ...rest, nextSliceAtMs } });
    expect(read({ kind: 'iceberg', trigger: 'none', twap: null })).toMatchObject({
      waiting: { kind: 'iceberg' },
    });
    expect(read({ kind: 7 })?.orderId).toBe('4521985');
    expect(read({ kind: 7 })).not.toHaveProperty('waiting');
  });

  test('pages keep their bounds as opaque text', () => {
    expect(decodeFillsPage(text(ANSWERS.fills), CONTEXT)).toMatchObject(
      ok({
        upper: '88-65535-4294967295',
        next: '73-0-1',
        hasMore: true,
        entries: [{ id: '73-0-1', fee: -2001n }],
      }),
    );
    expect(decodeLedgerPage(text(ANSWERS.ledger), CONTEXT)).toMatchObject(
      ok({ next: null, hasMore: false, entries: [{ id: '73-0-2', amount: 100_050_000n }] }),
    );
    const page = decodePage(text(ANSWERS.fills));
    expect(page).toMatchObject(ok({ entries: ANSWERS.fills.data }));
    expect(decodeFill(ANSWERS.fills.data[0], CONTEXT)).toMatchObject(ok({ id: '73-0-1' }));
    expect(decodeLedgerEntry(ANSWERS.ledger.data[0], CONTEXT)).toMatchObject(ok({ id: '73-0-2' }));
  });

  test('a ledger entry of another token moves no collateral, whatever its decimals (O9)', () => {
    const entry = { ...ANSWERS.ledger.data[0], token: 3, amount: '0.123456789012345678' };
    expect(decodeLedgerEntry(entry, CONTEXT)).toMatchObject(
      ok({ id: '73-0-2', amount: 0n, otherToken: { token: 3, amount: '0.123456789012345678' } }),
    );
  });

  test('error: a page that has more but no cursor would never end', () => {
    expect(decodePage(text({ ...ANSWERS.fills, next: null }))).toMatchObject(MALFORMED);
    expect(decodePage(text({ ...ANSWERS.fills, hasMore: 'yes' }))).toMatchObject(MALFORMED);
  });
});

describe('receipts', () => {
  test('name the orders that were placed, and those that were to be canceled', () => {
    expect(decodeReceipt(text(ANSWERS.receipt))).toEqual(
      ok({ status: 'executed', orderIds: ['4259841', '4521985'] }),
    );
    const { items: _items, ...bare } = ANSWERS.receipt;
    expect(decodeReceipt(text(bare))).toEqual(ok({ status: 'executed', orderIds: [] }));
    expect(decodeReceipt(text({ ...bare, items: null }))).toEqual(ok({ status: 'executed', orderIds: [] }));
  });

  test('need no index of an item: its order is asked for, not its place', () => {
    const items = (ANSWERS.receipt.items ?? []).map((one) => ({ ...one, inputIndex: undefined }));
    expect(decodeReceipt(text({ ...ANSWERS.receipt, items }))).toEqual(
      ok({ status: 'executed', orderIds: ['4259841', '4521985'] }),
    );
  });

  test('that are pending name none', () => {
    const pending = { ...ANSWERS.receipt, status: 'pending' };
    expect(decodeReceipt(text(pending))).toEqual(ok({ status: 'pending', orderIds: [] }));
  });

  const item = WRITE_ANSWERS.result.items[1] ?? {};
  test.each<[string, object]>([
    ['an unknown status', { status: 'done' }],
    ['no request id', { requestId: null }],
    ['items that are no list', { items: {} }],
    ['an unknown item state', { items: [{ ...item, state: 'parked' }] }],
    ['an accepted order without its number', { items: [{ ...item, orderId: undefined }] }],
  ])('error: %s is malformed', (_name, changes) => {
    expect(decodeReceipt(text({ ...ANSWERS.receipt, ...changes }))).toMatchObject(MALFORMED);
  });
});

describe('errors', () => {
  test('an error body is its code and details', () => {
    expect(decodeErrorBody(text(WRITE_ANSWERS.error))).toMatchObject(
      ok({ code: 'not_found', num: 1201, details: { status: 'not_found', asOfSeq: 88 } }),
    );
    expect(decodeErrorBody('{"error":{"code":"BrandNew"}}')).toEqual(
      ok({ code: 'BrandNew', num: undefined, message: '', details: {} }),
    );
  });

  test.each(['', '<html>403</html>', '{}', '{"error":"no"}', '{"error":{"code":403}}', 'null'])(
    'error: %j is no error body: the outcome is unknown (obligation O73)',
    (body) => {
      expect(decodeErrorBody(body)).toMatchObject({ ok: false });
    },
  );
});
