/** @module POST /v1/account/subaccounts: creates the next subaccount; signed by a main wallet. Its struct is x-assumed. */
import { closed } from '../../../core/index.ts';
import type { MainWalletOperation } from '../../../domain/index.ts';
import type { PlannedWrite, ReadBody } from './operation.ts';

/** The write that creates a subaccount. */
export function planCreateSubaccount(
  operation: Extract<MainWalletOperation, { kind: 'CreateSubaccount' }>,
): PlannedWrite<MainWalletOperation> {
  return { path: '/v1/account/subaccounts', canonical: operation, body: {} };
}

/** The creation of a body, which is empty. @throws FieldError */
export const readCreateSubaccount: ReadBody = (body, context) => {
  closed(body, []);
  return { canonical: { kind: 'CreateSubaccount', account: context.signingAccountId }, clientOrderIds: [] };
};
