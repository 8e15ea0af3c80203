/**
 * @module
 * What is subscribed to and on which connection: a name for each subscription that does not depend on defaults spelled
 * out or left out, the refusal of parameters the gateway would refuse, and the split over connections
 * (obligations O86, O88, O111). Opens nothing.
 */
import { assert, ConfigError } from '../../core/index.ts';
import { type AccountSelection, CANDLE_INTERVALS } from '../../domain/index.ts';
import {
  type AccountFrame,
  BOOK_DEPTH_DEFAULT,
  BOOK_DEPTH_MAX,
  type Channel,
  SUBSCRIPTIONS_PER_CONNECTION_MAX,
  type SubscriptionParams,
} from '../protocol/index.ts';

/** The channels of one account, in the order they are subscribed to: history first, so that every snapshot that follows
 * is after the point from which history is live (obligation O109). */
export const ACCOUNT_CHANNELS = ['fills', 'ledger', 'orders', 'positions', 'account'] as const;
/** One of {@link ACCOUNT_CHANNELS}. */
export type AccountChannel = (typeof ACCOUNT_CHANNELS)[number];

/** True if this is one of the channels of an account. */
export function isAccountChannel(channel: string): channel is AccountChannel {
  return (ACCOUNT_CHANNELS as readonly string[]).includes(channel);
}

/** The subscriptions of one account; a vault is named alone (obligation O16). */
export function accountSubscriptions({ address, subaccount, vault }: AccountSelection): SubscriptionParams[] {
  const selector = vault === undefined ? { address, subaccount } : { vault };
  return ACCOUNT_CHANNELS.map((channel) => ({ channel, ...selector }));
}

/** True if a frame is of this account; one that names nobody is of the account that was asked for. */
export function isFrameOf(selection: AccountSelection, frame: AccountFrame): boolean {
  const { address, subaccount, vault } = frame;
  if (address === undefined && vault === undefined) return true;
  if (vault !== undefined || selection.vault !== undefined) return vault === selection.vault;
  return address === selection.address.toLowerCase() && subaccount === selection.subaccount;
}

/** The same name for the same subscription, whether defaults are spelled out or not. */
export function subscriptionKey(params: SubscriptionParams): string {
  const { channel, symbol, depth, interval, address, subaccount, vault } = params;
  const shape = channel === 'book' ? (depth ?? BOOK_DEPTH_DEFAULT) : '';
  const account = address === undefined ? (vault ?? '') : `${address.toLowerCase()}/${subaccount ?? 0}`;
  return `${channel}|${symbol ?? ''}|${shape}|${interval ?? ''}|${account}`;
}

/**
 * Refuses what the gateway would refuse, before it is asked.
 * @throws ConfigError for a book depth that is no integer of 1 to 100, or an unknown candle interval.
 */
export function checkSubscription(params: SubscriptionParams): void {
  const { channel, depth, interval, symbol } = params;
  if (depth !== undefined && !(Number.isInteger(depth) && depth >= 1 && depth <= BOOK_DEPTH_MAX)) {
    throw refused(params, `a book depth of 1 to ${BOOK_DEPTH_MAX}, got ${depth}`);
  }
  if (channel === 'candles' && !(CANDLE_INTERVALS as readonly (string | undefined)[]).includes(interval)) {
    throw refused(params, `a candle interval of ${CANDLE_INTERVALS.join(', ')}, got ${interval}`);
  }
  if (SYMBOL_CHANNELS.has(channel) && (symbol === undefined || symbol === '')) {
    throw refused(params, 'a symbol, got none');
  }
}

/** The subscriptions split over connections, none above the limit; the account's stay together on the first. */
export function planConnections(
  account: readonly SubscriptionParams[],
  market: readonly SubscriptionParams[],
  perConnectionMax: number = SUBSCRIPTIONS_PER_CONNECTION_MAX,
): readonly (readonly SubscriptionParams[])[] {
  assert(account.length <= perConnectionMax, 'the channels of an account to fit one connection');
  const unique = new Map(market.map((params) => [subscriptionKey(params), params]));
  const all = [...account, ...unique.values()];
  const plan: SubscriptionParams[][] = [];
  for (let from = 0; from < all.length; from += perConnectionMax) {
    plan.push(all.slice(from, from + perConnectionMax));
  }
  return plan;
}

const SYMBOL_CHANNELS: ReadonlySet<Channel> = new Set(['book', 'bbo', 'trades', 'candles', 'funding']);

function refused(params: SubscriptionParams, expected: string): ConfigError {
  return new ConfigError({
    code: 'STREAM_SUBSCRIPTION_INVALID',
    message: `expected the subscription to ${params.channel} to have ${expected}`,
    remedy: 'Correct the subscription in the configuration.',
  });
}
