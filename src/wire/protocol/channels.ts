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
  /** The market; only for market channels. */
  readonly symbol?: string;
  /** Levels of each side; only for books. */
  readonly depth?: number;
  /** Length of a bar, such as `1m`; only for candles. */
  readonly interval?: string;
  /** Address of the main wallet; only for account channels. */
  readonly address?: string;
  /** Index of the subaccount; only for account channels. */
  readonly subaccount?: number;
  /** Id of the vault; only for account channels of a vault. */
  readonly vault?: string;
}

/** What a client sends. */
export type WireClientFrame =
  | { readonly method: 'subscribe'; readonly params: SubscriptionParams; readonly id: number }
  | { readonly method: 'unsubscribe'; readonly params: SubscriptionParams; readonly id: number }
  | { readonly method: 'ping' };
