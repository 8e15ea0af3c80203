/**
 * @module
 * What is read once at start: time, exchange info, markets, nonce, grants. A market that cannot be read exactly is left
 * out by name and not guessed at (obligations O4, O10).
 */
import { parseScaled, parseScaledNumber, type UnixMs } from '../../../core/index.ts';
import type {
  Address,
  Lots,
  Market,
  MarketSymbol,
  Nonce,
  Ppm,
  Quantums,
  Ticks,
} from '../../../domain/index.ts';
import { type DomainFields, readChainId } from '../../crypto/index.ts';
import {
  bigintOf,
  type Decoded,
  decoded,
  eachOf,
  type Fields,
  flagLike,
  idOf,
  integerOf,
  malformed,
  objectOf,
  optionalInteger,
  optionalText,
  textOf,
  whyOf,
} from './fields.ts';

/** One token of the exchange. */
export interface Token {
  readonly token: number;
  readonly symbol: string | undefined;
  readonly decimals: number;
  readonly address: string | undefined;
}

/** The environment: domain, tokens, codec. */
export interface ExchangeInfo {
  readonly chainId: bigint;
  /** The signing domain; its chain id is an integer. */
  readonly domain: DomainFields & { readonly chainId: bigint };
  readonly tokens: readonly Token[];
  /** Of token 0, or of the token named USDC. */
  readonly collateralDecimals: number;
  readonly collateralToken: number;
  /**
   * `undefined` when the exchange does not say; another one than ours stops all signing (exchange.md#command-bytes).
   */
  readonly codecVersion: number | undefined;
  /** Its `version`, as it came, for logs and comparison (obligation O5). */
  readonly version: unknown;
  readonly fundingIntervalMs: number | undefined;
}

/** The answer of GET /v1/time. */
export function decodeTime(text: string): Decoded<UnixMs> {
  return decoded(text, (value) => integerOf(objectOf(value, 'answer'), 'serverTime') as UnixMs);
}

/** The answer of GET /v1/exchange. */
export function decodeExchange(text: string): Decoded<ExchangeInfo> {
  return decoded(text, (value) => {
    const fields = objectOf(value, 'answer');
    const chainId = readChainId(fields['chainId']);
    const domain = readDomain(objectOf(fields['domain'], 'domain'), chainId);
    const tokens = eachOf(fields, 'tokens', readToken);
    const version = fields['version'];
    const collateral = collateralOf(tokens);
    return {
      chainId,
      domain,
      tokens,
      collateralDecimals: collateral.decimals,
      collateralToken: collateral.token,
      codecVersion:
        typeof version === 'object' && version !== null ? readCodecVersion(version as Fields) : undefined,
      version,
      fundingIntervalMs: optionalInteger(fields, 'fundingIntervalMs', undefined),
    };
  });
}

function readDomain(fields: Fields, chainId: bigint): DomainFields & { readonly chainId: bigint } {
  if (fields['chainId'] !== undefined && readChainId(fields['chainId']) !== chainId) {
    throw malformed(`domain.chainId of ${chainId}`, fields['chainId']);
  }
  return {
    name: optionalText(fields, 'name'),
    version: optionalText(fields, 'version'),
    chainId,
    verifyingContract: optionalText(fields, 'verifyingContract'),
    salt: optionalText(fields, 'salt'),
  };
}

function readToken(fields: Fields, index: number): Token {
  return {
    token: optionalInteger(fields, 'token', index),
    symbol: optionalText(fields, 'symbol'),
    decimals: decimalsOf(fields, 'decimals'),
    address: optionalText(fields, 'address'),
  };
}

function collateralOf(tokens: readonly Token[]): Token {
  const token = tokens.find((entry) => entry.token === 0) ?? tokens.find((entry) => entry.symbol === 'USDC');
  if (token === undefined) throw malformed('a collateral token in tokens', undefined);
  return token;
}

function readCodecVersion(version: Fields): number | undefined {
  return (
    optionalInteger(version, 'codecVersion', undefined) ?? optionalInteger(version, 'codec_ver', undefined)
  );
}

const DECIMALS_MAX = 18;

function decimalsOf(fields: Fields, name: string): number {
  const value = integerOf(fields, name);
  if (value < 0 || value > DECIMALS_MAX) throw malformed(`${name} from 0 to ${DECIMALS_MAX}`, value);
  return value;
}

/** The markets that can be traded exactly, and those that cannot with the reason. */
export interface MarketTable {
  readonly markets: readonly Market[];
  readonly refused: readonly { readonly symbol: string; readonly why: string }[];
}

/** The answer of GET /v1/markets. */
export function decodeMarkets(text: string, collateralDecimals: number): Decoded<MarketTable> {
  return decoded(text, (value) => {
    const markets: Market[] = [];
    const refused: { symbol: string; why: string }[] = [];
    eachOf(objectOf(value, 'answer'), 'markets', (fields) => {
      try {
        markets.push(readMarket(fields, collateralDecimals));
      } catch (thrown) {
        refused.push({ symbol: optionalText(fields, 'symbol') ?? '', why: whyOf(thrown) });
      }
    });
    return { markets, refused };
  });
}

function readMarket(fields: Fields, collateralDecimals: number): Market {
  const kind = optionalText(fields, 'kind') ?? 'perp';
  if (kind !== 'perp') throw malformed('a perpetual market', kind);
  const priceDecimals = decimalsOf(fields, 'priceDecimals');
  const sizeDecimals = decimalsOf(fields, 'sizeDecimals');
  const exponent = collateralDecimals - priceDecimals - sizeDecimals;
  if (exponent < 0) {
    throw malformed(`priceDecimals and sizeDecimals of at most ${collateralDecimals} together`, exponent);
  }
  const signingMarketId = integerOf(fields, 'signingMarketId');
  if (signingMarketId < 0 || signingMarketId > 0xffff) {
    throw malformed('signingMarketId of 16 bits', signingMarketId);
  }
  return {
    symbol: textOf(fields, 'symbol') as MarketSymbol,
    signingMarketId,
    priceDecimals,
    sizeDecimals,
    tickStep: stepOf(fields, 'tickSize', priceDecimals) as Ticks,
    lotStep: stepOf(fields, 'lotSize', sizeDecimals) as Lots,
    // Absent or unknown states are not tradable (obligation O10).
    status: optionalText(fields, 'status') ?? 'Unknown',
    quantumsPerTickLot: 10n ** BigInt(exponent),
    // Absent margin figures count as the safest: fully collateralised.
    initialMarginPpm: marginOf(fields, 'initialMarginPpm'),
    maintenanceFractionPpm: marginOf(fields, 'maintenanceFractionPpm'),
    minNotional: minNotionalOf(fields, collateralDecimals),
  };
}

function stepOf(fields: Fields, name: string, decimals: number): number {
  const text = textOf(fields, name);
  const step = parseScaledNumber(text, decimals);
  if (!(step > 0)) throw malformed(`${name} above 0 with at most ${decimals} decimals`, text);
  return step;
}

/** Below zero it would let a position of any size pass. */
function marginOf(fields: Fields, name: string): Ppm {
  const ppm = optionalInteger(fields, name, 1_000_000);
  if (ppm < 0) throw malformed(`${name} that is not negative`, ppm);
  return ppm as Ppm;
}

function minNotionalOf(fields: Fields, collateralDecimals: number): Quantums {
  const text = optionalText(fields, 'minNotional') ?? '0';
  const amount = parseScaled(text, collateralDecimals);
  if (amount === undefined || amount < 0n) throw malformed('minNotional as an amount', text);
  return amount as Quantums;
}

/** The next nonce of a scope and the account's number in structs. */
export interface NonceRecord {
  readonly nonce: Nonce;
  /** Never an address (obligation O32). */
  readonly signingAccountId: number;
  /** `account:<id>` or `agent:0x<address>`. */
  readonly scope: string;
}

/** The answer of GET /v1/account/nonce. */
export function decodeNonce(text: string): Decoded<NonceRecord> {
  return decoded(text, (value) => {
    const fields = objectOf(value, 'answer');
    const nonce = bigintOf(fields, 'nonce');
    if (nonce < 0n || nonce >= 1n << 64n) throw malformed('nonce of 64 bits', nonce);
    return {
      nonce: nonce as Nonce,
      signingAccountId: accountIdOf(fields, 'signingAccountId'),
      scope: textOf(fields, 'scope'),
    };
  });
}

/** Account numbers are signed as 32 bits (exchange.md#command-bytes). */
function accountIdOf(fields: Fields, name: string): number {
  const id = integerOf(fields, name);
  if (id < 0 || id > 0xffff_ffff) throw malformed(`${name} of 32 bits`, id);
  return id;
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
    eachOf(objectOf(value, 'answer'), 'agents', (fields) => ({
      address: idOf(fields, 'address').toLowerCase() as Address,
      ...readValidity(fields),
    })),
  );
}

/** One account that an API wallet may act for. */
export interface AgentGrant {
  readonly account: Address;
  readonly subaccount: number;
  readonly accountId: number;
  /** 0: never expires. */
  readonly validUntilMs: UnixMs | 0;
  readonly isExpired: boolean;
}

/** The answer of GET /v1/agents/{address}. */
export function decodeAgentAccounts(text: string): Decoded<readonly AgentGrant[]> {
  return decoded(text, (value) =>
    eachOf(objectOf(value, 'answer'), 'grants', (fields) => ({
      account: idOf(fields, 'account').toLowerCase() as Address,
      subaccount: optionalInteger(fields, 'subaccount', 0),
      accountId: accountIdOf(fields, 'accountId'),
      ...readValidity(fields),
    })),
  );
}

function readValidity(fields: Fields): { readonly validUntilMs: UnixMs | 0; readonly isExpired: boolean } {
  return {
    validUntilMs: integerOf(fields, 'validUntilMs') as UnixMs | 0,
    isExpired: flagLike(fields, 'expired') ?? true,
  };
}
