/**
 * @module
 * The reads of the stream layer: snapshots and history pages, one attempt a call, never rejecting; the resync has its own
 * patience and repeats the same question. Satisfies `HistoryReader` of `stream/ports`.
 */
import type { AccountSelection, Cursor } from '../../../domain/index.ts';
import { decodeErrorBody, decodePage, type EndpointId } from '../../protocol/index.ts';
import type { NoAnswer } from '../transport.ts';
import type { Answer, ReadCall, RestClient } from './client.ts';
import { accountQuery } from './write-pipe.ts';

/** What a page is asked by. */
export interface PageCall {
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

interface Retry {
  readonly kind: 'retry';
  readonly why: string;
  readonly afterMs?: number;
}

/** A history page or why there is none. */
export type PageAnswer =
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
      /** The entries, not decoded. */
      readonly entries: readonly unknown[];
    }
  | Retry
  | { readonly kind: 'epochChanged' };

/** The text of a 200 or why there is none. */
export type BodyAnswer = { readonly kind: 'body'; readonly text: string; readonly seq?: bigint } | Retry;

/** Reads for the stream layer. */
export interface StreamReads {
  /** A page of the account's fills. */
  fills(selection: AccountSelection, query: PageCall): Promise<PageAnswer>;
  /** A page of the account's ledger. */
  ledger(selection: AccountSelection, query: PageCall): Promise<PageAnswer>;
  /** The account's balances and margins. */
  account(selection: AccountSelection, minSeq: bigint | undefined): Promise<BodyAnswer>;
  /** The account's open orders. */
  openOrders(selection: AccountSelection, minSeq: bigint | undefined): Promise<BodyAnswer>;
  /** The account's positions. */
  positions(selection: AccountSelection, minSeq: bigint | undefined): Promise<BodyAnswer>;
  /** The newest bars of a market. */
  candles(query: {
    readonly symbol: string;
    readonly interval: string;
    readonly limit: number;
    readonly minSeq?: bigint | undefined;
  }): Promise<BodyAnswer>;
  /** The newest trades of a market. */
  trades(symbol: string): Promise<BodyAnswer>;
  /** The funding rate of a market. */
  funding(symbol: string): Promise<BodyAnswer>;
}

/** The reads over `client`. */
export function createHistoryReader(client: RestClient): StreamReads {
  const page = async (endpoint: EndpointId, selection: AccountSelection, query: PageCall) => {
    const { minSeq, ...rest } = query;
    return pageOf(
      await client.get({ endpoint, query: { ...accountQuery(selection), ...rest }, minSeq, isUrgent: true }),
    );
  };
  const body = async (call: ReadCall) => bodyOf(await client.get(call));
  const snapshot = (endpoint: EndpointId, selection: AccountSelection, minSeq: bigint | undefined) =>
    body({ endpoint, query: accountQuery(selection), minSeq });
  return {
    fills: (selection, query) => page('fills', selection, query),
    ledger: (selection, query) => page('ledger', selection, query),
    account: (selection, minSeq) => snapshot('account', selection, minSeq),
    openOrders: (selection, minSeq) => snapshot('openOrders', selection, minSeq),
    positions: (selection, minSeq) => snapshot('positions', selection, minSeq),
    candles: ({ symbol, interval, limit, minSeq }) =>
      body({ endpoint: 'candles', path: { symbol }, query: { interval, limit }, minSeq }),
    trades: (symbol) => body({ endpoint: 'trades', path: { symbol } }),
    funding: (symbol) => body({ endpoint: 'fundingHistory', path: { symbol } }),
  };
}

/** Reads an answer as a page. */
export function pageOf(result: Answer | NoAnswer): PageAnswer {
  if (result.kind !== 'answer') return retry(result.why);
  if (result.status !== 200) return refusedPage(result);
  const page = decodePage(result.body);
  return page.ok ? { kind: 'page', ...page.value } : retry(page.error.message);
}

function refusedPage(answer: Answer): PageAnswer {
  const error = decodeErrorBody(answer.body);
  if (!error.ok) return retry(`status ${answer.status} without an error code`, answer.retryAfterMs);
  const { code, message } = error.value;
  if (answer.status === 409 && code === 'history_epoch_mismatch') return { kind: 'epochChanged' };
  // The one place where a message decides: the interface document names no code for it (obligations O72, O101).
  const isIncomplete = answer.status === 400 && message.includes('not yet complete');
  return retry(isIncomplete ? 'not yet complete' : `status ${answer.status} ${code}`, answer.retryAfterMs);
}

function bodyOf(result: Answer | NoAnswer): BodyAnswer {
  if (result.kind !== 'answer') return retry(result.why);
  if (result.status === 200)
    return { kind: 'body', text: result.body, ...(result.seq === undefined ? {} : { seq: result.seq }) };
  return retry(`status ${result.status}`, result.retryAfterMs);
}

function retry(why: string, afterMs?: number): Retry {
  return afterMs === undefined ? { kind: 'retry', why } : { kind: 'retry', why, afterMs };
}
