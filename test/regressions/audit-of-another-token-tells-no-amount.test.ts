import { expect, test } from 'vitest';
import { Recorder, recordChange } from '../../src/bot/kernel/audit-recorder.ts';
import { type AuditEvent, VirtualClock } from '../../src/core/index.ts';
import { type Cursor, quantums } from '../../src/domain/index.ts';

test('the audit tells what came of another token', () => {
  const events: AuditEvent[] = [];
  const audit = { record: (event: AuditEvent) => void events.push(event) };
  const otherToken = { token: 1, amount: '0.250000000000000000' };
  recordChange(new Recorder(audit, new VirtualClock(0), 'inputs'), {
    type: 'LedgerApplied',
    entry: {
      id: '7-0-0' as Cursor,
      kind: 'deposit',
      amount: quantums(0n),
      otherToken,
      symbol: null,
      orderId: null,
      atMs: null,
    },
  });
  expect(events).toMatchObject([{ type: 'LedgerApplied', fields: { amount: '0', otherToken } }]);
});
