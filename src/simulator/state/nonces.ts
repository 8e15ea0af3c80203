/**
 * @module
 * Nonce scopes: one strict counter each, and who used which number. A nonce must be exactly the next one; a stale or
 * skipped one changes nothing (wire-facts 3.2).
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

/** The counters of all scopes, with the requests that used their numbers. */
export class Nonces {
  readonly #consumers = new Map<string, string[]>();

  /** The next nonce of `scope`; a scope nobody used begins at 0. */
  next(scope: string): bigint {
    return BigInt(this.#consumers.get(scope)?.length ?? 0);
  }

  /** Spends `nonce`, which must be the next one, for `requestId`. */
  consume(scope: string, nonce: bigint, requestId: string): void {
    const consumers = this.#consumers.get(scope) ?? [];
    assert(nonce === BigInt(consumers.length), `nonce ${consumers.length} of ${scope}, was ${nonce}`);
    consumers.push(requestId);
    this.#consumers.set(scope, consumers);
  }

  /** The request that used `nonce` of `scope`, `undefined` when nobody has. */
  consumer(scope: string, nonce: bigint): string | undefined {
    return nonce < this.next(scope) ? this.#consumers.get(scope)?.[Number(nonce)] : undefined;
  }
}
