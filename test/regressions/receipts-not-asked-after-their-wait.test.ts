import { describe, expect, test } from 'vitest';
import { FenceGate } from '../../src/bot/execution/fence.ts';
import type { InFlightWrite } from '../../src/bot/execution/in-flight-write.ts';
import type { RawAnswer } from '../../src/bot/execution/ports.ts';
import { askReceipts } from '../../src/bot/execution/receipt-resolver.ts';
import { VirtualClock } from '../../src/core/index.ts';
import type { RequestId } from '../../src/domain/index.ts';

const WAIT_MS = 22_000;

function aFlight(requestId: string): InFlightWrite {
  // Only what a round of receipts looks at.
  return { record: { requestId }, query: { requestId }, expected: { requestId } } as unknown as InFlightWrite;
}

function anAnswer(status: number, code: string, details: object, retryAfterMs?: number): RawAnswer {
  const body = JSON.stringify({ error: { code, num: 1, message: 'text', details } });
  return { kind: 'answer', status, body, seq: undefined, retryAfterMs };
}

describe('a round of receipts whose first answer asks to wait', () => {
  test('is repeated when that wait is over, not so much later than its last answer', async () => {
    const clock = new VirtualClock(1_767_700_020_000);
    const pipe = {
      receipt: ({ requestId }: { readonly requestId: RequestId }) =>
        String(requestId) === '0x01'
          ? Promise.resolve(anAnswer(429, 'RateLimited', { bucket: 'ip' }, WAIT_MS))
          : // The budget lets the second one go when the wait of the first is over.
            new Promise<RawAnswer>((resolve) => {
              const missing = { status: 'not_found', epoch: 'e', asOfSeq: 7 };
              clock.after(WAIT_MS, () => resolve(anAnswer(404, 'not_found', missing)));
            }),
    };
    const contest = { contenders: [aFlight('0x01'), aFlight('0x02')], epoch: 'e' };
    const round = askReceipts(contest, { pipe, gate: new FenceGate(0), clock, minSeq: () => undefined });
    await clock.advanceAsync(WAIT_MS);
    expect(await round).toMatchObject({ kind: 'wait', afterMs: 0 });
  });

  test('keeps the wait when the others are answered at once', async () => {
    const clock = new VirtualClock(1_767_700_020_000);
    const answers = [
      anAnswer(429, 'RateLimited', { bucket: 'ip' }, WAIT_MS),
      anAnswer(404, 'not_found', { status: 'not_found', epoch: 'e', asOfSeq: 7 }),
    ];
    const pipe = { receipt: async () => answers.shift() ?? anAnswer(500, 'InternalError', {}) };
    const contest = { contenders: [aFlight('0x01'), aFlight('0x02')], epoch: 'e' };
    expect(
      await askReceipts(contest, { pipe, gate: new FenceGate(0), clock, minSeq: () => undefined }),
    ).toMatchObject({
      kind: 'wait',
      afterMs: WAIT_MS,
    });
  });
});
