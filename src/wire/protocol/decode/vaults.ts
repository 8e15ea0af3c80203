/**
 * @module
 * Answers of the vault reads and of the portfolio. Amounts and shares are exact integers, shares in as many decimals as
 * collateral; what an exchange leaves out is null, never zero (obligation O14).
 */
import { parseScaled, type UnixMs } from '../../../core/index.ts';
import type { Address, Quantums } from '../../../domain/index.ts';
import {
  amountOf,
  type DecodeContext,
  type Decoded,
  decoded,
  eachOf,
  type Fields,
  idOf,
  integerOf,
  malformed,
  objectOf,
  optionalInteger,
  optionalText,
  textOf,
} from './fields.ts';

/** Units of a vault's shares: as finely counted as collateral. */
export type VaultShares = bigint;

/** A wallet's account, as manager or depositor of a vault. */
export interface VaultParty {
  readonly address: Address;
  readonly subaccount: number;
}

/** A vault. */
export interface Vault {
  readonly id: string;
  readonly name: string;
  readonly state: 'fresh' | 'managed';
  /** `null`: the operator, or not told. */
  readonly creator: Address | null;
  /** `null` while nobody has claimed it. */
  readonly manager: VaultParty | null;
  readonly equity: Quantums | null;
  readonly shares: VaultShares;
  /** In collateral by share; `null` while there are no shares. */
  readonly navPerShare: Quantums | null;
  readonly withdrawable: Quantums | null;
  readonly depositCap: Quantums | null;
  readonly leverageMax: number | null;
  readonly depositorCount: number | null;
  readonly createdAtMs: UnixMs | null;
}

/** A net asset value of the past. */
export interface VaultNavPoint {
  readonly atMs: UnixMs;
  readonly navPerShare: Quantums;
  readonly equity: Quantums | null;
  readonly shares: VaultShares | null;
}

/** A depositor with its part. */
export interface VaultDepositor extends VaultParty {
  readonly shares: VaultShares;
  readonly value: Quantums | null;
}

/** What one account holds of one vault. */
export interface VaultHolding {
  readonly id: string;
  readonly name: string | null;
  readonly shares: VaultShares;
  readonly value: Quantums;
  readonly netDeposits: Quantums | null;
}

/** An account's value at one time of the past. */
export interface PortfolioPoint {
  readonly atMs: UnixMs;
  readonly accountValue: Quantums;
  /** Account value less what was paid in, plus what was taken out. */
  readonly pnl: Quantums;
}

/** What a vault operation did. */
export interface VaultEffect {
  readonly id: string;
  /** Minted or burned. */
  readonly shares: VaultShares | null;
  /** Paid in or taken out. */
  readonly amount: Quantums | null;
}

/** The answer of GET /v1/vaults/{id}. */
export function decodeVault(text: string, context: DecodeContext): Decoded<Vault> {
  return decoded(text, (value) => readVault(objectOf(value, 'answer'), context));
}

/** The answer of GET /v1/vaults. */
export function decodeVaults(text: string, context: DecodeContext): Decoded<readonly Vault[]> {
  return decoded(text, (value) =>
    eachOf(objectOf(value, 'answer'), 'vaults', (fields) => readVault(fields, context)),
  );
}

/** The answer of GET /v1/vaults/{id}/nav. */
export function decodeVaultNav(text: string, context: DecodeContext): Decoded<readonly VaultNavPoint[]> {
  return decoded(text, (value) =>
    eachOf(objectOf(value, 'answer'), 'points', (fields) => ({
      atMs: integerOf(fields, 'ts') as UnixMs,
      navPerShare: amountOf(fields, 'navPerShare', context),
      equity: amountOrNull(fields, 'equity', context),
      shares: sharesOrNull(fields, context),
    })),
  );
}

/** The answer of GET /v1/vaults/{id}/depositors. */
export function decodeVaultDepositors(
  text: string,
  context: DecodeContext,
): Decoded<readonly VaultDepositor[]> {
  return decoded(text, (value) =>
    eachOf(objectOf(value, 'answer'), 'depositors', (fields) => ({
      ...readParty(fields),
      shares: sharesOf(fields, context),
      value: amountOrNull(fields, 'value', context),
    })),
  );
}

/** The answer of GET /v1/account/vaults. */
export function decodeAccountVaults(text: string, context: DecodeContext): Decoded<readonly VaultHolding[]> {
  return decoded(text, (value) =>
    eachOf(objectOf(value, 'answer'), 'vaults', (fields) => ({
      id: idOf(fields, 'id'),
      name: optionalText(fields, 'name') ?? null,
      shares: sharesOf(fields, context),
      value: amountOf(fields, 'value', context),
      netDeposits: amountOrNull(fields, 'netDeposits', context),
    })),
  );
}

/** The answer of GET /v1/account/portfolio. */
export function decodePortfolio(text: string, context: DecodeContext): Decoded<readonly PortfolioPoint[]> {
  return decoded(text, (value) =>
    eachOf(objectOf(value, 'answer'), 'points', (fields) => ({
      atMs: integerOf(fields, 'ts') as UnixMs,
      accountValue: amountOf(fields, 'accountValue', context),
      pnl: amountOf(fields, 'pnl', context),
    })),
  );
}

/** What the answer of a vault operation, or its receipt, says of the vault; `undefined` when it says nothing. */
export function readVaultEffect(fields: Fields, context: DecodeContext): VaultEffect | undefined {
  if (fields['vault'] === undefined || fields['vault'] === null) return undefined;
  const effect = objectOf(fields['vault'], 'vault');
  return {
    id: idOf(effect, 'id'),
    shares: sharesOrNull(effect, context),
    amount: amountOrNull(effect, 'amount', context),
  };
}

function readVault(fields: Fields, context: DecodeContext): Vault {
  const manager = fields['manager'];
  return {
    id: idOf(fields, 'id'),
    name: textOf(fields, 'name'),
    // A word that is not known must not look as if the vault could be traded for (obligation O55).
    state: fields['state'] === 'managed' ? 'managed' : 'fresh',
    creator: (optionalText(fields, 'creator')?.toLowerCase() ?? null) as Address | null,
    manager: manager === undefined || manager === null ? null : readParty(objectOf(manager, 'manager')),
    equity: amountOrNull(fields, 'equity', context),
    shares: sharesOf(fields, context),
    navPerShare: amountOrNull(fields, 'navPerShare', context),
    withdrawable: amountOrNull(fields, 'withdrawable', context),
    depositCap: amountOrNull(fields, 'depositCap', context),
    leverageMax: optionalInteger(fields, 'leverageMax', null),
    depositorCount: optionalInteger(fields, 'depositorCount', null),
    createdAtMs: optionalInteger(fields, 'createdAt', null) as UnixMs | null,
  };
}

function readParty(fields: Fields): VaultParty {
  return {
    address: textOf(fields, 'address').toLowerCase() as Address,
    subaccount: optionalInteger(fields, 'subaccount', 0),
  };
}

function sharesOf(fields: Fields, { collateralDecimals }: DecodeContext): VaultShares {
  const text = textOf(fields, 'shares');
  const shares = parseScaled(text, collateralDecimals);
  if (shares === undefined || shares < 0n) throw malformed('shares as a number that is not negative', text);
  return shares;
}

function sharesOrNull(fields: Fields, context: DecodeContext): VaultShares | null {
  const value = fields['shares'];
  return value === undefined || value === null ? null : sharesOf(fields, context);
}

function amountOrNull(fields: Fields, name: string, context: DecodeContext): Quantums | null {
  const value = fields[name];
  return value === undefined || value === null ? null : amountOf(fields, name, context);
}
