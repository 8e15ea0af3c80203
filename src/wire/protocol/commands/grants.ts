/**
 * @module
 * POST /v1/account/agents/approve and /revoke: grants of API wallets, signed only by a main wallet (obligation O51).
 */
import { ADDRESS, closed, fieldOf } from '../../../core/index.ts';
import type { MainWalletOperation } from '../../../domain/index.ts';
import { INSTANT } from './body-refused.ts';
import type { PlannedWrite, ReadBody } from './operation.ts';

type OperationOf<Kind> = Extract<MainWalletOperation, { kind: Kind }>;

/** The write that grants an API wallet, or changes how long its grant holds. */
export function planApprove(operation: OperationOf<'ApproveAgent'>): PlannedWrite<MainWalletOperation> {
  const { agent, validUntilMs } = operation;
  return { path: '/v1/account/agents/approve', canonical: operation, body: { agent, validUntilMs } };
}

/** The write that takes a grant away. */
export function planRevoke(operation: OperationOf<'RevokeAgent'>): PlannedWrite<MainWalletOperation> {
  return { path: '/v1/account/agents/revoke', canonical: operation, body: { agent: operation.agent } };
}

/** The grant of a body. @throws FieldError */
export const readApprove: ReadBody = (body, context) => {
  const part = closed(body, ['agent', 'validUntilMs']);
  return {
    canonical: {
      kind: 'ApproveAgent',
      account: context.signingAccountId,
      agent: fieldOf(part, 'agent', ADDRESS),
      validUntilMs: fieldOf(part, 'validUntilMs', INSTANT),
    },
    clientOrderIds: [],
  };
};

/** The revocation of a body. @throws FieldError */
export const readRevoke: ReadBody = (body, context) => {
  const part = closed(body, ['agent']);
  return {
    canonical: {
      kind: 'RevokeAgent',
      account: context.signingAccountId,
      agent: fieldOf(part, 'agent', ADDRESS),
    },
    clientOrderIds: [],
  };
};
