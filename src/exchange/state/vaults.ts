/**
 * @module Vaults: accounts that belong to no wallet. Who created each, who manages it, and how its shares are divided.
 * Its money is the venue's; `vault-ledger` has what operations do to both.
 */
import { assert } from '../../core/index.ts';
import type { Address } from '../../domain/index.ts';
import type { OwnedAccount } from './registry.ts';
import { Samples } from './samples.ts';

/** The account of a vault, as reads and streams select it. */
export interface VaultAccount {
  /** Account number of the vault. */
  readonly id: number;
  /** Its id: the number of its account, as text. */
  readonly vault: string;
}

/** An account that reads may ask for: a wallet's or a vault's. */
export type AccountHolder = OwnedAccount | VaultAccount;

/** What a vault was worth at one time. */
export interface NavSample {
  /** Time, Unix ms. */
  readonly atMs: number;
  /** Equity in quantums. */
  readonly equity: bigint;
  /** Shares outstanding. */
  readonly shares: bigint;
}

/** What one account has in a vault. */
export interface Stake {
  /** Shares that the depositor owns. */
  readonly shares: bigint;
  /** Paid in less taken out, in quantums. */
  readonly netDeposits: bigint;
}

/** What a creator holds the vault to. */
export interface VaultLimits {
  /** Deposits may not take the equity above it; 0: none. */
  readonly depositCap: bigint;
  /** 0: none. */
  readonly leverageMax: number;
}

const NO_STAKE: Stake = { shares: 0n, netDeposits: 0n };

/** One vault. */
export class Vault implements VaultAccount {
  readonly id: number;
  readonly vault: string;
  readonly name: string;
  /** `undefined`: the operator. */
  readonly creator: Address | undefined;
  readonly createdAtMs: number;
  /** The account that claimed it; `undefined` while it is fresh. */
  manager: OwnedAccount | undefined;
  limits: VaultLimits = { depositCap: 0n, leverageMax: 0 };
  readonly nav = new Samples<NavSample>();
  /** Initial margin fractions that were set for it, by market. */
  readonly marginPpm = new Map<number, number>();
  readonly #stakes = new Map<number, Stake>();
  #shares = 0n;

  constructor(parts: {
    readonly id: number;
    readonly name: string;
    readonly creator: Address | undefined;
    readonly manager: OwnedAccount | undefined;
    readonly createdAtMs: number;
  }) {
    this.id = parts.id;
    this.vault = String(parts.id);
    this.name = parts.name;
    this.creator = parts.creator;
    this.manager = parts.manager;
    this.createdAtMs = parts.createdAtMs;
  }

  /** Shares of all depositors together. */
  get shares(): bigint {
    return this.#shares;
  }

  /** What each account has, in the order of their first deposits. */
  get stakes(): ReadonlyMap<number, Stake> {
    return this.#stakes;
  }

  /** What an account has; nothing is a stake of zero. */
  stakeOf(account: number): Stake {
    return this.#stakes.get(account) ?? NO_STAKE;
  }

  /** Gives shares against money, or takes both back where they are below zero. */
  move(account: number, { shares, amount }: { readonly shares: bigint; readonly amount: bigint }): void {
    const before = this.stakeOf(account);
    const after = { shares: before.shares + shares, netDeposits: before.netDeposits + amount };
    assert(after.shares >= 0n, `shares of ${account} that are not negative, were ${after.shares}`);
    if (after.shares === 0n) this.#stakes.delete(account);
    else this.#stakes.set(account, after);
    this.#shares += shares;
  }
}

/** All vaults by number. */
export class Vaults {
  readonly #byId = new Map<number, Vault>();

  /** How many there are. */
  get size(): number {
    return this.#byId.size;
  }

  /** Takes a vault in. */
  add(vault: Vault): void {
    assert(!this.#byId.has(vault.id), `vault ${vault.id} to be new`);
    this.#byId.set(vault.id, vault);
  }

  /** The vault of this account, `undefined` when the account is none. */
  byId(id: number): Vault | undefined {
    return this.#byId.get(id);
  }

  /** All of them, oldest first. */
  all(): Iterable<Vault> {
    return this.#byId.values();
  }
}
