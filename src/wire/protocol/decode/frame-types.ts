/**
 * @module
 * The shapes of decoded frames: ticks, lots and quantums in place of text.
 */
import type { JsonObject } from '../../../core/index.ts';
import type {
  AccountSummary,
  Address,
  Bbo,
  Candle,
  Epoch,
  Fill,
  FundingRate,
  LedgerEntry,
  MarketSymbol,
  Position,
  Prices,
  Seq,
  Trade,
} from '../../../domain/index.ts';
import type { Channel, SubscriptionParams } from '../channels.ts';
import type { OrderEnd, OrderState } from './account.ts';

/** Frames about the connection. */
export type ControlFrame =
  | {
      readonly channel: 'subscribed';
      readonly params: SubscriptionParams;
      /** Epoch of the ledger; `undefined`: not reported. */
      readonly epoch: Epoch | undefined;
      /** Number of the request that it answers; `undefined`: none. */
      readonly id: number | undefined;
    }
  | {
      readonly channel: 'unsubscribed';
      readonly params: SubscriptionParams | undefined;
      /** Number of the request that it answers; `undefined`: none. */
      readonly id: number | undefined;
    }
  | { readonly channel: 'pong'; readonly tsMs: number | undefined }
  | {
      readonly channel: 'error';
      readonly code: string;
      readonly message: string;
      /** Number of the request that it answers; `undefined`: none. */
      readonly id: number | undefined;
    }
  | {
      readonly channel: 'lagged';
      readonly dropped: number;
      readonly epoch: Epoch;
      /** Fixed upper bound of the listing, a cursor. */
      readonly upper: string;
    };

/** What frames of an account have in common. */
export interface AccountFrameHead {
  /** Address of the main wallet; `undefined`: not reported. */
  readonly address: Address | undefined;
  /** Index of the subaccount; 0 is the main account. */
  readonly subaccount: number;
  /** Of a vault's frame, in place of the address. */
  readonly vault: string | undefined;
  /** Epoch of the ledger; `undefined`: not reported. */
  readonly epoch: Epoch | undefined;
  /** Position in the exchange's log; `undefined`: not known. */
  readonly seq: Seq | undefined;
}

/** Frames about a market. */
export type MarketFrame =
  | {
      readonly channel: 'prices';
      /** True: full state; false: a change. */
      readonly isSnapshot: boolean;
      /** Position in the exchange's log; `undefined`: not known. */
      readonly seq: Seq | undefined;
      readonly prices: readonly Prices[];
    }
  | {
      readonly channel: 'book';
      /** True: full state; false: a change. */
      readonly isSnapshot: boolean;
      /** Position in the exchange's log; `undefined`: not known. */
      readonly seq: Seq | undefined;
      readonly symbol: MarketSymbol;
      /** When the exchange made it, where it says so. */
      readonly tsMs?: number | undefined;
      /** Why its levels cannot be used; `undefined`: they can, or no reader wanted them. */
      readonly flaw: string | undefined;
    }
  | {
      readonly channel: 'bbo';
      /** True: full state; false: a change. */
      readonly isSnapshot: boolean;
      /** Position in the exchange's log; `undefined`: not known. */
      readonly seq: Seq | undefined;
      readonly tsMs?: number | undefined;
      readonly bbo: Omit<Bbo, 'receivedAtMs'>;
    }
  | { readonly channel: 'trades'; readonly seq: Seq | undefined; readonly trade: Trade }
  | { readonly channel: 'candles'; readonly seq: Seq | undefined; readonly candle: Candle }
  | { readonly channel: 'funding'; readonly seq: Seq | undefined; readonly funding: FundingRate }
  | {
      readonly channel: 'events';
      /** Epoch of the ledger; `undefined`: not reported. */
      readonly epoch: Epoch | undefined;
      readonly id: string;
      readonly kind: string;
      readonly data: JsonObject;
    };

/** Frames about an account. Orders: a snapshot is the full set, an event is one order. */
export type AccountFrame = AccountFrameHead &
  (
    | { readonly channel: 'orders'; readonly isSnapshot: true; readonly orders: readonly OrderState[] }
    | {
        readonly channel: 'orders';
        readonly isSnapshot: false;
        readonly orders: readonly (OrderState | OrderEnd)[];
      }
    | { readonly channel: 'fills'; readonly fill: Fill }
    | { readonly channel: 'positions'; readonly isSnapshot: boolean; readonly positions: readonly Position[] }
    | { readonly channel: 'account'; readonly isSnapshot: boolean; readonly account: AccountSummary }
    | { readonly channel: 'ledger'; readonly entry: LedgerEntry }
  );

/** A frame of a channel that is not of this interface (obligation O14). */
export interface UnknownFrame {
  readonly channel: 'unknown';
  /** The channel as it came. */
  readonly name: string;
  readonly tsMs?: undefined;
}

/** Any frame. */
export type ServerFrame = ControlFrame | MarketFrame | AccountFrame | UnknownFrame;

/** A data frame as it came, for who reads its fields in another form than the bot's. */
export interface RawFrame extends JsonObject {
  readonly channel: Channel;
  readonly tsMs?: undefined;
}
