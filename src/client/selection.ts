/**
 * @module Which account a call is about: `address` with optional `subaccount`, or `vault` only (openapi.yaml).
 */

import type { Address } from '../domain/index.ts';
import { misused } from './errors.ts';

/** An account as a caller names it. Left out: the account of the client. */
export interface AccountSelector {
  /** The main wallet's address. */
  readonly address?: string | undefined;
  /** Index of the subaccount; 0, the default, is the main account. */
  readonly subaccount?: number | undefined;
  /** A vault's id, instead of address and subaccount. */
  readonly vault?: string | undefined;
}

/** An account as a read or a subscription selects it. */
export type SelectorQuery =
  | { readonly address: Address; readonly subaccount: number }
  | { readonly vault: string };

/**
 * Query parameters that select the requested account, with the client's own account for what is left out. @throws
 * ClientUsageError
 */
export function selectorOf(selector: AccountSelector, own: AccountSelector): SelectorQuery {
  if (selector.vault !== undefined) return { vault: selector.vault };
  if (selector.address === undefined && selector.subaccount === undefined && own.vault !== undefined)
    return { vault: own.vault };
  const address = selector.address ?? own.address;
  if (address === undefined) throw accountMissing();
  const isOwn = selector.address === undefined;
  const subaccount = selector.subaccount ?? (isOwn ? (own.subaccount ?? 0) : 0);
  return { address: address as Address, subaccount };
}

/** Neither the call nor the client names an account. */
export function accountMissing() {
  return misused({
    code: 'CLIENT_ACCOUNT_MISSING',
    message: 'expected an account, got none',
    remedy: 'Give `address` to the call, or `account` or `wallet` to createClient.',
  });
}
