/**
 * @module
 * Nonce scopes: one strict counter each, and who used which number. A nonce must be exactly the next one; a stale or
 * skipped one changes nothing (exchange.md#nonces).
 */
import { assert } from '../../core/index.ts';
import type { Address } from '../../domain/index.ts';

/** The scope of a main wallet's operations on one account. */
export function accountScope(account: number): string {
  return `account:${account}`;
}

/** The scope of everything an API wallet signs, over all accounts it acts for. */
export function agentScope(agent: Address): string {
  return `agent:${agent}`;
}

/** Scopes of API wallets: one text for all writes of each of them. */
export class AgentScopes {
  readonly #byAgent = new Map<Address, string>();

  /** {@link agentScope}, remembered. */
  of(agent: Address): string {
    let scope = this.#byAgent.get(agent);
    if (scope === undefined) {
      if (this.#byAgent.size >= AGENTS_MAX) this.#byAgent.clear();
      scope = agentScope(agent);
      this.#byAgent.set(agent, scope);
    }
    return scope;
  }
}

/** How far ahead a nonce may skip where gaps are taken at all: each number skipped costs memory. */
export const NONCE_GAP_MAX = 10_000n;

/** How far over the maximum the users of a scope may grow before they are cut: cutting is linear. */
const SLACK = 2;

/** API wallets whose scope is remembered. */
const AGENTS_MAX = 10_000;

/** Marks the user of a number that was skipped. */
const NOBODY = '';

interface Scope {
  /** The nonce that the first of `consumers` used. */
  firstNonce: number;
  consumers: string[];
}

/** The counters of all scopes, with the requests that used their newest numbers. */
export class Nonces {
  readonly #scopes = new Map<string, Scope>();
  readonly #consumersMax: number;

  constructor(consumersMax: number) {
    this.#consumersMax = consumersMax;
  }

  /** The next nonce of `scope`; an unused scope begins at 0. */
  next(scope: string): bigint {
    const used = this.#scopes.get(scope);
    return used === undefined ? 0n : BigInt(used.firstNonce + used.consumers.length);
  }

  /** Skips the numbers before `nonce`. */
  skipTo(scope: string, nonce: bigint): void {
    for (let next = this.next(scope); next < nonce; next++) this.consume(scope, next, NOBODY);
  }

  /** Lets a scope count from 0 again. */
  restart(scope: string): void {
    this.#scopes.delete(scope);
  }

  /** Consumes `nonce`, which must be the next one, for `requestId`. */
  consume(scope: string, nonce: bigint, requestId: string): void {
    const used = this.#scopes.get(scope);
    const next = used === undefined ? 0n : BigInt(used.firstNonce + used.consumers.length);
    if (nonce !== next) assert(false, `nonce ${next} of ${scope}, got ${nonce}`);
    if (used === undefined) {
      this.#scopes.set(scope, { firstNonce: 0, consumers: [requestId] });
      return;
    }
    used.consumers.push(requestId);
    const excess = used.consumers.length - this.#consumersMax;
    if (used.consumers.length <= this.#consumersMax * SLACK) return;
    used.consumers = used.consumers.slice(excess);
    used.firstNonce += excess;
  }

  /** The request that used `nonce` of `scope`, `undefined` when none has or when it is too long ago. */
  consumer(scope: string, nonce: bigint): string | undefined {
    const used = this.#scopes.get(scope);
    if (used === undefined || nonce >= this.next(scope)) return undefined;
    const requestId = used.consumers[Number(nonce) - used.firstNonce];
    return requestId === NOBODY ? undefined : requestId;
  }
}
