/**
 * @module
 * What vaults answer. The interface document shows none of their fields: all are own choices, `x-assumed` in openapi.yaml.
 * Shares count as finely as collateral.
 */
import { assumed, list, mayBeAbsent, nullable, record } from './schema.ts';
import { amount, id, integer, text, timestamp, word } from './values.ts';

/** A wallet's account, as manager or depositor of a vault. */
export const VAULT_PARTY = record({ address: text, subaccount: integer });

/** GET /v1/vaults/{id}. */
export const VAULT = record({
  /** The number of the vault's account, as text. */
  id,
  accountId: assumed(integer),
  name: text,
  state: word('fresh', 'managed'),
  /** Null: the operator. */
  creator: nullable(text),
  /** Null while it is fresh. API wallets approved on this account trade for the vault. */
  manager: nullable(VAULT_PARTY),
  equity: assumed(amount),
  shares: amount,
  /** Equity by share, cut; null while there are no shares. */
  navPerShare: nullable(amount),
  withdrawable: assumed(amount),
  /** Deposits may not take the equity above it; null: none. */
  depositCap: nullable(amount),
  /** Null: what the markets allow. */
  leverageMax: nullable(integer),
  depositorCount: assumed(integer),
  createdAt: assumed(timestamp),
});

/** GET /v1/vaults, oldest first. */
export const VAULTS = record({ vaults: list(VAULT) });

/** GET /v1/vaults/{id}/nav: ascending. */
export const VAULT_NAV = record({
  points: list(
    record({ ts: timestamp, navPerShare: amount, equity: assumed(amount), shares: assumed(amount) }),
  ),
});

/** GET /v1/vaults/{id}/depositors, the largest first. `value`: what the shares would give now, cut. */
export const VAULT_DEPOSITORS = record({
  depositors: list(
    record({ address: text, subaccount: assumed(integer), shares: amount, value: assumed(amount) }),
  ),
});

/** GET /v1/account/vaults, oldest vault first. `netDeposits`: paid in less taken out. */
export const ACCOUNT_VAULTS = record({
  vaults: list(
    record({ id, name: assumed(text), shares: amount, value: amount, netDeposits: assumed(amount) }),
  ),
});

/** What a vault operation did, in its answer and its receipt: shares minted or burned, collateral paid in or taken out. */
export const VAULT_EFFECT = record({ id, shares: mayBeAbsent(amount), amount: mayBeAbsent(amount) });
