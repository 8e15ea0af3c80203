/**
 * @module
 * What is read once at start: time, exchange info, markets, nonce, grants. A market that cannot be read exactly is left
 * out by name and not guessed at (obligations O4, O10).
 */
import {
  eachOf,
  FieldError,
  FLAG_LIKE,
  fieldOf,
  ID,
  INTEGER,
  integerFrom,
  isRecord,
  type JsonObject,
  messageOf,
  NATURAL,
  OBJECT,
  objectOf,
  optionalOf,
  TEXT,
  type UnixMs,
} from '../../../core/index.ts';
import type { Address, Market, MarketSymbol, Nonce, Ppm, Quantums } from '../../../domain/index.ts';
import { type DomainFields, readChainId } from '../../crypto/index.ts';
import { AGENT_GRANT } from '../schema/account.ts';
import { MARKET } from '../schema/market.ts';
import { exactly } from '../schema/schema.ts';
import { caught, type Decoded } from './decoded.ts';
import { amountScale, decoded } from './fields.ts';

/** One token of the exchange. */
export interface Token {
  /** Number of the token. */
  readonly token: number;
  /** Symbol; `undefined`: not reported. */
  readonly symbol: string | undefined;
  /** Decimals of its amounts. */
  readonly decimals: number;
  /** Address of its contract; `undefined`: not reported. */
  readonly address: string | undefined;
}

/** The environment: domain, tokens, codec. */
export interface ExchangeEnvironment {
  /** Chain of the signing domain. */
  readonly chainId: bigint;
  /** The signing domain; its chain id is an integer. */
  readonly domain: DomainFields & { readonly chainId: bigint };
  readonly tokens: readonly Token[];
  /** Of token 0, or of the token named USDC. */
  readonly collateralDecimals: number;
  /** Number of the collateral token. */
  readonly collateralToken: number;
  /**
   * `undefined` when the exchange does not say; another one than ours stops all signing (exchange.md#command-bytes).
   */
  readonly codecVersion: number | undefined;
  /** Its `version`, as it came, for logs and comparison (obligation O5). */
  readonly version: unknown;
  /** Time between funding payments, ms; `undefined`: not reported. */
  readonly fundingIntervalMs: number | undefined;
}

/** The answer of GET /v1/time. */
export function decodeTime(text: string): Decoded<UnixMs> {
  return decoded(text, (value) => fieldOf(objectOf(value), 'serverTime', INTEGER) as UnixMs);
}

/** The answer of GET /v1/exchange. */
export function decodeExchange(text: string): Decoded<ExchangeEnvironment> {
  return decoded(text, (value) => {
    const fields = objectOf(value);
    const chainId = readChainId(fields['chainId']);
    const domain = readDomain(fieldOf(fields, 'domain', OBJECT), chainId);
    const tokens = eachOf(fields, 'tokens', readToken);
    const { version } = fields;
    const collateral = collateralOf(tokens);
    return {
      chainId,
      domain,
      tokens,
      collateralDecimals: collateral.decimals,
      collateralToken: collateral.token,
      codecVersion: readCodecVersion(fields, version),
      version,
      fundingIntervalMs: optionalOf(fields, 'fundingIntervalMs', INTEGER, undefined),
    };
  });
}

function readDomain(fields: JsonObject, chainId: bigint): DomainFields & { readonly chainId: bigint } {
  const { chainId: named } = fields;
  if (named !== undefined && readChainId(named) !== chainId)
    throw new FieldError('domain.chainId', String(chainId), named);
  return {
    name: optionalOf(fields, 'name', TEXT, undefined),
    version: optionalOf(fields, 'version', TEXT, undefined),
    chainId,
    verifyingContract: optionalOf(fields, 'verifyingContract', TEXT, undefined),
    salt: optionalOf(fields, 'salt', TEXT, undefined),
  };
}

const DECIMALS = integerFrom(0, 18);

function readToken(fields: JsonObject, index: number): Token {
  return {
    token: optionalOf(fields, 'token', INTEGER, index),
    symbol: optionalOf(fields, 'symbol', TEXT, undefined),
    decimals: fieldOf(fields, 'decimals', DECIMALS),
    address: optionalOf(fields, 'address', TEXT, undefined),
  };
}

function collateralOf(tokens: readonly Token[]): Token {
  const token = tokens.find((entry) => entry.token === 0) ?? tokens.find((entry) => entry.symbol === 'USDC');
  if (token === undefined) throw new FieldError('tokens', 'a list with the collateral token', undefined);
  return token;
}

/** Where exchanges say it: beside `version` or within it. */
const CODEC_NAMES = ['codecVersion', 'codecVer', 'codec_ver'] as const;

/** All that is said must be the same: an answer that contradicts itself cannot be signed for. */
function readCodecVersion(fields: JsonObject, version: unknown): number | undefined {
  let found: number | undefined;
  for (const level of [version, fields]) {
    if (!isRecord(level)) continue;
    for (const name of CODEC_NAMES) {
      const said = optionalOf(level, name, INTEGER, undefined);
      if (said !== undefined && found !== undefined && said !== found)
        throw new FieldError(name, `${found}, as it is said elsewhere in this answer`, said);
      found ??= said;
    }
  }
  return found;
}

/** The markets that can be traded exactly, and those that cannot with the reason. */
export interface MarketTable {
  readonly markets: readonly Market[];
  /** Markets that cannot be used, and why. */
  readonly refused: readonly { readonly symbol: string; readonly why: string }[];
}

/** The answer of GET /v1/markets. */
export function decodeMarkets(text: string, collateralDecimals: number): Decoded<MarketTable> {
  return decoded(text, (value) => {
    const markets: Market[] = [];
    const refused: { symbol: string; why: string }[] = [];
    eachOf(objectOf(value), 'markets', (fields) => {
      const market = caught(() => readMarket(fields, collateralDecimals));
      if (market.ok) markets.push(market.value);
      else refused.push({ symbol: TEXT.read(fields['symbol']) ?? '', why: messageOf(market.error) });
    });
    return { markets, refused };
  });
}

const MARKET_ID = integerFrom(0, 0xffff);
/** Below zero a margin would let a position of any size pass. */
const MARGIN = integerFrom(0);
/** Absent margins count as the safest: fully collateralized. */
const MARGIN_DEFAULT = 1_000_000;
const exactMarket = exactly(MARKET);

function readMarket(fields: JsonObject, collateralDecimals: number): Market {
  const kind = optionalOf(fields, 'kind', TEXT, 'perp');
  if (kind !== 'perp') throw new FieldError('kind', 'a perpetual market', kind);
  const priceDecimals = fieldOf(fields, 'priceDecimals', DECIMALS);
  const sizeDecimals = fieldOf(fields, 'sizeDecimals', DECIMALS);
  const exponent = collateralDecimals - priceDecimals - sizeDecimals;
  if (exponent < 0) {
    const expected = `at most ${collateralDecimals} together with priceDecimals`;
    throw new FieldError('sizeDecimals', expected, sizeDecimals);
  }
  const scale = { priceDecimals, sizeDecimals, collateralDecimals };
  const tickSize = exactMarket.tickSize(fields, scale);
  const lotSize = exactMarket.lotSize(fields, scale);
  const minNotional = exactMarket.minNotional(fields, scale);
  if (tickSize === 0) throw new FieldError('tickSize', 'a step above 0', fields['tickSize']);
  if (lotSize === 0) throw new FieldError('lotSize', 'a step above 0', fields['lotSize']);
  if (minNotional !== undefined && minNotional < 0n)
    throw new FieldError('minNotional', 'an amount of 0 or more', fields['minNotional']);
  return {
    symbol: fieldOf(fields, 'symbol', TEXT) as MarketSymbol,
    signingMarketId: fieldOf(fields, 'signingMarketId', MARKET_ID),
    priceDecimals,
    sizeDecimals,
    tickStep: tickSize,
    lotStep: lotSize,
    // Absent or unknown states are not tradable (obligation O10).
    status: optionalOf(fields, 'status', TEXT, 'Unknown'),
    quantumsPerTickLot: 10n ** BigInt(exponent),
    initialMarginPpm: optionalOf(fields, 'initialMarginPpm', MARGIN, MARGIN_DEFAULT) as Ppm,
    maintenanceFractionPpm: optionalOf(fields, 'maintenanceFractionPpm', MARGIN, MARGIN_DEFAULT) as Ppm,
    minNotional: minNotional ?? (0n as Quantums),
  };
}

/** The next nonce of a scope and the account's number in structs. */
export interface ScopeNonce {
  readonly nonce: Nonce;
  /** Never an address (obligation O32). */
  readonly signingAccountId: number;
  /** `account:<id>` or `agent:0x<address>`. */
  readonly scope: string;
}

/** Account numbers are signed as 32 bits. */
const ACCOUNT_ID = integerFrom(0, 0xffff_ffff);

/** The answer of GET /v1/account/nonce. */
export function decodeNonce(text: string): Decoded<ScopeNonce> {
  return decoded(text, (value) => {
    const fields = objectOf(value);
    const nonce = fieldOf(fields, 'nonce', NATURAL);
    if (nonce >= 1n << 64n) throw new FieldError('nonce', 'an integer of 64 bits', nonce);
    return {
      nonce: nonce as Nonce,
      signingAccountId: fieldOf(fields, 'signingAccountId', ACCOUNT_ID),
      scope: fieldOf(fields, 'scope', TEXT),
    };
  });
}

/** One grant of an account to an API wallet. */
export interface Grant {
  readonly address: Address;
  /** 0: never expires. */
  readonly validUntilMs: UnixMs | 0;
  /** True also when the exchange does not say. */
  readonly isExpired: boolean;
}

/** The answer of GET /v1/account/agents. */
export function decodeAgents(text: string): Decoded<readonly Grant[]> {
  return decoded(text, (value) =>
    eachOf(objectOf(value), 'agents', (fields) => ({
      address: fieldOf(fields, 'address', ID).toLowerCase() as Address,
      ...readValidity(fields),
    })),
  );
}

/** Who trades for a vault. */
export interface VaultManagement {
  /** The account that claimed it; `undefined`: nobody has. `subaccount`: `undefined` where the gateway does not say. */
  readonly manager: { readonly address: Address; readonly subaccount: number | undefined } | undefined;
}

/** The answer of GET /v1/vaults/{id}: a manager is an account, or the address of its main wallet alone. */
export function decodeVault(text: string): Decoded<VaultManagement> {
  return decoded(text, (value) => {
    const { manager } = objectOf(value);
    if (manager === null || manager === undefined) return { manager: undefined };
    const fields = isRecord(manager) ? manager : { address: manager };
    return {
      manager: {
        address: fieldOf(fields, 'address', ID).toLowerCase() as Address,
        subaccount: optionalOf(fields, 'subaccount', INTEGER, undefined),
      },
    };
  });
}

/** One account that an API wallet may act for. */
export interface AgentGrant {
  /** Address of its main wallet; `undefined`: it is named by its number alone. */
  readonly account: Address | undefined;
  /** Index of the subaccount; 0 is the main account. Of an account that is named by its number, nothing is said of it. */
  readonly subaccount: number;
  /** Number of the account; `undefined`: not reported. */
  readonly accountId: number | undefined;
  /** 0: never expires. */
  readonly validUntilMs: UnixMs | 0;
  /** True once the grant has expired. */
  readonly isExpired: boolean;
}

const exactGrant = exactly(AGENT_GRANT);
const ACCOUNT_NUMBER = /^[0-9]{1,10}$/;

/** The answer of GET /v1/agents/{address}. */
export function decodeAgentAccounts(text: string): Decoded<readonly AgentGrant[]> {
  return decoded(text, (value) =>
    eachOf(objectOf(value), 'grants', (fields) => {
      const scale = amountScale(0);
      const account = exactGrant.account(fields, scale).toLowerCase();
      const isNumber = ACCOUNT_NUMBER.test(account);
      const accountId = exactGrant.accountId(fields, scale) ?? (isNumber ? Number(account) : undefined);
      return {
        account: isNumber ? undefined : (account as Address),
        subaccount: exactGrant.subaccount(fields, scale) ?? 0,
        accountId: accountId === undefined ? undefined : fieldOf({ accountId }, 'accountId', ACCOUNT_ID),
        ...readValidity(fields),
      };
    }),
  );
}

function readValidity(fields: JsonObject): {
  readonly validUntilMs: UnixMs | 0;
  readonly isExpired: boolean;
} {
  return {
    validUntilMs: fieldOf(fields, 'validUntilMs', INTEGER) as UnixMs | 0,
    isExpired: FLAG_LIKE.read(fields['expired']) ?? true,
  };
}
