/**
 * @module
 * Who may write for a vault, and who may configure one: checked once the signature is known to be good. Nothing is
 * sequenced for a refusal here (openapi.yaml: 403).
 */

import type { ExchangeState } from '../../state/index.ts';
import type { Refusal } from './answer.ts';
import type { AuthenticatedWrite } from './auth.ts';

/** Why this write may not touch the vault it is about; `undefined` when it may, or is about none. */
export function vaultRefusalOf(
  { vaults }: ExchangeState,
  { request: { operation }, wallet }: AuthenticatedWrite,
): Refusal | undefined {
  const vault = vaults.byId(operation.account);
  if (vault !== undefined) {
    if (vault.manager === undefined)
      return { code: 'Forbidden', message: 'the vault is fresh: it has no manager before it is claimed' };
    return vault.manager.owner === wallet
      ? undefined
      : { code: 'Forbidden', message: 'account is not the main wallet of the manager of the vault' };
  }
  if (operation.kind !== 'ConfigureVault' || vaults.byId(operation.vault)?.creator === wallet)
    return undefined;
  return { code: 'Forbidden', message: 'only its creator configures a vault' };
}
