/**
 * @module Carries vault operations out: money moves through the venue's ledger, shares through the vault's book, both
 * in one entry of the log. It checks business rules only; who may ask was settled before.
 */
import { assertNever, must } from '../../core/index.ts';
import type { Address, CanonicalCommand, Quantums, VaultOperation } from '../../domain/index.ts';
import type { CommandOutcome, LogPosition, VenueEvent, VenueKernel } from '../engine/index.ts';
import type { VaultEventBody } from './event.ts';
import type { Registry } from './registry.ts';
import type { VaultEffect } from './request.ts';
import { type ShareBook, sharesFor, worthOf } from './shares.ts';
import { Vault, type Vaults } from './vaults.ts';

/** Vaults that one wallet may create (own choice: no limit is shown). */
const VAULTS_PER_CREATOR_MAX = 100;

const MILLION = 1_000_000;

/** Outcome of an operation: why not, or what it did. */
export type VaultOutcome =
  | { readonly reason: string }
  | {
      /** Venue events of moved cash. */
      readonly moved: readonly VenueEvent[];
      /** The vault's own event. */
      readonly told: VaultEventBody;
      /** Minted or burned shares and moved cash. */
      readonly effect: VaultEffect;
    };

/** State of the exchange that vault operations change. */
export interface VaultLedgerParts {
  /** The venue that keeps the cash. */
  readonly venue: VenueKernel;
  /** Wallets and their accounts. */
  readonly registry: Registry;
  /** Vaults of the exchange. */
  readonly vaults: Vaults;
  /** Makes an account that can be asked for; gives its number. */
  readonly openAccount: () => number;
}

type Of<Kind extends VaultOperation['kind']> = Extract<VaultOperation, { kind: Kind }>;

/** Where vaults are dealt with. */
export class VaultLedger {
  readonly #parts: VaultLedgerParts;

  constructor(parts: VaultLedgerParts) {
    this.#parts = parts;
  }

  /** A vault that waits for its manager. `creator`: who may configure it; `undefined`: the operator. */
  createFresh(name: string, creator: Address | undefined, at: LogPosition): Vault {
    return this.#create({ name, creator, manager: undefined }, at);
  }

  /** Carries `operation` out, which `signer` may ask for. */
  operate(operation: VaultOperation, signer: Address, at: LogPosition): VaultOutcome {
    switch (operation.kind) {
      case 'CreateVault':
        return this.#createManaged(operation, signer, at);
      case 'ClaimVault':
        return this.#claim(operation);
      case 'DepositVault':
        return this.#deposit(operation, at);
      case 'RedeemVault':
        return this.#redeem(operation, at);
      case 'ConfigureVault':
        return this.#configure(operation, at);
      default:
        return assertNever(operation);
    }
  }

  /** Sets a leverage, which must keep to the vault's own limit where the account is a vault. */
  setLeverage(command: Extract<CanonicalCommand, { kind: 'SetLeverage' }>, at: LogPosition): CommandOutcome {
    const { venue, vaults } = this.#parts;
    const vault = vaults.byId(command.account);
    if (vault !== undefined && command.customImfPpm < leastMarginPpm(vault.limits.leverageMax))
      return { status: 'rejected', reason: 'VaultLeverageExceeded', items: [], events: [] };
    const outcome = venue.execute(command, at);
    if (outcome.status === 'executed') vault?.marginPpm.set(command.market, command.customImfPpm);
    return outcome;
  }

  /** Remembers what every vault is worth. */
  sampleAll(atMs: number): void {
    for (const vault of this.#parts.vaults.all()) this.#sample(vault, atMs);
  }

  /** The equity that the shares of a vault own. */
  bookOf(vault: Vault): ShareBook {
    return { equity: this.#parts.venue.account(vault.id).equity, shares: vault.shares };
  }

  #createManaged({ account, name }: Of<'CreateVault'>, creator: Address, at: LogPosition): VaultOutcome {
    const { registry, vaults } = this.#parts;
    let created = 0;
    for (const vault of vaults.all()) if (vault.creator === creator) created++;
    if (created >= VAULTS_PER_CREATOR_MAX) return { reason: 'VaultLimitExceeded' };
    const manager = must(registry.byId(account), `the account ${account} of a creator`);
    const vault = this.#create({ name, creator, manager }, at);
    return {
      moved: [],
      told: { kind: 'VaultCreated', vault: vault.id, account, name },
      effect: { vault: vault.id },
    };
  }

  #create(parts: Pick<Vault, 'name' | 'creator' | 'manager'>, at: LogPosition): Vault {
    const vault = new Vault({ ...parts, id: this.#parts.openAccount(), createdAtMs: at.blockAtMs });
    this.#parts.vaults.add(vault);
    return vault;
  }

  #claim(operation: Of<'ClaimVault'>): VaultOutcome {
    const vault = this.#vault(operation);
    if (vault.manager !== undefined) return { reason: 'VaultAlreadyManaged' };
    const { account } = operation;
    vault.manager = must(this.#parts.registry.byId(account), `the account ${account} of a claimant`);
    return {
      moved: [],
      told: { kind: 'VaultClaimed', vault: vault.id, account },
      effect: { vault: vault.id },
    };
  }

  #deposit(operation: Of<'DepositVault'>, at: LogPosition): VaultOutcome {
    const { account, amount } = operation;
    const vault = this.#vault(operation);
    const book = this.bookOf(vault);
    if (book.equity < 0n || (book.equity === 0n && book.shares > 0n)) return { reason: 'NegativeEquity' };
    const { depositCap } = vault.limits;
    if (depositCap !== 0n && book.equity + amount > depositCap) return { reason: 'DepositCapExceeded' };
    const shares = sharesFor(amount, book);
    if (shares === 0n) return { reason: 'AmountTooSmall' };
    const move = { from: account, to: vault.id, amount: amount as Quantums, kind: 'vault_deposit' };
    const moved = this.#parts.venue.transfer(move, at);
    if (moved === false) return { reason: 'InsufficientWithdrawable' };
    vault.move(account, { shares, amount });
    this.#sample(vault, at.blockAtMs);
    return {
      moved,
      told: { kind: 'VaultDeposited', vault: vault.id, account, amount, shares },
      effect: { vault: vault.id, shares, amount },
    };
  }

  #redeem(operation: Of<'RedeemVault'>, at: LogPosition): VaultOutcome {
    const { account, shares } = operation;
    const vault = this.#vault(operation);
    if (shares > vault.stakeOf(account).shares) return { reason: 'InsufficientShares' };
    const book = this.bookOf(vault);
    if (book.equity <= 0n) return { reason: 'NegativeEquity' };
    const amount = worthOf(shares, book);
    if (amount === 0n) return { reason: 'AmountTooSmall' };
    const move = { from: vault.id, to: account, amount: amount as Quantums, kind: 'vault_redeem' };
    const moved = this.#parts.venue.transfer(move, at);
    if (moved === false) return { reason: 'InsufficientWithdrawable' };
    vault.move(account, { shares: -shares, amount: -amount });
    this.#sample(vault, at.blockAtMs);
    return {
      moved,
      told: { kind: 'VaultRedeemed', vault: vault.id, account, amount, shares },
      effect: { vault: vault.id, shares, amount },
    };
  }

  #configure(operation: Of<'ConfigureVault'>, at: LogPosition): VaultOutcome {
    const { account, depositCap, leverageMax } = operation;
    const vault = this.#vault(operation);
    const held = this.#holdTo(vault, leverageMax, at);
    if ('reason' in held) return held;
    vault.limits = { depositCap, leverageMax };
    return {
      moved: held.events,
      told: { kind: 'VaultConfigured', vault: vault.id, account, depositCap, leverageMax },
      effect: { vault: vault.id },
    };
  }

  /** Raises the margins of all markets to what the leverage asks for, or of none when one cannot be raised. */
  #holdTo(
    vault: Vault,
    leverageMax: number,
    at: LogPosition,
  ): { readonly reason: string } | { readonly events: readonly VenueEvent[] } {
    const { venue } = this.#parts;
    const least = leastMarginPpm(leverageMax);
    const set = (market: number, customImfPpm: number) =>
      venue.execute({ kind: 'SetLeverage', account: vault.id, market, customImfPpm }, at);
    const raised = new Map<number, number>();
    const events: VenueEvent[] = [];
    for (const { market } of venue.markets()) {
      const id = market.signingMarketId;
      const before = vault.marginPpm.get(id) ?? market.initialMarginPpm;
      if (before >= least) continue;
      const outcome = set(id, least);
      if (outcome.status === 'rejected') {
        for (const [other, margin] of raised) set(other, margin);
        return { reason: must(outcome.reason, 'the reason of a rejection') };
      }
      raised.set(id, before);
      events.push(...outcome.events);
    }
    for (const id of raised.keys()) vault.marginPpm.set(id, least);
    return { events };
  }

  #sample(vault: Vault, atMs: number): void {
    if (vault.shares > 0n) vault.nav.add({ atMs, ...this.bookOf(vault) });
  }

  #vault({ vault }: { readonly vault: number }): Vault {
    return must(this.#parts.vaults.byId(vault), `the vault ${vault}`);
  }
}

/**
 * The initial margin fraction of a leverage, as signed for it (exchange.md#fields); 0 where there is no limit.
 */
function leastMarginPpm(leverageMax: number): number {
  return leverageMax === 0 ? 0 : Math.floor(MILLION / leverageMax);
}
