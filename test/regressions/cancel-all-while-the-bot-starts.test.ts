import { expect, test } from 'vitest';
import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, aSigner, type Bench, SAFETY, TRADER } from '../unit/bot/execution/support.ts';

/**
 * A monitor that saw a stranger's order between the first facts and the first write wanted everything canceled; execution
 * took that for a bug, and the run ended as one.
 */
test('what takes risk away waits for the end of the start, and is carried out then', async () => {
  const bench = aBench();
  bench.executor.submitSafety({ kind: 'cancelAll' });
  await bench.start();
  await bench.run(1_500);
  expect(bench.gateway.executed.filter(({ kind }) => kind === 'CancelAll')).toHaveLength(1);
  bench.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
  await bench.run(50);
  expect(bench.gateway.orders.size).toBe(1);
});

/** Makes every answer to the question for a nonce late; that of one wallet alone, when it is named. */
function delayNonces({ gateway, clock }: Bench, delayMs: number, only?: string): void {
  const nonce = gateway.nonce.bind(gateway);
  gateway.nonce = async (signer) => {
    if (only === undefined || signer === only)
      await new Promise<void>((resolve) => void clock.after(delayMs, resolve));
    return nonce(signer);
  };
}

/** A lane was free from the moment its nonce was known, and a cancel-all took the nonce that was still to be burnt. */
test('what takes risk away waits until the first nonce of a fresh wallet is burnt (obligation O122)', async () => {
  const lanes = [
    { id: TRADER, signer: aSigner(1) },
    { id: SAFETY, signer: aSigner(2), consumeFirstNonce: true },
  ];
  const bench = aBench({ lanes });
  delayNonces(bench, 300, bench.trader.address);
  const started = bench.executor.start();
  await bench.run(200);
  bench.executor.submitSafety({ kind: 'cancelAll' });
  await bench.run(1_500);
  await started;
  const kinds = bench.gateway.posts.filter(({ signer }) => signer === bench.safety.address);
  expect(kinds.slice(0, 2).map(({ kind }) => kind)).toEqual(['ScheduleCancel', 'CancelAll']);
});

/** Between the end of what was recovered and the answer about the next nonce the lane passed for free. */
test('what takes risk away waits until a recovered lane knows its next nonce (obligation O34)', async () => {
  const before = aBench();
  await before.start();
  before.gateway.fates.push({ kind: 'answerLost' });
  before.executor.submitSafety({ kind: 'cancelAll' });
  await before.run(7);
  before.executor.dispose();
  const { clock, gateway } = before;
  const bench = aBench({ clock, gateway, memory: createInMemoryJournal({ rows: before.journal.rows() }) });
  delayNonces(bench, 300);
  gateway.posts.length = 0;
  const started = bench.executor.start();
  await bench.run(400);
  expect(bench.of('WriteResolved')).toHaveLength(1);
  bench.executor.submitSafety({ kind: 'cancelAll' });
  await bench.run(100);
  expect(gateway.posts).toEqual([]);
  await bench.run(2_000);
  await started;
  expect(bench.bugs).toEqual([]);
  expect(gateway.posts.some(({ kind }) => kind === 'CancelAll')).toBe(true);
});
