/**
 * @module
 * What every read works with, and how its query is understood: selections of accounts, numbers in range, markets.
 */
import { integerFrom } from '../../../core/index.ts';
import type { Address, Market } from '../../../domain/index.ts';
import { type EndpointId, vaultNumber } from '../../../wire/protocol/index.ts';
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
  /** Gaps in the history, as the control set them. */
  readonly gaps: readonly HistoryGap[];
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
}

/** Answers a read. */
export type ReadHandler = (context: ReadContext) => EndpointResult;
/** The reads of one file. */
export type ReadTable = Partial<Readonly<Record<EndpointId, ReadHandler>>>;

/** True if this is a refusal. Values that are looked up are never refusals by accident: they have no `message`. */
export function isRefusal(value: object | number | undefined): value is Refusal {
  return typeof value === 'object' && 'message' in value && 'code' in value;
}

/** The account that `address` and `subaccount`, or `vault` only, select (openapi.yaml). */
export function selectAccount({ state, query }: ReadContext): AccountHolder | Refusal {
  const vault = query.get('vault');
  const address = query.get('address');
  if (vault !== null) {
    if (address !== null || query.has('subaccount'))
      return { code: 'InvalidRequest', message: 'expected vault alone, without address and subaccount' };
    const found = state.vaults.byId(vaultNumber(vault) ?? -1);
    return found ?? { code: 'NotFound', message: 'no such vault' };
  }
  if (address === null || !isAddressText(address))
    return { code: 'InvalidRequest', message: 'expected address as a wallet address' };
  const subaccount = integerOf(query, 'subaccount', { min: 0, max: 0xffff_ffff, fallback: 0 });
  if (isRefusal(subaccount)) return subaccount;
  const account = state.registry.find(address.toLowerCase() as Address, subaccount);
  return account ?? { code: 'NotFound', message: 'no such account: deposit first' };
}

/** An integer of the query within a range; `fallback` when it is absent. */
export function integerOf(
  query: URLSearchParams,
  name: string,
  range: { readonly min: number; readonly max: number; readonly fallback: number },
): number | Refusal {
  const text = query.get(name);
  if (text === null) return range.fallback;
  const kind = integerFrom(range.min, range.max);
  return kind.read(text) ?? { code: 'InvalidRequest', message: `expected ${name} as ${kind.expected}` };
}

/** The market of a path. */
export function selectMarket({ state, params }: ReadContext): Market | Refusal {
  const view = state.venue.markets().find(({ market }) => market.symbol === params['symbol']);
  return view?.market ?? { code: 'NotFound', message: 'no such market' };
}

/** True if this is `0x` and 40 hexadecimal digits. */
export function isAddressText(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}
