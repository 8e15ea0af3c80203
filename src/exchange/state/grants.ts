/**
 * @module API wallet grants. A grant is one (account, agent) pair; approving it again changes its validity, revoking
 * removes that pair only and is idempotent (exchange.md#signing). Nonces are not kept here: they survive a revoke.
 */
import type { Address } from '../../domain/index.ts';

/** One grant. `validUntilMs` 0: never expires. */
export interface Grant {
  /** Account number of the venue. */
  readonly account: number;
  /** Address of the API wallet. */
  readonly agent: Address;
  /** Last valid instant of the grant, Unix ms; 0: it never expires. */
  readonly validUntilMs: number;
}

/** All grants, by account and by API wallet. */
export class Grants {
  readonly #byAccount = new Map<number, Map<Address, Grant>>();
  readonly #accountsByAgent = new Map<Address, Set<number>>();

  /** Grants, or changes the validity of the grant that is there. */
  approve(grant: Grant): void {
    const grants = this.#byAccount.get(grant.account) ?? new Map<Address, Grant>();
    grants.set(grant.agent, grant);
    this.#byAccount.set(grant.account, grants);
    const accounts = this.#accountsByAgent.get(grant.agent) ?? new Set<number>();
    accounts.add(grant.account);
    this.#accountsByAgent.set(grant.agent, accounts);
  }

  /** Removes one grant; nothing when there is none. */
  revoke(account: number, agent: Address): void {
    this.#byAccount.get(account)?.delete(agent);
    this.#accountsByAgent.get(agent)?.delete(account);
  }

  /** The grant of this pair, expired or not. */
  find(account: number, agent: Address): Grant | undefined {
    return this.#byAccount.get(account)?.get(agent);
  }

  /** Grants of an account in order of approval; expired ones stay listed. */
  ofAccount(account: number): readonly Grant[] {
    return [...(this.#byAccount.get(account)?.values() ?? [])];
  }

  /** Grants of an API wallet, by account in order of approval. */
  ofAgent(agent: Address): readonly Grant[] {
    const accounts = [...(this.#accountsByAgent.get(agent) ?? [])];
    return accounts.flatMap((account) => this.find(account, agent) ?? []);
  }
}

/** True if the grant has expired at `nowMs`. It is still valid AT its last instant. */
export function isExpired(grant: Grant, nowMs: number): boolean {
  return grant.validUntilMs !== 0 && nowMs > grant.validUntilMs;
}
