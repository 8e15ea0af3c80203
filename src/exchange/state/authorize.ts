/**
 * @module The kernel's checks of a write, in the kernel's order: signature (done before, in `auth`), ownership,
 * registration, scope, validity, nonce. A request that fails here has consumed no nonce (exchange.md#nonces).
 */
import type { CanonicalCommand } from '../../domain/index.ts';
import { type Grants, isExpired } from './grants.ts';
import { NONCE_GAP_MAX, type Nonces } from './nonces.ts';
import type { QuirkSwitches } from './quirks.ts';
import type { Registry } from './registry.ts';
import type { Operation, VerifiedRequest } from './request.ts';
import type { Vault, Vaults } from './vaults.ts';

/** Why a write was refused before its nonce (exchange.md#nonces). */
export type AuthRefusal =
  | 'UnboundSigner'
  | 'UnknownAgent'
  | 'AgentExpired'
  | 'AgentScopeViolation'
  | 'NonceMismatch'
  /** Under `A8=kept` only. */
  | 'OrderExpired';

/** What an API wallet may do (exchange.md#signing); CancelAll is an own choice. */
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

/** What the vault identity is good for: the commands of the six operations (openapi.yaml). */
const VAULT_OPERATIONS: ReadonlySet<Operation['kind']> = new Set<CanonicalCommand['kind']>([
  'PlaceOrder',
  'BatchPlace',
  'PlaceConditional',
  'CancelOrder',
  'BatchCancel',
  'CancelConditional',
  'BatchReplace',
  'ModifyOrder',
  'CancelAll',
  'ScheduleCancel',
  'SetLeverage',
]);

/** Where the kernel looks. */
export interface AccessTables {
  /** Wallets and their accounts. */
  readonly registry: Registry;
  /** Grants of API wallets. */
  readonly grants: Grants;
  /** Next nonce of each scope. */
  readonly nonces: Nonces;
  /** Vaults of the exchange. */
  readonly vaults: Vaults;
  /** Chosen answers to the open points of the interface. */
  readonly quirks: QuirkSwitches;
}

/** Why this request may not be executed at `nowMs` (block time), `undefined` when it may. `scope`: of its nonce. */
export function refusalOf(
  tables: AccessTables,
  request: VerifiedRequest,
  { nowMs, scope }: { readonly nowMs: number; readonly scope: string },
): AuthRefusal | undefined {
  return (
    grantRefusalOf(tables, request, nowMs) ??
    nonceRefusalOf(tables, request.nonce, scope) ??
    expiryRefusalOf(tables, request, nowMs)
  );
}

/** The part before the nonce: may this signer do this on this account at all? */
export function grantRefusalOf(
  { registry, grants, vaults }: AccessTables,
  request: VerifiedRequest,
  nowMs: number,
): AuthRefusal | undefined {
  const account = request.operation.account;
  const vault = vaults.byId(account);
  const acting = vault === undefined ? registry.byId(account) : vault.manager;
  if (!request.isAgent) {
    if (acting?.owner !== request.signer) return 'UnboundSigner';
    if (isForeignVault(vaults, request, vault)) return 'UnboundSigner';
    return isPastApproval(request, nowMs) ? 'AgentExpired' : undefined;
  }
  // For a vault the grant must be on the account that its manager claimed it with.
  const grant = grants.find(vault === undefined ? account : (acting?.id ?? account), request.signer);
  if (grant === undefined) return 'UnknownAgent';
  const { kind } = request.operation;
  if (!AGENT_OPERATIONS.has(kind) || (vault !== undefined && !VAULT_OPERATIONS.has(kind)))
    return 'AgentScopeViolation';
  return isExpired(grant, nowMs) ? 'AgentExpired' : undefined;
}

/**
 * True if a main wallet asks what it may not: to act as a vault, or to configure a vault that another wallet created.
 */
function isForeignVault(vaults: Vaults, { operation, signer }: VerifiedRequest, vault?: Vault): boolean {
  if (vault !== undefined) return !VAULT_OPERATIONS.has(operation.kind);
  return operation.kind === 'ConfigureVault' && vaults.byId(operation.vault)?.creator !== signer;
}

/** A grant that would be over before it began is refused like an expired one (exchange.md#signing). */
function isPastApproval({ operation }: VerifiedRequest, nowMs: number): boolean {
  return operation.kind === 'ApproveAgent' && operation.validUntilMs !== 0 && operation.validUntilMs < nowMs;
}

function nonceRefusalOf(
  { nonces, quirks }: AccessTables,
  nonce: bigint,
  scope: string,
): AuthRefusal | undefined {
  const ahead = nonce - nonces.next(scope);
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
