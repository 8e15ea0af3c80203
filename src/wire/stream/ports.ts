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
} from '../../domain/index.ts';
import type { SubscriptionParams } from '../protocol/index.ts';

/** What a connection reports. One text frame a call; `receivedAtMs` is stamped once, by the injected clock. */
export interface SocketEvents {
  onOpen(): void;
  onFrame(text: string, receivedAtMs: number): void;
  /** Once, whatever the reason; after it the connection is dead. */
  onClose(why: string): void;
}

/** One connection. */
export interface Socket {
  send(text: string): void;
  /** Destroys it; `onClose` follows. */
  close(why: string): void;
}

/** Opens connections to the gateway's stream. */
export interface SocketFactory {
  open(events: SocketEvents): Socket;
}

/** What a history page is asked by: the first has neither `after` nor bounds (obligations O105, O106). */
export interface PageQuery {
  readonly after?: Cursor | undefined;
  readonly epoch?: string | undefined;
  readonly upper?: string | undefined;
  readonly limit?: number | undefined;
  readonly minSeq?: bigint | undefined;
}

/** What bars are asked by: the newest `limit`, by a caller that is at `minSeq` or later. */
export interface CandlesQuery {
  readonly symbol: string;
  readonly interval: string;
  readonly limit: number;
  readonly minSeq?: bigint | undefined;
}

/** A page, or why there is none. `retry`: same bounds again later; `epochChanged`: all cursors are void. */
export type PageResult<Entry> =
  | {
      readonly kind: 'page';
      readonly epoch: string;
      readonly upper: string;
      readonly next: string | null;
      readonly hasMore: boolean;
      readonly entries: readonly Entry[];
    }
  | { readonly kind: 'retry'; readonly why: string; readonly afterMs?: number }
  | { readonly kind: 'epochChanged' };

/** A read that can fail for a while. The text is the body of a 200. */
export type ReadResult =
  | { readonly kind: 'body'; readonly text: string }
  | { readonly kind: 'retry'; readonly why: string; readonly afterMs?: number };

/** Reads of the gateway that the stream layer makes. Promises never reject. */
export interface HistoryReader {
  fills(selection: AccountSelection, query: PageQuery): Promise<PageResult<unknown>>;
  ledger(selection: AccountSelection, query: PageQuery): Promise<PageResult<unknown>>;
  openOrders(selection: AccountSelection, minSeq: bigint | undefined): Promise<ReadResult>;
  positions(selection: AccountSelection, minSeq: bigint | undefined): Promise<ReadResult>;
  candles(query: CandlesQuery): Promise<ReadResult>;
  trades(symbol: string): Promise<ReadResult>;
  funding(symbol: string): Promise<ReadResult>;
}

/** Where effects live: effect and cursor in one transaction (obligation O97). */
export interface EffectJournal {
  /** The cursors of the last processed entries with their epoch; `undefined` before the first. */
  cursors():
    | { readonly epoch: string; readonly fills: Cursor | undefined; readonly ledger: Cursor | undefined }
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
}
