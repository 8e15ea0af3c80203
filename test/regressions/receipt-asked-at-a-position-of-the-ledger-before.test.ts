import { expect, test } from 'vitest';
import { FenceGate } from '../../src/bot/execution/fence.ts';
import type { InFlightWrite } from '../../src/bot/execution/in-flight-write.ts';
import type { RawAnswer } from '../../src/bot/execution/ports.ts';
import { askReceipts } from '../../src/bot/execution/receipt-resolver.ts';
import { VirtualClock } from '../../src/core/index.ts';

test('a ledger begun again during a round of receipts voids the position for the rest of the round (O20)', async () => {
  const asked: (bigint | undefined)[] = [];
  let position: bigint | undefined = 1_517n;
  const behind: RawAnswer = {
    kind: 'answer',
    status: 412,
    body: JSON.stringify({ error: { code: 'ReplicaBehind', num: 1400, message: 'text', details: {} } }),
    seq: undefined,
    retryAfterMs: undefined,
  };
  const pipe = {
    receipt: async (_query: unknown, minSeq?: bigint): Promise<RawAnswer> => {
      asked.push(minSeq);
      // Another lane hears of the new ledger while this answer is on its way.
      position = undefined;
      return behind;
    },
  };
  // Only what a round of receipts looks at.
  const contenders = ['0x01', '0x02'].map(
    (requestId) =>
      ({ record: { requestId }, query: { requestId }, expected: { requestId } }) as unknown as InFlightWrite,
  );
  const clock = new VirtualClock(0);
  const tools = { pipe, clock, gate: new FenceGate(0), minSeq: () => position };
  expect(await askReceipts({ contenders, epoch: 'e' }, tools)).toMatchObject({ kind: 'wait' });
  expect(asked).toEqual([1_517n, undefined]);
});
