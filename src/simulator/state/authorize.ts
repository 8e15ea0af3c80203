/**
 * @module
 * The kernel's checks of a write, in the kernel's order: signature (done before, in `auth`), ownership, registration,
 * scope, validity, nonce. Whoever fails here has spent no nonce (wire-facts 3.2).
 */
import type { CanonicalCommand } from '../../domain/index.ts';
import type { QuirkSwitches } from '../quirks.ts';
import { type Grants, isExpired } from './grants.ts';
import { accountScope, agentScope, NONCE_GAP_MAX, type Nonces } from './nonces.ts';
import type { Registry } from './registry.ts';
import type { Operation, VerifiedRequest } from './request.ts';

/** Why a write was refused before its nonce (wire-facts 3.2). */
export type AuthRefusal =
  | 'UnboundSigner'
  | 'UnknownAgent'
  | 'AgentExpired'
  | 'AgentScopeViolation'
  | 'NonceMismatch'
  /** Under `A8=kept` only. */
  | 'OrderExpired';

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
  readonly quirks: QuirkSwitches;
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
  return (
    grantRefusalOf(tables, request, nowMs) ??
    nonceRefusalOf(tables, request) ??
    expiryRefusalOf(tables, request, nowMs)
  );
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

function nonceRefusalOf({ nonces, quirks }: AccessTables, request: VerifiedRequest): AuthRefusal | undefined {
  const ahead = request.nonce - nonces.next(scopeOf(request));
  if (ahead === 0n) return undefined;
  const isTaken = ahead > 0n && ahead <= NONCE_GAP_MAX && quirks.takes('A2', 'gaps');
  return isTaken ? undefined : 'NonceMismatch';
}

/** An order that comes too late is refused here where that costs no nonce, and by the venue where it does. */
function expiryRefusalOf(
  { quirks }: AccessTables,
  { operation }: VerifiedRequest,
  nowMs: number,
): AuthRefusal | undefined {
  if (!('goodTilMs' in operation) || operation.goodTilMs === 0 || operation.goodTilMs >= nowMs)
    return undefined;
  return quirks.takes('A8', 'kept') ? 'OrderExpired' : undefined;
}
