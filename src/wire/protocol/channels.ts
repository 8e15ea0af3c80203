/** @module The channels of the WebSocket, and the frames that a client sends. */
/** The twelve data channels. */
export const CHANNELS = [
  'prices',
  'book',
  'bbo',
  'trades',
  'candles',
  'funding',
  'orders',
  'fills',
  'positions',
  'account',
  'ledger',
  'events',
] as const;
/** One of {@link CHANNELS}. */
export type Channel = (typeof CHANNELS)[number];

/** What a subscription is for. */
export interface SubscriptionParams {
  readonly channel: Channel;
  readonly symbol?: string;
  readonly depth?: number;
  readonly interval?: string;
  readonly address?: string;
  readonly subaccount?: number;
  readonly vault?: string;
}

/** What a client sends. */
export type WireClientFrame =
  | { readonly method: 'subscribe'; readonly params: SubscriptionParams; readonly id: number }
  | { readonly method: 'unsubscribe'; readonly params: SubscriptionParams; readonly id: number }
  | { readonly method: 'ping' };
