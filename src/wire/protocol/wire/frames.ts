/**
 * @module
 * The JSON shapes of WebSocket frames. `seq`, `epoch` and `isSnapshot` stand beside `data`; account frames name
 * their account with `address` and `subaccount` or with `vault`, market frames with `data.symbol`.
 */
import type {
  WireAccount,
  WireBbo,
  WireBook,
  WireCandle,
  WireEvent,
  WireFill,
  WireFunding,
  WireLedgerEntry,
  WireOrder,
  WirePosition,
  WirePrice,
  WireTrade,
} from './answers.ts';

/** The twelve data channels (openapi.yaml). */
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

/** Frames that are about the connection. */
export type WireControlFrame =
  | {
      readonly channel: 'subscribed';
      readonly data: SubscriptionParams;
      readonly epoch: string;
      readonly id?: number;
    }
  | { readonly channel: 'unsubscribed'; readonly data: SubscriptionParams; readonly id?: number }
  | { readonly channel: 'pong'; readonly data: { readonly ts: number } }
  | {
      readonly channel: 'error';
      readonly data: { readonly code: string; readonly message: string };
      readonly id?: number;
    }
  | {
      readonly channel: 'lagged';
      readonly data: { readonly dropped: number; readonly epoch: string; readonly upper: string };
    };

/** Which account a private frame is about: a wallet's, or a vault's. */
export type WireFrameAccount = { readonly epoch: string } & (
  | { readonly address: string; readonly subaccount: number }
  | { readonly vault: string }
);

/** Frames with data. */
export type WireDataFrame =
  | {
      readonly channel: 'prices';
      readonly isSnapshot: boolean;
      readonly seq: number;
      readonly data: { readonly prices: readonly WirePrice[] };
    }
  | { readonly channel: 'book'; readonly isSnapshot: boolean; readonly seq: number; readonly data: WireBook }
  | { readonly channel: 'bbo'; readonly isSnapshot: boolean; readonly seq: number; readonly data: WireBbo }
  | { readonly channel: 'trades'; readonly seq: number; readonly data: WireTrade }
  | { readonly channel: 'candles'; readonly seq: number; readonly data: WireCandle }
  | { readonly channel: 'funding'; readonly seq: number; readonly data: WireFunding }
  | (WireFrameAccount & {
      readonly channel: 'orders';
      readonly isSnapshot: true;
      readonly seq: number;
      readonly data: { readonly orders: readonly WireOrder[] };
    })
  | (WireFrameAccount & {
      readonly channel: 'orders';
      readonly isSnapshot: false;
      readonly seq: number;
      readonly data: WireOrder;
    })
  | (WireFrameAccount & { readonly channel: 'fills'; readonly seq: number; readonly data: WireFill })
  | (WireFrameAccount & {
      readonly channel: 'positions';
      readonly isSnapshot: boolean;
      readonly seq: number;
      readonly data: { readonly positions: readonly WirePosition[] };
    })
  | (WireFrameAccount & {
      readonly channel: 'account';
      readonly isSnapshot: boolean;
      readonly seq: number;
      readonly data: WireAccount;
    })
  | (WireFrameAccount & { readonly channel: 'ledger'; readonly seq: number; readonly data: WireLedgerEntry })
  | { readonly channel: 'events'; readonly epoch: string; readonly seq: number; readonly data: WireEvent };

/** Any frame of the server. */
export type WireServerFrame = WireControlFrame | WireDataFrame;
