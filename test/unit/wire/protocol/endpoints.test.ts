import { describe, expect, test } from 'vitest';
import {
  ENDPOINTS,
  type EndpointId,
  endpointOf,
  matchEndpoint,
  pathOf,
} from '../../../../src/wire/protocol/index.ts';

describe('pathOf', () => {
  test('path parameters and query values are URL-encoded (obligation O12)', () => {
    expect(pathOf('book', { path: { symbol: 'BTC/USD #1' }, query: { depth: 20 } })).toBe(
      '/v1/markets/BTC%2FUSD%20%231/book?depth=20',
    );
    expect(pathOf('nonce', { query: { address: '0x11', signer: 'a+b&c=d', subaccount: undefined } })).toBe(
      '/v1/account/nonce?address=0x11&signer=a%2Bb%26c%3Dd',
    );
  });

  test('integers of the query keep all their digits', () => {
    const nonce = 2n ** 64n - 1n;
    expect(pathOf('receipt', { path: { requestId: '0xab' }, query: { nonce } })).toBe(
      '/v1/requests/0xab?nonce=18446744073709551615',
    );
  });

  test('error: a missing path parameter is named', () => {
    expect(() => pathOf('market')).toThrow(/path parameter symbol of market/);
    expect(() => pathOf('market', { path: { symbol: '' } })).toThrow(/got nothing/);
  });
});

describe('matchEndpoint', () => {
  test.each(ENDPOINTS.map(({ id }) => id))('%s is found by the path it makes', (id: EndpointId) => {
    const hard = 'a+b %&#/:é';
    const names = ['clientOrderId', 'orderId', 'address', 'requestId', 'symbol', 'id'];
    const holes = Object.fromEntries(names.map((name) => [name, hard]));
    const endpoint = endpointOf(id);
    const match = matchEndpoint(endpoint.method, pathOf(id, { path: holes }));
    expect(match?.endpoint.id).toBe(id);
    for (const value of Object.values(match?.params ?? {})) expect(value).toBe(hard);
  });

  test.each([
    ['GET', '/v2/time'],
    ['GET', '/v1/time/'],
    ['POST', '/v1/time'],
    ['GET', '/v1/markets//book'],
    ['GET', '/v1/markets/%E0%A4%A/book'],
  ])('%s %s is no endpoint', (method, path) => {
    expect(matchEndpoint(method, path)).toBeUndefined();
  });

  test('literal segments win over parameters', () => {
    expect(matchEndpoint('POST', '/v1/orders/cancel')?.endpoint.id).toBe('cancelOrders');
    expect(matchEndpoint('GET', '/v1/account/orders/history')?.endpoint.id).toBe('orderHistory');
  });
});

test('every path is under /v1 and no method and path stand twice', () => {
  const keys = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { path } of ENDPOINTS) expect(path).toMatch(/^\/v1\/[a-zA-Z{}/-]+$/);
});
