/**
 * Symptom: a proxy garbled the answer to the first question for open orders and called it a 404, or lost its epoch. The
 * start went on without an epoch: receipts of writes that an earlier life had left open closed them as writes of a ledger
 * that is gone, and new writes were recorded without an epoch.
 */
import { expect, test } from 'vitest';
import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { aBench, answer, type Bench, refusal } from '../unit/bot/execution/support.ts';

/** The first answers to the question for open orders are these. */
function answerFirst({ gateway }: Bench, ...answers: ReturnType<typeof answer>[]): typeof answers {
  const openOrders = gateway.openOrders.bind(gateway);
  gateway.openOrders = async () => answers.shift() ?? (await openOrders());
  return answers;
}

test('a 404 of a proxy is no account that does not exist: it is asked again (O17, O73)', async () => {
  const bench = aBench();
  const left = answerFirst(bench, answer(404, '\u0000\u0001 not json'));
  const started = bench.executor.start();
  await bench.run(2_000);
  expect(await started).toMatchObject({ epoch: bench.gateway.epoch });
  expect(left).toEqual([]);
  bench.executor.dispose();
});

test('a 404 of the exchange is an account that is empty so far (O17)', async () => {
  const bench = aBench();
  answerFirst(bench, refusal(404, 'NotFound'));
  const started = bench.executor.start();
  await bench.run(100);
  expect(await started).toMatchObject({ epoch: '', openOrders: 0 });
  bench.executor.dispose();
});

test('an answer without an epoch leaves that of the books (I18)', async () => {
  const memory = createInMemoryJournal();
  const bench = aBench({ memory });
  await memory.resetEpoch(bench.gateway.epoch);
  answerFirst(bench, answer(200, { orders: [], seq: 4 }));
  const started = bench.executor.start();
  await bench.run(100);
  expect(await started).toMatchObject({ epoch: bench.gateway.epoch });
  bench.executor.dispose();
});
