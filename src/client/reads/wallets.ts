/** @module Reads of API wallets and of vaults. */

import {
  AGENT_ACCOUNTS,
  AGENTS,
  type PeopleSchema,
  VAULT,
  VAULT_DEPOSITORS,
  VAULT_NAV,
  VAULTS,
} from '../../wire/protocol/index.ts';
import type { AccountSelector } from '../selection.ts';
import type { Session } from '../session.ts';
import type { ApiWalletAccount, ApiWalletGrant, Vault, VaultDepositor, VaultNavPoint } from '../shapes.ts';
import type { LimitParam } from './market.ts';

/** Reads of API wallets. */
export interface ApiWalletReads {
  /**
   * The API wallets that an account has approved; expired grants stay in the list.
   * @throws ApiError `NotFound`
   * @example
   * const grants = await client.apiWallets.list();
   */
  list(
    params?: AccountSelector & { readonly minSeq?: bigint | undefined },
  ): Promise<readonly ApiWalletGrant[]>;
  /**
   * The accounts that an API wallet may act for.
   * @throws ApiError `NotFound` for a wallet without any grant.
   * @example
   * await client.apiWallets.accounts({ address }).catch((error) => assert(error.code === 'NotFound'));
   */
  accounts(params: {
    readonly address: string;
    readonly minSeq?: bigint | undefined;
  }): Promise<readonly ApiWalletAccount[]>;
}

/** Which vault. */
export interface VaultParam {
  /** Id of the vault. */
  readonly id: string;
}

/** Reads of vaults. */
export interface VaultReads {
  /**
   * All vaults.
   * @throws ApiError, TransportError
   * @example
   * const vaults = await client.vaults.list();
   * assert(vaults.every(({ state }) => state === 'fresh' || state === 'managed'));
   */
  list(): Promise<readonly Vault[]>;
  /**
   * One vault: net asset value per share in USDC, shares, deposit cap.
   * @throws ApiError `NotFound`
   * @example
   * await client.vaults.get({ id: '999999' }).catch((error) => assert(error.code === 'NotFound'));
   */
  get(params: VaultParam): Promise<Vault>;
  /**
   * The net asset value per share over time.
   * @throws ApiError `NotFound`
   * @example
   * await client.vaults.nav({ id: '999999' }).catch((error) => assert(error.code === 'NotFound'));
   */
  nav(params: VaultParam & LimitParam): Promise<readonly VaultNavPoint[]>;
  /**
   * Who holds shares of the vault.
   * @throws ApiError `NotFound`
   * @example
   * await client.vaults.depositors({ id: '999999' }).catch((error) => assert(error.code === 'NotFound'));
   */
  depositors(params: VaultParam & LimitParam): Promise<readonly VaultDepositor[]>;
}

/** The reads of API wallets over a session. */
export function apiWalletReads(session: Session): ApiWalletReads {
  return {
    list: async ({ minSeq, ...selector } = {}) => {
      const query = { ...(await session.select(selector)) };
      return (await session.readOwn({ endpoint: 'agents', query }, AGENTS, minSeq)).agents;
    },
    accounts: async ({ address, minSeq }) => {
      const path = { address };
      return (await session.readOwn({ endpoint: 'agentAccounts', path }, AGENT_ACCOUNTS, minSeq)).grants;
    },
  };
}

/** The reads of vaults over a session. */
export function vaultReads(session: Session): VaultReads {
  const read = <T>(
    endpoint: 'vault' | 'vaultNav' | 'vaultDepositors',
    shape: PeopleSchema<T>,
    { id, limit }: VaultParam & LimitParam,
  ) => session.readOwn({ endpoint, path: { id }, query: { limit } }, shape, undefined);
  return {
    list: async () => (await session.readOwn({ endpoint: 'vaults' }, VAULTS, undefined)).vaults,
    get: (params) => read('vault', VAULT, { id: params.id }),
    nav: async (params) => (await read('vaultNav', VAULT_NAV, params)).points,
    depositors: async (params) => (await read('vaultDepositors', VAULT_DEPOSITORS, params)).depositors,
  };
}
