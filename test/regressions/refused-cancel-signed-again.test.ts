import { expect, test } from 'vitest';
import { must } from '../../src/core/index.ts';
import type { OrderId } from '../../src/domain/index.ts';
import { BTC } from '../support/trading-builders.ts';
import { aBench, type Bench, refusal } from '../unit/bot/execution/support.ts';

const REFUSED = {
  kind: 'answer',
  answer: refusal(422, 'AuthUnavailable', { nonceConsumed: false }),
} as const;

/** How often each signed text left. */
function departures({ gateway }: Bench): number[] {
  const counts = new Map<string, number>();
  for (const { body } of gateway.posts) counts.set(body, (counts.get(body) ?? 0) + 1);
  return [...counts.values()];
}

function cancel(bench: Bench): void {
  bench.executor.submitSafety({ kind: 'cancel', orders: [{ symbol: BTC, orderId: '11' as OrderId }] });
}

/**
 * A cancel that was refused with its nonce unspent was asked for again: the same command for the same nonce is the same
 * bytes, and they left a second time. One request was two writes then, and closed itself as superseded on its own.
 */
test('the bytes of a refused cancel leave once, also when it is asked for again', async () => {
  const bench = aBench();
  await bench.start();
  bench.gateway.orders.add('11');
  bench.gateway.fates.push(REFUSED);
  cancel(bench);
  await bench.run(20);
  cancel(bench);
  await bench.run(200);
  expect(departures(bench).every((count) => count === 1)).toBe(true);
  expect(bench.of('CancelRejected').map(({ reason }) => reason)).toEqual(['AuthUnavailable', 'NotExecuted']);
  expect(bench.executor.unresolved()).toBe(0);
  cancel(bench);
  await bench.run(50);
  expect(bench.of('CancelExecuted')).toHaveLength(1);
});

test('refused bytes that are sequenced after all are the end of what was asked for again (O61)', async () => {
  const bench = aBench();
  await bench.start();
  bench.gateway.orders.add('11');
  bench.gateway.fates.push(REFUSED);
  cancel(bench);
  await bench.run(20);
  // The gateway had kept the bytes.
  const refused = must(bench.gateway.posts.at(-1), 'the refused one');
  const late = bench.gateway.post(refused);
  cancel(bench);
  await bench.run(200);
  await late;
  expect(bench.of('CancelExecuted')).toHaveLength(1);
  expect(bench.gateway.posts.filter(({ body }) => body === refused.body)).toHaveLength(2);
  expect(bench.of('WriteResolved').at(-1)).toMatchObject({ outcome: 'executed' });
});

test('a refused cancel-all that is wanted again is carried out with the next nonce', async () => {
  const bench = aBench();
  await bench.start();
  bench.gateway.orders.add('11');
  bench.gateway.fates.push(REFUSED);
  bench.executor.submitSafety({ kind: 'cancelAll' });
  await bench.run(3);
  bench.executor.submitSafety({ kind: 'cancelAll' });
  await bench.run(200);
  expect(departures(bench).every((count) => count === 1)).toBe(true);
  expect(bench.gateway.executed.filter(({ kind }) => kind === 'CancelAll')).toHaveLength(1);
  expect(bench.gateway.orders.size).toBe(0);
});
