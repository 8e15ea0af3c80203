/**
 * @module
 * POST /v1/vaults and below: a participant creates, claims, configures a vault, pays in and takes out. Signed by its main
 * wallet for its own account; the vault is in the path. Bodies and structs are x-assumed (own choice).
 */
import {
  assertNever,
  closed,
  FieldError,
  fieldOf,
  formatScaled,
  type JsonObject,
  numberFrom,
  parseScaled,
  TEXT,
} from '../../../core/index.ts';
import type { VaultOperation } from '../../../domain/index.ts';
import { type EndpointId, matchEndpoint } from '../endpoints.ts';
import { COLLATERAL_DECIMALS_DEFAULT, VAULT_LEVERAGE_MAX, VAULT_NAME_LENGTH_MAX } from '../limits.ts';
import { pathOf } from '../paths.ts';
import type { WriteContext } from '../write-context.ts';
import { BodyRefused } from './body-refused.ts';
import type { PlannedWrite, ReadBody } from './operation.ts';

/** What a vault may be named as in a write: the paths of the six operations that its identity is good for. */
const VAULT_IDENTITY_PATHS: ReadonlySet<string> = new Set([
  '/v1/orders',
  '/v1/orders/cancel',
  '/v1/orders/cancel-all',
  '/v1/orders/replace',
  '/v1/orders/schedule-cancel',
  '/v1/account/leverage',
]);

const LEVERAGE = numberFrom(1, VAULT_LEVERAGE_MAX);
const U32_LIMIT = 1n << 32n;
const U64_LIMIT = 1n << 64n;

/**
 * True if a write to `path` (without query) may carry `vault`. Placement, cancellation, replacement, cancel-all,
 * schedule-cancel and leverage only (openapi.yaml; obligation O40).
 */
export function takesVaultIdentity(path: string): boolean {
  return VAULT_IDENTITY_PATHS.has(path);
}

/** The number of a vault's account, which is its id as text; `undefined` for what names no vault. */
export function vaultNumber(id: string): number | undefined {
  if (!/^[1-9][0-9]{0,9}$/.test(id)) return undefined;
  const number = BigInt(id);
  return number < U32_LIMIT ? Number(number) : undefined;
}

/** The write of a participant's operation. `collateralDecimals`: of amounts and shares in the body. */
export function planVaultWrite(
  operation: VaultOperation,
  collateralDecimals: number = COLLATERAL_DECIMALS_DEFAULT,
): PlannedWrite<VaultOperation> {
  const text = (value: bigint) => formatScaled(value, collateralDecimals);
  const planned = (endpoint: EndpointId, body: PlannedWrite['body']): PlannedWrite<VaultOperation> => {
    const path = 'vault' in operation ? { id: String(operation.vault) } : {};
    return { path: pathOf(endpoint, { path }), canonical: operation, body };
  };
  switch (operation.kind) {
    case 'CreateVault':
      return planned('createVault', { name: operation.name });
    case 'DepositVault':
      return planned('depositVault', { amount: text(operation.amount) });
    case 'RedeemVault':
      return planned('redeemVault', { shares: text(operation.shares) });
    case 'ClaimVault':
      return planned('claimVault', {});
    case 'ConfigureVault':
      return planned('configureVault', {
        depositCap: operation.depositCap === 0n ? null : text(operation.depositCap),
        leverageMax: operation.leverageMax === 0 ? null : operation.leverageMax,
      });
    default:
      return assertNever(operation);
  }
}

/** Reads the body of the vault operation at `path`; `undefined` when there is none at this path. */
export function readerOfVaultPath(path: string): ReadBody | undefined {
  const match = matchEndpoint('POST', path);
  const read = match && READERS[match.endpoint.id as EndpointId];
  return read && ((body, context) => read(body, { context, vaultId: match.params['id'] ?? '' }));
}

type ReadVaultBody = (
  body: unknown,
  at: { readonly context: WriteContext; readonly vaultId: string },
) => ReturnType<ReadBody>;

const READERS: Partial<Readonly<Record<EndpointId, ReadVaultBody>>> = {
  createVault: (body, { context }) => {
    const part = closed(body, ['name']);
    return read({ kind: 'CreateVault', account: context.signingAccountId, name: nameOf(part) });
  },
  depositVault: (body, at) => {
    const part = closed(body, ['amount']);
    return read({ kind: 'DepositVault', ...named(at), amount: amountOf(part, 'amount', at.context) });
  },
  redeemVault: (body, at) => {
    const part = closed(body, ['shares']);
    return read({ kind: 'RedeemVault', ...named(at), shares: amountOf(part, 'shares', at.context) });
  },
  claimVault: (body, at) => {
    closed(body, []);
    return read({ kind: 'ClaimVault', ...named(at) });
  },
  configureVault: (body, at) => {
    const part = closed(body, ['depositCap', 'leverageMax']);
    const hasCap = part['depositCap'] !== null;
    return read({
      kind: 'ConfigureVault',
      ...named(at),
      depositCap: hasCap ? amountOf(part, 'depositCap', at.context) : 0n,
      leverageMax: leverageOf(part),
    });
  },
};

function read(canonical: VaultOperation): ReturnType<ReadBody> {
  return { canonical, clientOrderIds: [] };
}

function named({ context, vaultId }: { readonly context: WriteContext; readonly vaultId: string }) {
  const vault = vaultNumber(vaultId);
  if (vault === undefined)
    throw new BodyRefused('NotFound', 'the id in the path', 'a number of a vault', vaultId);
  return { account: context.signingAccountId, vault };
}

/** Control characters would only serve to deceive who reads a list of vaults. */
function nameOf(part: JsonObject): string {
  const name = fieldOf(part, 'name', TEXT);
  const length = [...name].length;
  if (length > VAULT_NAME_LENGTH_MAX || !name.isWellFormed() || /\p{Cc}/u.test(name))
    throw new FieldError('name', `text of at most ${VAULT_NAME_LENGTH_MAX} printable characters`, name);
  return name;
}

function amountOf(part: JsonObject, name: string, { collateralDecimals }: WriteContext): bigint {
  const decimals = collateralDecimals ?? COLLATERAL_DECIMALS_DEFAULT;
  const text = fieldOf(part, name, TEXT);
  const amount = parseScaled(text, decimals);
  if (amount === undefined) throw refusedAmount(part, name, decimals);
  if (amount <= 0n || amount >= U64_LIMIT)
    throw new FieldError(name, 'an amount above 0 and within 64 bits', text);
  return amount;
}

/** Too many digits are another mistake than no number at all. */
function refusedAmount(part: JsonObject, name: string, decimals: number) {
  const text = part[name];
  const isNumber = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(String(text));
  const expected = `decimal text with at most ${decimals} decimals`;
  return isNumber
    ? new BodyRefused('InvalidPrecision', name, expected, text)
    : new FieldError(name, expected, text);
}

function leverageOf(part: JsonObject): number {
  return part['leverageMax'] === null ? 0 : fieldOf(part, 'leverageMax', LEVERAGE);
}
