/** @module POST /v1/orders/cancel-all: account-wide, resting and triggered orders alike. Its struct is x-assumed. */
import { closed } from '../../../core/index.ts';
import type { WriteContext } from '../write-context.ts';
import type { PlannedWrite, ReadBody } from './operation.ts';

/** The write of a cancel-all. */
export function planCancelAll(context: WriteContext): PlannedWrite {
  return {
    path: '/v1/orders/cancel-all',
    canonical: { kind: 'CancelAll', account: context.signingAccountId },
    body: {},
  };
}

/** The cancel-all of a body, which is empty. @throws FieldError */
export const readCancelAll: ReadBody = (body, context) => {
  closed(body, []);
  return { canonical: { kind: 'CancelAll', account: context.signingAccountId }, clientOrderIds: [] };
};
