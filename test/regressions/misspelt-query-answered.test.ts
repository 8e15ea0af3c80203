/**
 * @module
 * A misspelt or repeated query parameter was answered as if it were not there, where bodies are refused: `?limt=5` gave
 * everything, `events?symbol=` gave all markets, a cursor of a position that does not exist gave an empty page.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS, type Endpoint, pathOf } from '../../src/wire/protocol/index.ts';
import { startTestExchange, type TestExchange } from '../support/test-exchange.ts';

const ADDRESS = `0x${'0'.repeat(40)}`;
let venue: TestExchange;
beforeAll(async () => {
  venue = await startTestExchange({ ipWeightLimit: 1_000_000 });
});

/** A path of the endpoint, with what it needs in the path. */
function pathTo({ id }: Endpoint): string {
  const path = {
    ...{ clientOrderId: 'a', orderId: '1', address: ADDRESS, requestId: `0x${'0'.repeat(64)}` },
    ...{ symbol: 'BTC-USD', id: '1' },
  };
  return pathOf(id as Parameters<typeof pathOf>[0], { path });
}

const ask = ({ method }: Endpoint, path: string) =>
  method === 'GET' ? venue.get(path) : venue.post(path, '{}');
const endpoints = (ENDPOINTS as readonly Endpoint[]).map((endpoint) => ({ name: endpoint.id, endpoint }));

describe('a query parameter that is not known', () => {
  test.each(endpoints)('is refused: $name', ({ endpoint }) => {
    for (const name of ['foo', 'limt', 'Symbol', '__proto__', 'toString', '']) {
      const { status, json } = ask(endpoint, `${pathTo(endpoint)}?${name}=1`);
      expect([status, json.error.code], name).toEqual([400, 'InvalidRequest']);
      expect(json.error.message).toContain(JSON.stringify(name));
    }
  });

  test.each(endpoints.filter(({ endpoint }) => endpoint.query.length > 0))(
    'is refused beside a known one, and a known one twice: $name',
    ({ endpoint }) => {
      for (const known of endpoint.query) {
        const twice = ask(endpoint, `${pathTo(endpoint)}?${known}=1&${known}=1`);
        expect(twice.status, known).toBe(400);
        expect(twice.json.error.message).toBe(`expected the query parameter "${known}" once`);
        const beside = ask(endpoint, `${pathTo(endpoint)}?${known}=1&foo=1`);
        expect(beside.json.error.message).toContain('"foo"');
      }
    },
  );

  test('costs no nonce', () => {
    const before = venue.nextNonce(`agent:${venue.agent}`);
    const { text } = venue.signed('/v1/orders/cancel-all', {}, { nonce: before });
    expect(venue.post('/v1/orders/cancel-all?acc=sequenced', text).status).toBe(400);
    expect(venue.post('/v1/orders/cancel-all?ack=result', text).json.status).toBe('executed');
  });

  test('is answered where it is right', () => {
    expect(venue.get('/v1/markets?').status).toBe(200);
    expect(venue.get('/v1/markets/BTC-USD/book?depth=1').status).toBe(200);
    expect(venue.get(`/v1/account?address=${venue.address}&subaccount=0`).status).toBe(200);
  });
});

describe('events of one market', () => {
  test('are those of its symbol', async () => {
    const fresh = await startTestExchange();
    fresh.place([{}, { symbol: 'ETH-USD', price: '3000.00', size: '0.010' }]);
    const of = (query: string) =>
      fresh
        .get(`/v1/events?${query}`)
        .json.data.filter(({ kind }: { kind: string }) => kind === 'OrderAccepted')
        .map(({ data }: { data: { symbol: string } }) => data.symbol);
    expect(of('')).toEqual(['BTC-USD', 'ETH-USD']);
    expect(of('symbol=ETH-USD')).toEqual(['ETH-USD']);
    expect(of(`symbol=BTC-USD&address=${fresh.address}`)).toEqual(['BTC-USD']);
    const kinds = fresh.get('/v1/events?symbol=BTC-USD').json.data;
    expect(kinds.every(({ data }: { data: { symbol?: string } }) => data.symbol === 'BTC-USD')).toBe(true);
    expect(fresh.get('/v1/events?symbol=DOGE').status).toBe(404);
    expect(fresh.get('/v1/events?symbol=').status).toBe(404);
  });
});

describe('a bound out of range', () => {
  test.each(['1-65536-0', '1-0-4294967296', '1-0', '-1-0-0', '1-0-0 ', ''])('is no cursor: %j', (cursor) => {
    const { epoch, upper } = venue.get('/v1/events').json;
    const bounds = [
      `after=${encodeURIComponent(cursor)}&epoch=${epoch}&upper=${upper}`,
      `epoch=${epoch}&upper=${encodeURIComponent(cursor)}`,
    ];
    for (const query of bounds) {
      const { status, json } = venue.get(`/v1/events?${query}`);
      expect([status, json.error.code], query).toEqual([400, 'InvalidPagination']);
    }
  });

  test('is not yet complete where the log has not come to it', () => {
    const { epoch, upper } = venue.get('/v1/events').json;
    for (const cursor of ['99999999-0-0', `${venue.exchange.seq + 1}-0-0`]) {
      const { status, json } = venue.get(`/v1/events?after=${cursor}&epoch=${epoch}&upper=${upper}`);
      expect([status, json.error.code]).toEqual([400, 'HistoryNotComplete']);
    }
    expect(venue.get(`/v1/events?after=${upper}&epoch=${epoch}&upper=${upper}`).json.data).toEqual([]);
  });

  test.each(['0', '-1', '1001', '1.5', '1e2', '', 'x'])('is no limit: %j', (limit) => {
    for (const path of ['/v1/events', '/v1/markets/BTC-USD/trades', '/v1/markets/BTC-USD/funding'])
      expect(venue.get(`${path}?limit=${limit}`).status).toBe(400);
  });

  test('is no span of candles', () => {
    const candles = '/v1/markets/BTC-USD/candles?interval=1m';
    expect(venue.get(`${candles}&startTime=2&endTime=1`).status).toBe(400);
    expect(venue.get(`${candles}&startTime=1&endTime=1`).status).toBe(200);
  });
});
