/**
 * @module
 * The request of an approval was lost on its way. A start waited for its receipt for half a minute, all the time being
 * told that nothing had come, before it gave up and the next one could approve (I13, obligation O63).
 */
import { expect, test } from 'vitest';
import { messageOf } from '../../src/core/index.ts';
import { approvalRig } from '../support/approval-rig.ts';

/** What became of an approval through `meddle`, and after which time. */
async function approval(meddle: Parameters<typeof approvalRig>[0]) {
  const { clock, approve, close } = await approvalRig(meddle);
  const sinceMs = clock.monotonicMs();
  const outcome = await approve().then(() => 'executed', messageOf);
  const afterMs = clock.monotonicMs() - sinceMs;
  await close();
  return { outcome, afterMs };
}

test('an approval that does not come is given up by name ten seconds after its answer failed', async () => {
  const { outcome, afterMs } = await approval((request) => async (asked) => {
    if (asked.method === 'POST') return { kind: 'lost', why: 'timeout' };
    return await request(asked);
  });
  expect(outcome).toMatch(
    /^GATEWAY_WRITE_UNRESOLVED: expected a receipt of 0x[0-9a-f]+, got none within \d+ ms$/,
  );
  expect(afterMs).toBeGreaterThanOrEqual(10_000);
  expect(afterMs).toBeLessThan(11_000);
});

test('one that comes late is waited for, and so is one that is pending', async () => {
  let postedAtMs = 0;
  const { outcome, afterMs } = await approval((request, clock) => async (asked) => {
    if (asked.method === 'POST') {
      postedAtMs = clock.monotonicMs();
      clock.after(8_000, () => void request(asked));
      return { kind: 'lost', why: 'timeout' };
    }
    const answer = await request(asked);
    const isReceipt =
      asked.path.includes('/v1/requests/') && answer.kind === 'answer' && answer.status === 200;
    if (!isReceipt || clock.monotonicMs() - postedAtMs > 22_000) return answer;
    return { ...answer, body: answer.body.replace('"status":"executed"', '"status":"pending"') };
  });
  expect(outcome).toBe('executed');
  expect(afterMs).toBeGreaterThan(22_000);
});
