/**
 * Symptom: a run ended with a stop that waited at the exchange, on a gateway whose cancel-all spares such orders (ambiguity
 * A13) and that writes their ids as numbers (A17): it was read as open each time, and named in no cancel (swarm seed 2621).
 */
import { expect, test } from 'vitest';
import { readOpenOrders } from '../../src/bot/execution/open-orders.ts';
import { proveNoOpenOrders } from '../../src/bot/execution/open-orders-proof.ts';
import type { RawAnswer } from '../../src/bot/execution/ports.ts';
import { seededRandom, VirtualClock } from '../../src/core/index.ts';
import type { OrderRef } from '../../src/domain/index.ts';

const NUMBER = '148766720';
/** Beyond what a double holds. */
const LONG = '9223372036854775807';

function listOf(...ids: readonly string[]): RawAnswer {
  const orders = ids.map((id) => `{"orderId":${id},"symbol":"ETH-USD","kind":"conditional"}`);
  return { kind: 'answer', status: 200, body: `{"orders":[${orders.join()}],"seq":7}` } as RawAnswer;
}

test.each([
  ['a number', NUMBER, NUMBER],
  ['a number of nineteen digits', LONG, LONG],
  ['text', `"${NUMBER}"`, NUMBER],
])('an open order whose id is %s can be named', (_form, written, orderId) => {
  expect(readOpenOrders(listOf(written))?.refs).toEqual([{ symbol: 'ETH-USD', orderId }]);
});

test.each(['-1', '1.5', 'null', '"k-1"', '""'])(
  'an order whose id is %s is counted and not named',
  (written) => {
    expect(readOpenOrders(listOf(written))).toMatchObject({ count: 1, refs: [] });
  },
);

test('the end of a run names what cancel-all spared, and proves the book empty', async () => {
  const clock = new VirtualClock(0);
  const named: OrderRef[] = [];
  const proof = proveNoOpenOrders({
    ...{ clock, random: seededRandom(1), timeoutMs: 5_000 },
    pipe: { openOrders: async () => (named.length === 0 ? listOf(NUMBER) : listOf()) },
    hasOpenBytes: () => false,
    position: { newest: 7n, isInDoubt: false, atMost: (seq) => seq },
    cancelAll: async () => 'executed',
    cancel: (orders) => void named.push(...orders),
    lostLanes: () => undefined,
  });
  await clock.advanceAsync(5_000);
  expect(await proof).toMatchObject({ isProven: true });
  expect(named).toEqual([{ symbol: 'ETH-USD', orderId: NUMBER }]);
});
