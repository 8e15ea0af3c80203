/**
 * @module
 * What the stream layer needs from outside: a socket that carries text, a way to read snapshots and history pages,
 * and a place where effects and cursors are kept together. `gateway` and `journal` satisfy these; `app` joins them.
 */
import type {
  AccountSelection,
  AdoptedPosition,
  Cursor,
  Fill,
  LedgerEntry,
  PositionMove,
  ProvenCursors,
} from '../../domain/index.ts';
import type { SubscriptionParams } from '../protocol/index.ts';

/** What a connection reports. One text frame a call; `receivedAtMs` is stamped once, by the injected clock. */
export interface SocketEvents {
  /** The connection is open. */
  onOpen(): void;
  /** A text frame came; `receivedAtMs`: local time, Unix ms. */
  onFrame(text: string, receivedAtMs: number): void;
  /** Once, whatever the reason; after it the connection is dead. */
  onClose(why: string): void;
}

/** One connection. */
export interface Socket {
  /** Sends a text frame. */
  send(text: string): void;
  /** Destroys it; `onClose` follows. */
  close(why: string): void;
}

/** Opens connections to the gateway's stream. */
export interface SocketFactory {
  /** Opens a connection. */
  open(events: SocketEvents): Socket;
}

/** What time it is at the exchange, as far as it is known. */
export interface ExchangeTime {
  /** How old an instant of the exchange is, in ms; `undefined` while its time is not known. */
  ageOf(exchangeMs: number): number | undefined;
  /** What has come is not of this time, unless it was held back on its way: the time wants to be read again. */
  suspect(): void;
}

/** What a history page is asked by: the first has neither `after` nor bounds (obligations O105, O106). */
export interface PageQuery {
  /** Only entries after this position; absent: from the start. */
  readonly after?: Cursor | undefined;
  /** Epoch of the ledger; absent: not stated. */
  readonly epoch?: string | undefined;
  /** Fixed upper bound of the listing, a cursor; absent: as the exchange chooses. */
  readonly upper?: string | undefined;
  /** Entries of a page at most; absent: the gateway's default. */
  readonly limit?: number | undefined;
  /** Log position that the answer must include; absent: any. */
  readonly minSeq?: bigint | undefined;
}

/** What bars are asked by: the newest `limit`, by a caller that is at `minSeq` or later. */
export interface CandlesQuery {
  readonly symbol: string;
  /** Length of a bar, such as `1m`. */
  readonly interval: string;
  /** Bars at most. */
  readonly limit: number;
  /** Log position that the answer must include; absent: any. */
  readonly minSeq?: bigint | undefined;
}

/** A page, or why there is none. `retry`: same bounds again later; `epochChanged`: all cursors are void. */
export type PageResult<Entry> =
  | {
      readonly kind: 'page';
      /** Epoch of the ledger: one run of the exchange's log. */
      readonly epoch: string;
      /** Fixed upper bound of the listing, a cursor. */
      readonly upper: string;
      /** Cursor of the next page; `null`: this is the last. */
      readonly next: string | null;
      /** True if a later page follows. */
      readonly hasMore: boolean;
      readonly entries: readonly Entry[];
    }
  | { readonly kind: 'retry'; readonly why: string; readonly afterMs?: number }
  | { readonly kind: 'epochChanged' };

/** A read that can fail for a while. The text is the body of a 200; `seq`: the position in its header. */
export type ReadResult =
  | { readonly kind: 'body'; readonly text: string; readonly seq?: bigint | undefined }
  | { readonly kind: 'retry'; readonly why: string; readonly afterMs?: number };

/** Reads of the gateway that the stream layer makes. Promises never reject. */
export interface HistoryReader {
  /** A page of the account's fills. */
  fills(selection: AccountSelection, query: PageQuery): Promise<PageResult<unknown>>;
  /** A page of the account's ledger. */
  ledger(selection: AccountSelection, query: PageQuery): Promise<PageResult<unknown>>;
  /** The account's balances and margins. */
  account(selection: AccountSelection, minSeq: bigint | undefined): Promise<ReadResult>;
  /** The account's open orders. */
  openOrders(selection: AccountSelection, minSeq: bigint | undefined): Promise<ReadResult>;
  /** The account's positions. */
  positions(selection: AccountSelection, minSeq: bigint | undefined): Promise<ReadResult>;
  /** The newest bars of a market. */
  candles(query: CandlesQuery): Promise<ReadResult>;
  /** The newest trades of a market. */
  trades(symbol: string): Promise<ReadResult>;
  /** The funding rate of a market. */
  funding(symbol: string): Promise<ReadResult>;
}

/** Where effects live: effect and cursor in one transaction (obligation O97). */
export interface EffectJournal {
  /** The cursors of the last processed entries with their epoch; `undefined` before the first. */
  cursors():
    | {
        readonly epoch: string;
        readonly fills: Cursor | undefined;
        readonly ledger: Cursor | undefined;
        /** Absent: nothing was compared. */
        readonly proven?: ProvenCursors | undefined;
      }
    | undefined;
  /** Stores entries with the cursors they move to. Resolves when durable; never called for entries stored before. */
  recordEffects(effects: {
    readonly epoch: string;
    readonly fills: readonly Fill[];
    readonly ledger: readonly LedgerEntry[];
    /** What the exchange moved without a fill. */
    readonly moves?: readonly PositionMove[];
    /** What was taken over as published. */
    readonly adopted?: readonly AdoptedPosition[];
    /** Entries that were stored and that the exchange does not have: they are taken back, before the others are stored. */
    readonly withdrawn?: { readonly fills: readonly Cursor[]; readonly ledger: readonly Cursor[] };
    /** How far what was stored before is all that the exchange has, where that is new. */
    readonly proven?: ProvenCursors;
  }): Promise<void>;
  /** Forgets everything of another epoch. */
  resetEpoch(epoch: string): Promise<void>;
  /** All that was stored of the current epoch, oldest first: the state after a restart. */
  effects(): {
    readonly fills: readonly Fill[];
    readonly ledger: readonly LedgerEntry[];
    readonly moves: readonly PositionMove[];
    readonly adopted: readonly AdoptedPosition[];
  };
}

/** What a custom feed reports: texts that are JSON, or why there is none. */
export interface FeedEvents {
  /** A text came; `receivedAtMs`: local time, Unix ms. */
  onText(text: string, receivedAtMs: number): void;
  /** The source continues on its own. */
  onFault(why: string): void;
}

/** A custom feed; `gateway` and `tape` have the kinds. */
export interface FeedSource {
  /** Begins; the function it returns ends it. */
  open(events: FeedEvents): () => void;
}

/** Where every frame goes before anyone acts on it. */
export type FrameTap = (text: string, receivedAtMs: number) => void;

/** What a bot wants to hear about. */
export interface SubscriptionSet {
  readonly selection: AccountSelection;
  readonly market: readonly SubscriptionParams[];
  /** Markets whose books are subscribed to for the tap alone; absent: none. */
  readonly unread?: ReadonlySet<string> | undefined;
}
