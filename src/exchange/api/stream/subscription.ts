/**
 * @module
 * Reads what a client wants to hear about. The key of a subscription is the same for all who want the same, so shared
 * frames are written once and not once per subscriber.
 */
import { ADDRESS, isRecord, numberFrom } from '../../../core/index.ts';
import type { Address, CandleInterval, Market } from '../../../domain/index.ts';
import {
  BOOK_DEPTH_DEFAULT,
  BOOK_DEPTH_MAX,
  CHANNELS,
  type Channel,
  type SubscriptionParams,
  vaultNumber,
} from '../../../wire/protocol/index.ts';
import type { AccountHolder, Registry, Vaults } from '../../state/index.ts';
import { isCandleInterval } from '../../state/index.ts';

/** A subscription that was understood. Fields are there as the channel needs them. */
export interface Subscription {
  /** Unique text of channel and parameters. */
  readonly key: string;
  /** Channel name. */
  readonly channel: Channel;
  /** As the client sent them: acknowledgements echo them. */
  readonly params: SubscriptionParams;
  /** Market of the channel; absent: the channel names none. */
  readonly market?: Market;
  /** Levels per side; absent: the channel has no depth. */
  readonly depth?: number;
  /** Candle interval; absent: the channel has none. */
  readonly interval?: CandleInterval;
  /** Account of the channel; absent: the channel is public. */
  readonly account?: AccountHolder;
  /** Of `events`: the wallet whose accounts it is about. */
  readonly owner?: Address;
}

/** Why parameters are refused. */
export interface SubscriptionProblem {
  /** Error code of the interface. */
  readonly code: string;
  /** Error text for people. */
  readonly message: string;
}

/** What subscriptions are looked up in. */
export interface SubscriptionTables {
  /** Wallets and their accounts. */
  readonly registry: Registry;
  /** Vaults of the exchange. */
  readonly vaults: Vaults;
  /** The market of a symbol; `undefined`: unknown. */
  marketBySymbol(symbol: string): Market | undefined;
}

const OF_ACCOUNT = ['channel', 'address', 'subaccount', 'vault'] as const;
/** What each channel may be asked with: a field that would be ignored is refused. */
const PARAMS: Readonly<Record<Channel, readonly string[]>> = {
  prices: ['channel'],
  book: ['channel', 'symbol', 'depth'],
  bbo: ['channel', 'symbol'],
  trades: ['channel', 'symbol'],
  candles: ['channel', 'symbol', 'interval'],
  funding: ['channel', 'symbol'],
  orders: OF_ACCOUNT,
  fills: OF_ACCOUNT,
  positions: OF_ACCOUNT,
  account: OF_ACCOUNT,
  ledger: OF_ACCOUNT,
  events: ['channel', 'symbol', 'address'],
};

const DEPTH = numberFrom(1, BOOK_DEPTH_MAX);
const SUBACCOUNT = numberFrom(0);

type Reading = Subscription | { readonly problem: SubscriptionProblem };
type Parts = { readonly channel: Channel; readonly params: Record<string, unknown> };

/** The subscription in `params`, or what is wrong with them. */
export function readSubscription(params: unknown, tables: SubscriptionTables): Reading {
  if (!isRecord(params)) return refused('InvalidRequest', 'expected params as an object');
  const channel = CHANNELS.find((known) => known === params['channel']);
  if (channel === undefined) return refused('UnknownChannel', `expected a channel of ${CHANNELS.join(', ')}`);
  const unknown = Object.keys(params).find((name) => !PARAMS[channel].includes(name));
  if (unknown !== undefined)
    return refused(
      'InvalidRequest',
      `expected no field ${JSON.stringify(unknown).slice(0, 80)} for ${channel}`,
    );
  const parts = { channel, params };
  switch (channel) {
    case 'prices':
      return subscription(parts, 'prices', {});
    case 'book':
    case 'bbo':
    case 'trades':
    case 'candles':
    case 'funding':
      return marketSubscription(parts, tables);
    case 'events':
      return eventsSubscription(parts, tables);
    default:
      return accountSubscription(parts, tables);
  }
}

function marketSubscription({ channel, params }: Parts, tables: SubscriptionTables): Reading {
  const { symbol, depth = BOOK_DEPTH_DEFAULT, interval } = params;
  const market = typeof symbol === 'string' ? tables.marketBySymbol(symbol) : undefined;
  if (market === undefined) return refused('UnknownMarket', 'expected symbol to name a market');
  const key = `${channel}|${market.signingMarketId}`;
  if (channel === 'book') {
    const levels = DEPTH.read(depth);
    if (levels === undefined) return refused('InvalidRequest', `expected depth as ${DEPTH.expected}`);
    return subscription({ channel, params }, `${key}|${levels}`, { market, depth: levels });
  }
  if (channel === 'candles') {
    if (!isCandleInterval(interval)) return refused('InvalidRequest', 'expected interval as on REST candles');
    return subscription({ channel, params }, `${key}|${interval}`, { market, interval });
  }
  return subscription({ channel, params }, key, { market });
}

function accountSubscription(parts: Parts, tables: SubscriptionTables): Reading {
  const { address, subaccount = 0, vault } = parts.params;
  if (vault !== undefined) {
    if (address !== undefined || parts.params['subaccount'] !== undefined)
      return refused('InvalidRequest', 'expected only vault, without address and subaccount');
    const found = typeof vault === 'string' ? tables.vaults.byId(vaultNumber(vault) ?? -1) : undefined;
    if (found === undefined) return refused('NotFound', 'no such vault');
    return subscription(parts, `${parts.channel}|${found.id}`, { account: found });
  }
  const owner = ADDRESS.read(address);
  if (owner === undefined) return refused('InvalidRequest', `expected address as ${ADDRESS.expected}`);
  const index = SUBACCOUNT.read(subaccount);
  if (index === undefined) return refused('InvalidRequest', `expected subaccount as ${SUBACCOUNT.expected}`);
  const account = tables.registry.find(owner as Address, index);
  if (account === undefined) return refused('NotFound', 'no such account: deposit first');
  return subscription(parts, `${parts.channel}|${account.id}`, { account });
}

function eventsSubscription(parts: Parts, tables: SubscriptionTables): Reading {
  const { symbol, address } = parts.params;
  const market = typeof symbol === 'string' ? tables.marketBySymbol(symbol) : undefined;
  if (symbol !== undefined && market === undefined)
    return refused('UnknownMarket', 'expected symbol to name a market');
  const owner = ADDRESS.read(address) as Address | undefined;
  if (address !== undefined && owner === undefined)
    return refused('InvalidRequest', `expected address as ${ADDRESS.expected}`);
  return subscription(parts, `events|${market?.signingMarketId ?? ''}|${owner ?? ''}`, {
    ...(market === undefined ? {} : { market }),
    ...(owner === undefined ? {} : { owner }),
  });
}

function subscription(
  { channel, params }: Parts,
  key: string,
  about: Omit<Subscription, 'key' | 'channel' | 'params'>,
): Subscription {
  return { key, channel, params: params as unknown as SubscriptionParams, ...about };
}

function refused(code: string, message: string): { readonly problem: SubscriptionProblem } {
  return { problem: { code, message } };
}
