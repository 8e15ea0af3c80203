/**
 * @module
 * The kernel's checks of a write, in the kernel's order: signature (done before, in `auth`), ownership, registration,
 * scope, validity, nonce. Whoever fails here has spent no nonce (wire-facts 3.2).
 */
import type { CanonicalCommand } from '../../domain/index.ts';
import { type Grants, isExpired } from './grants.ts';
import { accountScope, agentScope, type Nonces } from './nonces.ts';
import type { Registry } from './registry.ts';
import type { Operation, VerifiedRequest } from './request.ts';

/** Why a write was refused before its nonce (wire-facts 3.2). */
export type AuthRefusal =
  | 'UnboundSigner'
  | 'UnknownAgent'
  | 'AgentExpired'
  | 'AgentScopeViolation'
  | 'NonceMismatch';

/** What an API wallet may do (wire-facts 1.4); CancelAll is an own choice (decisions, fidelity choices). */
const AGENT_OPERATIONS: ReadonlySet<Operation['kind']> = new Set<CanonicalCommand['kind']>([
  'PlaceOrder',
  'CancelOrder',
  'BatchPlace',
  'BatchCancel',
  'BatchReplace',
  'ModifyOrder',
  'SetLeverage',
  'PlaceConditional',
  'CancelConditional',
  'PlaceTwap',
  'CancelTwap',
  'PlaceTpslPair',
  'ScheduleCancel',
  'CancelAll',
]);

/** Where the kernel looks. */
export interface AccessTables {
  readonly registry: Registry;
  readonly grants: Grants;
  readonly nonces: Nonces;
}

/** The nonce scope a request counts in. */
export function scopeOf(request: VerifiedRequest): string {
  return request.isAgent ? agentScope(request.signer) : accountScope(request.operation.account);
}

/** Why this request may not be executed at `nowMs` (block time), `undefined` when it may. */
export function refusalOf(
  tables: AccessTables,
  request: VerifiedRequest,
  nowMs: number,
): AuthRefusal | undefined {
  return grantRefusalOf(tables, request, nowMs) ?? nonceRefusalOf(tables, request);
}

/** The part before the nonce: may this signer do this on this account at all? */
export function grantRefusalOf(
  { registry, grants }: AccessTables,
  request: VerifiedRequest,
  nowMs: number,
): AuthRefusal | undefined {
  const account = request.operation.account;
  if (!request.isAgent) {
    if (registry.byId(account)?.owner !== request.signer) return 'UnboundSigner';
    return isPastApproval(request, nowMs) ? 'AgentExpired' : undefined;
  }
  const grant = grants.find(account, request.signer);
  if (grant === undefined) return 'UnknownAgent';
  if (!AGENT_OPERATIONS.has(request.operation.kind)) return 'AgentScopeViolation';
  return isExpired(grant, nowMs) ? 'AgentExpired' : undefined;
}

/** A grant that would be over before it began is refused like an expired one (wire-facts 1.4). */
function isPastApproval({ operation }: VerifiedRequest, nowMs: number): boolean {
  return operation.kind === 'ApproveAgent' && operation.validUntilMs !== 0 && operation.validUntilMs < nowMs;
}

function nonceRefusalOf({ nonces }: AccessTables, request: VerifiedRequest): AuthRefusal | undefined {
  return request.nonce === nonces.next(scopeOf(request)) ? undefined : 'NonceMismatch';
}
