/**
 * @module
 * Vaults and their parts as the JSON of the interface. Shares are counted as finely as collateral, so their text has as
 * many decimals.
 */
import type {
  WireAccountVaults,
  WirePortfolio,
  WireVault,
  WireVaultDepositors,
  WireVaultEffect,
  WireVaultNav,
  WireVaultParty,
} from '../../../wire/protocol/index.ts';
import type { VenueAccount } from '../../engine/index.ts';
import type { NavSample, OwnedAccount, Stake, ValueSample, Vault, VaultEffect } from '../../state/index.ts';
import { navPerShare, type ShareBook, worthOf } from '../../state/index.ts';
import { amountText } from './market-json.ts';

/** A vault with what its account holds now. */
export function vaultJson(vault: Vault, account: VenueAccount): WireVault {
  const { shares, limits, manager } = vault;
  const { equity } = account;
  const nav = navPerShare({ equity, shares });
  return {
    id: vault.vault,
    accountId: vault.id,
    name: vault.name,
    state: manager === undefined ? 'fresh' : 'managed',
    creator: vault.creator ?? null,
    manager: manager === undefined ? null : partyJson(manager),
    equity: amountText(equity),
    shares: amountText(shares),
    navPerShare: nav === undefined ? null : amountText(nav),
    withdrawable: amountText(account.withdrawable),
    depositCap: limits.depositCap === 0n ? null : amountText(limits.depositCap),
    leverageMax: limits.leverageMax === 0 ? null : limits.leverageMax,
    depositorCount: vault.stakes.size,
    createdAt: vault.createdAtMs,
  };
}

/** Net asset values of the past. */
export function navJson(samples: readonly NavSample[]): WireVaultNav {
  return {
    points: samples.map((sample) => ({
      ts: sample.atMs,
      navPerShare: amountText(navPerShare(sample) ?? 0n),
      equity: amountText(sample.equity),
      shares: amountText(sample.shares),
    })),
  };
}

/** A depositor and what its shares would give now. */
export function depositorJson(
  owner: OwnedAccount,
  { shares }: Stake,
  book: ShareBook,
): WireVaultDepositors['depositors'][number] {
  return { ...partyJson(owner), shares: amountText(shares), value: amountText(worthOf(shares, book)) };
}

/** What one account has in a vault. */
export function stakeJson(
  vault: Vault,
  { shares, netDeposits }: Stake,
  book: ShareBook,
): WireAccountVaults['vaults'][number] {
  return {
    id: vault.vault,
    name: vault.name,
    shares: amountText(shares),
    value: amountText(worthOf(shares, book)),
    netDeposits: amountText(netDeposits),
  };
}

/** What an account was worth over time. */
export function portfolioJson(samples: readonly ValueSample[]): WirePortfolio {
  return {
    points: samples.map(({ atMs, equity, netInflow }) => ({
      ts: atMs,
      accountValue: amountText(equity),
      pnl: amountText(equity - netInflow),
    })),
  };
}

/** What a vault operation did. */
export function vaultEffectJson({ vault, shares, amount }: VaultEffect): WireVaultEffect {
  return {
    id: String(vault),
    ...(shares === undefined ? {} : { shares: amountText(shares) }),
    ...(amount === undefined ? {} : { amount: amountText(amount) }),
  };
}

function partyJson({ owner, subaccount }: OwnedAccount): WireVaultParty {
  return { address: owner, subaccount };
}
