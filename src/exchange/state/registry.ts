/**
 * @module Which wallet owns which account. Main accounts appear with their first deposit, subaccounts by request; each
 * has its own number, the `signingAccountId` (exchange.md#resources).
 */
import { assert } from '../../core/index.ts';
import type { Address } from '../../domain/index.ts';

/** An account that belongs to a wallet. Subaccount 0 is the main account. */
export interface OwnedAccount {
  /** Account number of the venue. */
  readonly id: number;
  /** Wallet that owns the account. */
  readonly owner: Address;
  /** Number of the subaccount, from 0. */
  readonly subaccount: number;
}

/** Wallet addresses and the numbers of their accounts. */
export class Registry {
  readonly #byOwner = new Map<Address, OwnedAccount[]>();
  readonly #byId = new Map<number, OwnedAccount>();

  /** Gives account `id` to `owner` as the next subaccount. */
  add(owner: Address, id: number): OwnedAccount {
    assert(!this.#byId.has(id), `account ${id} to be new`);
    const accounts = this.#byOwner.get(owner) ?? [];
    const account: OwnedAccount = { id, owner, subaccount: accounts.length };
    accounts.push(account);
    this.#byOwner.set(owner, accounts);
    this.#byId.set(id, account);
    return account;
  }

  /** The account of `owner` with this subaccount index. */
  find(owner: Address, subaccount: number): OwnedAccount | undefined {
    return this.#byOwner.get(owner)?.[subaccount];
  }

  /** The account with this number, `undefined` when it belongs to no wallet. */
  byId(id: number): OwnedAccount | undefined {
    return this.#byId.get(id);
  }

  /** All accounts of `owner` by subaccount index. */
  accountsOf(owner: Address): readonly OwnedAccount[] {
    return this.#byOwner.get(owner) ?? [];
  }

  /** All accounts that belong to wallets, by number. */
  all(): Iterable<OwnedAccount> {
    return this.#byId.values();
  }
}
