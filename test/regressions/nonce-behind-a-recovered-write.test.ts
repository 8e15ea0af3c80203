/** @module A nonce that a recovered write has used is not signed again, however old the replica is (invariant I7). */
import { describe, expect, test } from 'vitest';
import { createInMemoryJournal } from '../../src/bot/journal/index.ts';
import { approve } from '../../src/domain/index.ts';
import { aSpec } from '../support/trading-builders.ts';
import { aBench, answer, TRADER } from '../unit/bot/execution/support.ts';

describe('a restart with an open write', () => {
  test('goes on behind it although the replica has not seen it and its outcome is not durable yet', async () => {
    const first = aBench();
    await first.start();
    first.gateway.fates.push({ kind: 'answerLost' });
    first.executor.submit(approve({ lane: TRADER, command: { kind: 'place', orders: [aSpec()] } }));
    await first.run(4);
    const rows = first.journal.crash();
    first.executor.dispose();
    await first.run(100);
    const memory = createInMemoryJournal({ rows, commit: { clock: first.clock, delayMs: 500 } });
    const { gateway } = first;
    const { nonce } = gateway;
    gateway.nonce = async (signer) =>
      signer === first.trader.address
        ? answer(200, { nonce: 0, signingAccountId: 7, scope: `agent:${signer}` })
        : await nonce.call(gateway, signer);
    const second = aBench({ clock: first.clock, gateway, memory });
    const started = second.executor.start();
    await second.run(3000);
    const report = await started;
    expect(report.lanes.find(({ lane }) => lane === TRADER)).toMatchObject({ nonce: 1n, recovered: 1 });
  });
});
