/** @module Writes about accounts: leverage, subaccounts, grants of API wallets. */
import type { Address, MainWalletOperation } from '../../domain/index.ts';
import { planMainWalletWrite } from '../../wire/protocol/index.ts';
import { knownMarket } from '../amounts.ts';
import type { WriteClient, WriteOptions } from '../write-client.ts';
import type { WriteResult } from '../write-result.ts';
import { instantOf } from './orders.ts';

/** Writes about an account. */
export interface AccountWrites {
  /**
   * Sets the leverage of a market for the account: initial margin of 1/leverage. Only less than the market's is possible.
   * @throws ApiError `InvalidLeverage`; UnresolvedWriteError
   * @example
   * await client.account.setLeverage({ symbol: 'BTC-USD', leverage: 5 });
   */
  setLeverage(
    params: { readonly symbol: string; readonly leverage: number } & WriteOptions,
  ): Promise<WriteResult>;
  /**
   * Creates the next subaccount of the main wallet. Main wallet only.
   * @throws ApiError `SubaccountLimitExceeded`; UnresolvedWriteError; ClientUsageError with an API wallet
   * @example
   * await mainWallet.account.createSubaccount();
   * const subaccounts = await mainWallet.account.subaccounts();
   * assert(subaccounts.length >= 2);
   */
  createSubaccount(params?: Pick<WriteOptions, 'minSeq'>): Promise<WriteResult>;
}

/** Writes about API wallets. */
export interface ApiWalletWrites {
  /**
   * Approves an API wallet for an account until `validUntil` (Unix milliseconds; 0: it never expires), or changes until
   * when. The first write of the API wallet names `seq` of the result as its `minSeq`. Main wallet only.
   * @throws ApiError `AgentExpired` for a time that has passed; UnresolvedWriteError
   * @example const apiWallet = '0x00000000000000000000000000000000000000a1'; const { seq } = await
   * mainWallet.apiWallets.approve({ address: apiWallet, validUntil: 0 }); const grants = await
   * mainWallet.apiWallets.list({ minSeq: seq }); assert(grants.some(({ address }) => address === apiWallet));
   */
  approve(
    params: { readonly address: string; readonly validUntil: number } & WriteOptions,
  ): Promise<WriteResult>;
  /**
   * Takes the grant of an API wallet away. Main wallet only.
   * @throws ApiError, UnresolvedWriteError
   * @example
   * const apiWallet = '0x00000000000000000000000000000000000000a2';
   * await mainWallet.apiWallets.approve({ address: apiWallet, validUntil: 0 });
   * await mainWallet.apiWallets.revoke({ address: apiWallet });
   */
  revoke(params: { readonly address: string } & WriteOptions): Promise<WriteResult>;
}

/** An operation without the number of its account. */
type Unnumbered<Operation> = Operation extends MainWalletOperation ? Omit<Operation, 'account'> : never;

/** Sends what only a main wallet may sign. */
function mainWalletWrite(
  writer: WriteClient,
  options: WriteOptions,
  operation: Unnumbered<MainWalletOperation>,
): Promise<WriteResult> {
  return writer.write(
    options,
    ({ context }) => {
      const numbered = { ...operation, account: context.signingAccountId } as MainWalletOperation;
      return { kind: 'operation', ...planMainWalletWrite(numbered) };
    },
    'mainWallet',
  );
}

/** The writes about accounts over a writer. */
export function accountWrites(writer: WriteClient): AccountWrites {
  return {
    setLeverage: (params) =>
      writer.write(params, ({ environment }) => {
        const { symbol } = knownMarket(environment, params.symbol);
        return { kind: 'setLeverage', symbol, leverage: params.leverage };
      }),
    createSubaccount: (params = {}) =>
      mainWalletWrite(writer, { ...params, subaccount: 0 }, { kind: 'CreateSubaccount' }),
  };
}

/** The writes about API wallets over a writer. */
export function apiWalletWrites(writer: WriteClient): ApiWalletWrites {
  return {
    approve: ({ address, validUntil, ...options }) =>
      mainWalletWrite(writer, options, {
        kind: 'ApproveAgent',
        agent: address as Address,
        validUntilMs: instantOf(validUntil),
      }),
    revoke: ({ address, ...options }) =>
      mainWalletWrite(writer, options, {
        kind: 'RevokeAgent',
        agent: address as Address,
      }),
  };
}
