/**
 * Symptom: the signing domain changed while a write was open; the same bytes had another request id from then on, every
 * start failed on an assertion, and the bot never came up again.
 */
import { expect, test } from 'vitest';
import { recordedFlight } from '../../src/bot/execution/in-flight-write.ts';
import type { CommandSigner } from '../../src/bot/execution/index.ts';
import { must } from '../../src/core/index.ts';
import { ACCOUNT, aBench, aSigner, CONTEXT, TRADER } from '../unit/bot/execution/support.ts';

test('an open write is asked for by the id that it left with, whatever its bytes would have now (O5, O34)', async () => {
  const bench = aBench();
  bench.gateway.fates.push({ kind: 'requestLost' }, { kind: 'requestLost' });
  await bench.start().catch(() => undefined);
  bench.executor.dispose();
  await bench.run(10);
  const record = must(bench.journal.openWrites()[0], 'an open write');
  const moved: CommandSigner = { ...aSigner(1), prepare: aSigner(9).prepare };
  const writer = {
    lane: TRADER,
    scope: record.scope,
    signer: moved,
    context: CONTEXT,
    account: ACCOUNT,
    timeoutMs: 1,
  };
  expect(recordedFlight(writer, record).query.requestId).toBe(record.requestId);
});
