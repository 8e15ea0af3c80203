/**
 * @module
 * Pages of history (openapi.yaml) and their entries. Bounds and cursors stay opaque text.
 */
import type { Cursor, Epoch, Fill, LedgerEntry } from '../../../domain/index.ts';
import { readFill, readLedgerEntry } from './account.ts';
import {
  caught,
  type DecodeContext,
  type Decoded,
  decoded,
  flagOf,
  idOf,
  listOf,
  malformed,
  objectOf,
  optionalId,
} from './fields.ts';

/** One page. `entries` are as they came in a page of unknown entries. */
export interface Page<Entry> {
  readonly epoch: Epoch;
  /** Fixed upper bound: sent unchanged with every later page. */
  readonly upper: string;
  /** `after` of the next page. */
  readonly next: Cursor | null;
  readonly hasMore: boolean;
  readonly entries: readonly Entry[];
}

/** A page of any history; the entries are decoded one by one by their consumer. */
export function decodePage(text: string): Decoded<Page<unknown>> {
  return decoded(text, (value) => readPage(value, (entry) => entry));
}

/** A page of GET /v1/account/fills. */
export function decodeFillsPage(text: string, context: DecodeContext): Decoded<Page<Fill>> {
  return decoded(text, (value) => readPage(value, (entry) => readFill(objectOf(entry, 'fill'), context)));
}

/** A page of GET /v1/account/ledger. */
export function decodeLedgerPage(text: string, context: DecodeContext): Decoded<Page<LedgerEntry>> {
  return decoded(text, (value) =>
    readPage(value, (entry) => readLedgerEntry(objectOf(entry, 'ledger entry'), context)),
  );
}

/** An entry of a fills page. */
export function decodeFill(value: unknown, context: DecodeContext): Decoded<Fill> {
  return caught(() => readFill(objectOf(value, 'fill'), context));
}

/** An entry of a ledger page. */
export function decodeLedgerEntry(value: unknown, context: DecodeContext): Decoded<LedgerEntry> {
  return caught(() => readLedgerEntry(objectOf(value, 'ledger entry'), context));
}

function readPage<Entry>(value: unknown, read: (entry: unknown) => Entry): Page<Entry> {
  const fields = objectOf(value, 'page');
  const hasMore = flagOf(fields, 'hasMore');
  const next = (optionalId(fields, 'next') ?? null) as Cursor | null;
  // Without a cursor the walk could never go on, or would begin anew (exchange.md#streams: next must advance).
  if (hasMore && next === null) throw malformed('next on a page that has more', null);
  return {
    epoch: idOf(fields, 'epoch') as Epoch,
    upper: idOf(fields, 'upper'),
    next,
    hasMore,
    entries: listOf(fields, 'data').map(read),
  };
}
