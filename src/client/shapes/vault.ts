/** @module What vaults answer. */
import { decimal, id, integer, list, nullable, optional, type Read, record, text } from '../shape.ts';

/** Which account did something with a vault. */
export const VAULT_PARTY = record({ address: text, subaccount: integer });

/** GET /v1/vaults/{id}. */
export const VAULT = record({
  id: id,
  accountId: optional(integer),
  name: text,
  state: text,
  creator: nullable(text),
  manager: nullable(VAULT_PARTY),
  equity: optional(decimal),
  shares: decimal,
  navPerShare: nullable(decimal),
  withdrawable: optional(decimal),
  depositCap: nullable(decimal),
  leverageMax: nullable(integer),
  depositorCount: optional(integer),
  createdAt: optional(integer),
});
/**
 * A vault: who made it (null: the operator), who manages it (null while it is fresh), equity and net asset value per share
 * in USDC (null without shares), its limits (null: none).
 */
export type Vault = Read<typeof VAULT>;

/** GET /v1/vaults. */
export const VAULTS = record({ vaults: list(VAULT) });

/** GET /v1/vaults/{id}/nav. */
export const VAULT_NAV = record({
  points: list(
    record({ ts: integer, navPerShare: decimal, equity: optional(decimal), shares: optional(decimal) }),
  ),
});
/** Net asset value per share, equity in USDC and shares at one time. */
export type VaultNavPoint = Read<typeof VAULT_NAV>['points'][number];

/** GET /v1/vaults/{id}/depositors. */
export const VAULT_DEPOSITORS = record({
  depositors: list(
    record({ address: text, subaccount: optional(integer), shares: decimal, value: optional(decimal) }),
  ),
});
/** A depositor of a vault: shares, and what they would give now in USDC. */
export type VaultDepositor = Read<typeof VAULT_DEPOSITORS>['depositors'][number];
