/**
 * @module Which account a call is about: `address` with optional `subaccount`, or `vault` only (openapi.yaml).
 */

import { ADDRESS } from '../core/index.ts';
import type { Address } from '../domain/index.ts';
import { hasValidChecksum } from '../wire/crypto/index.ts';
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

/** `text` as an address in lower case. @throws ClientUsageError when it is none. */
export function addressOf(text: string, what: string): Address {
  const address = ADDRESS.read(text);
  if (address !== undefined && hasValidChecksum(text)) return address as Address;
  const expected =
    address === undefined ? `as ${ADDRESS.expected}` : 'in one case, or in the capital letters of EIP-55';
  throw misused({
    code: 'CLIENT_ADDRESS_INVALID',
    message: `expected ${what} ${expected}, got ${JSON.stringify(text.slice(0, 60))}`,
    remedy:
      'Copy the address again from the wallet; an account is named by its main wallet, never by an API wallet.',
  });
}

/**
 * Query parameters that select the requested account, with the client's own account for what is left out. @throws
 * ClientUsageError
 */
export function selectorOf(selector: AccountSelector, own: AccountSelector): SelectorQuery {
  if (selector.vault !== undefined && (selector.address !== undefined || selector.subaccount !== undefined)) {
    throw misused({
      code: 'CLIENT_SELECTION_INVALID',
      message: 'expected vault alone, got it together with address or subaccount',
      remedy: 'Name a vault, or an address with its subaccount.',
    });
  }
  if (selector.vault !== undefined) return { vault: selector.vault };
  if (selector.address === undefined && selector.subaccount === undefined && own.vault !== undefined)
    return { vault: own.vault };
  const address = selector.address ?? own.address;
  if (address === undefined) {
    throw misused({
      code: 'CLIENT_ACCOUNT_MISSING',
      message: 'expected an account, got none',
      remedy: 'Give `address` to the call, or `account` or `wallet` to createClient.',
    });
  }
  const isOwn = selector.address === undefined;
  const subaccount = selector.subaccount ?? (isOwn ? (own.subaccount ?? 0) : 0);
  return { address: addressOf(address, 'address'), subaccount };
}
