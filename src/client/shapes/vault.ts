/** @module What vaults answer. */
import { decimal, id, integer, list, nullable, optional, type Read, record, text } from '../shape.ts';

/** GET /v1/vaults/{id}. */
export const VAULT = record({
  id: id,
  name: text,
  state: text,
  creator: text,
  manager: nullable(text),
  navPerShare: decimal,
  shares: decimal,
  depositCap: nullable(decimal),
});
/** A vault: who made it, who manages it (null: nobody yet), net asset value per share in USDC, shares, deposit cap. */
export type Vault = Read<typeof VAULT>;

/** GET /v1/vaults. */
export const VAULTS = record({ vaults: list(VAULT) });

/** GET /v1/vaults/{id}/nav. */
export const VAULT_NAV = record({ points: list(record({ ts: integer, navPerShare: decimal })) });
/** The net asset value per share at one time. */
export type VaultNavPoint = Read<typeof VAULT_NAV>['points'][number];

/** GET /v1/vaults/{id}/depositors. */
export const VAULT_DEPOSITORS = record({
  depositors: list(record({ address: text, shares: decimal, value: optional(decimal) })),
});
/** A depositor of a vault with its shares. */
export type VaultDepositor = Read<typeof VAULT_DEPOSITORS>['depositors'][number];
