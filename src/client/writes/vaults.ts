/**
 * @module Writes of vaults, signed by a participant's main wallet for its own account. To trade for a vault give
 * `vault` to the writes of orders, or make a client with `account: { vault }`.
 */
import { must } from '../../core/index.ts';
import type { VaultOperation } from '../../domain/index.ts';
import { planVaultWrite, vaultNumber } from '../../wire/protocol/index.ts';
import { type DecimalInput, scaledOf } from '../amounts.ts';
import type { VaultParam } from '../reads/wallets.ts';
import type { WriteClient, WriteOptions } from '../write-client.ts';
import type { WriteResult } from '../write-result.ts';

/** Which account of the main wallet takes part. */
export type DepositorOptions = Omit<WriteOptions, 'vault'>;

/** Writes of vaults. */
export interface VaultWrites {
  /**
   * Creates a community vault that the account manages; `vault.id` of the result names it. Main wallet only.
   * @throws ApiError, UnresolvedWriteError
   * @example
   * const { vault } = await mainWallet.vaults.create({ name: 'Basis trade' });
   * assert((await mainWallet.vaults.get({ id: vault.id })).name === 'Basis trade');
   */
  create(params: { readonly name: string } & DepositorOptions): Promise<WriteResult>;
  /**
   * Pays USDC in and mints shares; `vault.shares` of the result says how many. Main wallet only.
   * @throws ApiError `InsufficientWithdrawable` and what the deposit cap refuses; UnresolvedWriteError
   * @example
   * const { vault } = await mainWallet.vaults.create({ name: 'Deposits' });
   * const paid = await mainWallet.vaults.deposit({ id: vault.id, amount: '100' });
   * assert(paid.vault.shares.greaterThan(0));
   */
  deposit(params: VaultParam & { readonly amount: DecimalInput } & DepositorOptions): Promise<WriteResult>;
  /**
   * Burns shares and takes their value out; `vault.amount` of the result says how much. Main wallet only.
   * @throws ApiError, UnresolvedWriteError
   * @example
   * const { vault } = await mainWallet.vaults.create({ name: 'Redemptions' });
   * const { vault: { shares } } = await mainWallet.vaults.deposit({ id: vault.id, amount: '100' });
   * const taken = await mainWallet.vaults.redeem({ id: vault.id, shares });
   * assert(taken.vault.amount.equals('100'));
   */
  redeem(params: VaultParam & { readonly shares: DecimalInput } & DepositorOptions): Promise<WriteResult>;
  /**
   * Claims a fresh vault: the account becomes its manager. Main wallet only.
   * @throws ApiError for one that is managed already; UnresolvedWriteError
   * @example
   * await mainWallet.vaults.claim({ id: '999999' }).catch((error) => assert(error.effect === 'none'));
   */
  claim(params: VaultParam & DepositorOptions): Promise<WriteResult>;
  /**
   * Sets the deposit cap (USDC) and the greatest leverage; null: none. Only the creator may. Main wallet only.
   * @throws ApiError, UnresolvedWriteError
   * @example const { vault } = await mainWallet.vaults.create({ name: 'Limits' }); await mainWallet.vaults.configure({
   * id: vault.id, depositCap: '1000', leverageMax: 3 }); assert((await mainWallet.vaults.get({ id: vault.id
   * })).leverageMax === 3);
   */
  configure(
    params: VaultParam & {
      readonly depositCap: DecimalInput | null;
      readonly leverageMax: number | null;
    } & DepositorOptions,
  ): Promise<WriteResult>;
}

/** An operation without the number of its account, its amounts still to be read. */
type Unnumbered = VaultOperation extends infer Each
  ? Each extends VaultOperation
    ? Omit<Each, 'account'>
    : never
  : never;

/** The writes of vaults over a writer. */
export function vaultWrites(writer: WriteClient): VaultWrites {
  const write = (
    { subaccount, minSeq }: DepositorOptions,
    operationOf: (decimals: number) => Unnumbered,
  ): Promise<WriteResult> =>
    writer.write(
      { subaccount: subaccount ?? 0, minSeq },
      ({ context, environment: { collateralDecimals } }) => {
        const operation = { ...operationOf(collateralDecimals), account: context.signingAccountId };
        return { kind: 'operation', ...planVaultWrite(operation as VaultOperation, collateralDecimals) };
      },
      'mainWallet',
    );
  return {
    create: (params) => write(params, () => ({ kind: 'CreateVault', name: params.name })),
    deposit: (params) =>
      write(params, (decimals) => ({
        kind: 'DepositVault',
        vault: numberOf(params.id),
        amount: scaledOf(params.amount, decimals, 'amount'),
      })),
    redeem: (params) =>
      write(params, (decimals) => ({
        kind: 'RedeemVault',
        vault: numberOf(params.id),
        shares: scaledOf(params.shares, decimals, 'shares'),
      })),
    claim: (params) => write(params, () => ({ kind: 'ClaimVault', vault: numberOf(params.id) })),
    configure: (params) =>
      write(params, (decimals) => ({
        kind: 'ConfigureVault',
        vault: numberOf(params.id),
        depositCap: params.depositCap === null ? 0n : scaledOf(params.depositCap, decimals, 'depositCap'),
        leverageMax: params.leverageMax === null ? 0 : params.leverageMax,
      })),
  };
}

/** The number of a vault; what the call was given was one. */
function numberOf(id: string): number {
  return must(vaultNumber(id), `the vault ${id}`);
}
