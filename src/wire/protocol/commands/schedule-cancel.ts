/** @module POST /v1/orders/schedule-cancel: the dead man's switch; absolute trigger in Unix ms, 0 clears it. */
import { closed, fieldOf } from '../../../core/index.ts';
import type { ScheduleCancel } from '../../../domain/index.ts';
import type { WriteContext } from '../write-context.ts';
import { INSTANT } from './body-refused.ts';
import type { PlannedWrite, ReadBody } from './operation.ts';

/** The write that arms, moves or clears the switch. */
export function planScheduleCancel(
  command: ScheduleCancel,
  context: WriteContext,
  nowMs: number,
): PlannedWrite {
  const triggerMs = command.triggerAtMs;
  return {
    path: '/v1/orders/schedule-cancel',
    canonical: { kind: 'ScheduleCancel', account: context.signingAccountId, triggerMs, nowMs },
    body: { triggerMs, nowMs },
  };
}

/** The scheduled cancel of a body. @throws FieldError */
export const readScheduleCancel: ReadBody = (body, context) => {
  const part = closed(body, ['triggerMs', 'nowMs']);
  return {
    canonical: {
      kind: 'ScheduleCancel',
      account: context.signingAccountId,
      triggerMs: fieldOf(part, 'triggerMs', INSTANT),
      nowMs: fieldOf(part, 'nowMs', INSTANT),
    },
    clientOrderIds: [],
  };
};
