/**
 * @module
 * Reads of history: pages of fills, ledger and events, receipts. One page a call: bounds and cursors are the caller's
 * (obligations O105, O106). All throw what `Reader.read` throws.
 */
import type { AccountSelection, Fill, LedgerEntry, RequestId } from '../../../../domain/index.ts';
import {
  type DecodeContext,
  decodeFillsPage,
  decodeLedgerPage,
  decodePage,
  decodeReceipt,
  type Page,
  type WritePending,
  type WriteResult,
} from '../../../protocol/index.ts';
import type { PageCall } from '../history-reader.ts';
import type { Reader } from '../read.ts';
import { selectorOf } from '../write-pipe.ts';

/** What a page of an account's history is asked by. */
export interface HistoryReadOptions {
  readonly selection: AccountSelection;
  readonly context: DecodeContext;
  readonly page?: PageCall;
}

/** A page of fills. */
export function readFillsPage(
  reader: Reader,
  { selection, context, page = {} }: HistoryReadOptions,
): Promise<Page<Fill>> {
  const { minSeq, ...query } = page;
  return reader.read({ endpoint: 'fills', query: { ...selectorOf(selection), ...query }, minSeq }, (text) =>
    decodeFillsPage(text, context),
  );
}

/** A page of the ledger: the sum of all amounts is the cash. */
export function readLedgerPage(
  reader: Reader,
  { selection, context, page = {} }: HistoryReadOptions,
): Promise<Page<LedgerEntry>> {
  const { minSeq, ...query } = page;
  return reader.read({ endpoint: 'ledger', query: { ...selectorOf(selection), ...query }, minSeq }, (text) =>
    decodeLedgerPage(text, context),
  );
}

/** A page of raw execution events, of all accounts; entries as they came. */
export function readEventsPage(reader: Reader, page: PageCall = {}): Promise<Page<unknown>> {
  const { minSeq, ...query } = page;
  return reader.read({ endpoint: 'events', query, minSeq }, decodePage);
}

/**
 * The receipt of a write at or after `minSeq`; `undefined` when it is not found up to there, which proves nothing of later
 * (obligation O63).
 */
export function readReceipt(
  reader: Reader,
  requestId: RequestId,
  { context, minSeq }: { readonly context: DecodeContext; readonly minSeq?: bigint | undefined },
): Promise<WriteResult | WritePending | undefined> {
  return reader.readIfThere({ endpoint: 'receipt', path: { requestId }, minSeq, isUrgent: true }, (text) =>
    decodeReceipt(text, context),
  );
}
