/**
 * @module
 * On `--clock manual` a request that waits for a position of the log was answered when somebody advanced the clock: a test
 * with one thread waited forever. And equal requests had other answers with each start, since the clock began at the
 * machine's time.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServedExchange } from '../../src/exchange/host/index.ts';
import { serveTest } from '../support/served.ts';

/** Far more than the exchange waits, far less than forever. */
const SOON_MS = 5_000;

describe('a request that waits for the log on a clock that stands still', () => {
  let served: ServedExchange;
  beforeAll(async () => {
    served = await serveTest({ clockMode: 'manual' });
  });
  afterAll(() => served.stop());

  const ask = async (method: string, path: string, seq: string) => {
    const signal = AbortSignal.timeout(SOON_MS);
    const options = { method, signal, headers: { 'x-svc-min-seq': seq } };
    const answer = await fetch(served.server.baseUrl + path, {
      ...options,
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as { error?: { code: string } } };
  };

  test.each([
    ['GET', '/v1/time'],
    ['GET', '/v1/markets'],
    ['POST', '/v1/orders'],
    ['POST', '/v1/orders/cancel-all'],
  ])('%s %s ends with 412 when the position is not reached', async (method, path) => {
    const { status, body } = await ask(method, path, '99999');
    expect([status, body.error?.code]).toEqual([412, 'ReplicaBehind']);
  });

  test('is answered at once when the position is there', async () => {
    expect((await ask('GET', '/v1/time', '1')).status).toBe(200);
  });

  test('is answered when the position is reached meanwhile', async () => {
    const next = String(served.api.exchange.seq + 1);
    const asked = ask('GET', '/v1/time', next);
    await served.api.exchange.control.advance({ by: 1_000 });
    expect((await asked).status).toBe(200);
  });
});

test('the same requests have the same answers on clocks that stand still, without a start', async () => {
  const answers = async () => {
    const served = await serveTest({ clockMode: 'manual', isQuiet: false });
    try {
      await served.api.exchange.control.advance({ by: 3_000 });
      const paths = ['time', 'markets', 'prices', 'markets/BTC-USD/book', 'events', 'markets/BTC-USD/trades'];
      const texts = paths.map(async (path) => (await fetch(`${served.server.baseUrl}/v1/${path}`)).text());
      return await Promise.all(texts);
    } finally {
      await served.stop();
    }
  };
  const [first, second] = [await answers(), await answers()];
  expect(first).toEqual(second);
  expect(first[4]).toContain('"kind":"Fill"');
});
