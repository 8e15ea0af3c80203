/**
 * @module
 * What every read works with, and how its query is understood: selections of accounts, numbers in range, markets.
 */
import { ADDRESS, integerFrom, type Kind } from '../../../core/index.ts';
import type { Address, Market } from '../../../domain/index.ts';
import { type EndpointId, PAGE_LIMIT_MAX, vaultNumber } from '../../../wire/protocol/index.ts';
import type {
  AccountHolder,
  ExchangeDomain,
  ExchangeSettings,
  ExchangeState,
  QuirkSwitches,
} from '../../state/index.ts';
import type { IssuedBounds } from '../issued-bounds.ts';
import type { EndpointResult, Refusal } from './answer.ts';

/** One read that is under way. */
export interface ReadContext {
  /** The state that is read: the newest, or the replica's. */
  readonly state: ExchangeState;
  /** Settings of the exchange. */
  readonly settings: ExchangeSettings;
  /** Server time in Unix ms. */
  readonly nowMs: number;
  /** EIP-712 signing domain. */
  readonly domain: ExchangeDomain;
  /** The last position whose results are written down. */
  readonly durableSeq: number;
  /** Gaps in the history that the exchange knows of, as the control set them. */
  readonly gaps: readonly HistoryGap[];
  /** Those that it does not know of. */
  readonly holes: readonly HistoryGap[];
  /** Chosen answers to the open points of the interface. */
  readonly quirks: QuirkSwitches;
  /** Bounds of history that were given out. */
  readonly bounds: IssuedBounds;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** Log positions that this replica never saw. */
export interface HistoryGap {
  /** First missing seq. */
  readonly first: number;
  /** Last missing seq. */
  readonly last: number;
  /** True: it does not know that it never saw them, and its pages leave them out in silence. */
  readonly isSilent?: boolean;
}

/** Answers a read. */
export type ReadHandler = (context: ReadContext) => EndpointResult;
/** The reads of one file. */
export type ReadTable = Partial<Readonly<Record<EndpointId, ReadHandler>>>;

/** True if this is a refusal. Values that are looked up are never refusals by accident: they have no `message`. */
export function isRefusal(value: object | string | number | undefined): value is Refusal {
  return typeof value === 'object' && 'message' in value && 'code' in value;
}

/** The account that `address` and `subaccount`, or `vault` only, select (openapi.yaml). */
export function selectAccount({ state, query }: ReadContext): AccountHolder | Refusal {
  const vault = query.get('vault');
  if (vault !== null) {
    if (query.has('address') || query.has('subaccount'))
      return { code: 'InvalidRequest', message: 'expected only vault, without address and subaccount' };
    const found = state.vaults.byId(vaultNumber(vault) ?? -1);
    return found ?? { code: 'NotFound', message: 'no such vault' };
  }
  const address = queryOf(query, 'address', ADDRESS);
  if (isRefusal(address)) return address;
  const subaccount = queryOf(query, 'subaccount', SUBACCOUNT, 0);
  if (isRefusal(subaccount)) return subaccount;
  const account = state.registry.find(address as Address, subaccount);
  return account ?? { code: 'NotFound', message: 'no such account: deposit first' };
}

const SUBACCOUNT = integerFrom(0, 0xffff_ffff);
/** Entries of a page of history. */
export const PAGE_LIMIT = integerFrom(1, PAGE_LIMIT_MAX);

/** The parameter `name` of the query; `fallback` when it is absent, without one it must be there. */
export function queryOf<T extends string | number>(
  query: URLSearchParams,
  name: string,
  kind: Kind<T>,
  fallback?: T,
): T | Refusal {
  const text = query.get(name);
  const value = text === null ? fallback : kind.read(text);
  return value ?? { code: 'InvalidRequest', message: `expected ${name} as ${kind.expected}` };
}

/** The wallet address of a path. */
export function addressOfPath({ params }: ReadContext): Address | Refusal {
  const address = ADDRESS.read(params['address']) as Address | undefined;
  return address ?? { code: 'InvalidRequest', message: `expected ${ADDRESS.expected} in the path` };
}

/** The market of a path, or of a query. */
export function selectMarket({ state, params, query }: ReadContext): Market | Refusal {
  const symbol = params['symbol'] ?? query.get('symbol');
  const view = state.venue.markets().find(({ market }) => market.symbol === symbol);
  return view?.market ?? { code: 'NotFound', message: 'no such market' };
}
