/**
 * @module
 * Pages of history (openapi.yaml) and their entries. Bounds and cursors stay opaque text.
 */
import { FieldError, type JsonObject, objectOf, within } from '../../../core/index.ts';
import type { Cursor, Epoch, Fill, LedgerEntry } from '../../../domain/index.ts';
import { ANY_PAGE } from '../schema/account.ts';
import { exactly } from '../schema/schema.ts';
import { readFill, readLedgerEntry } from './account.ts';
import { caught, type Decoded } from './decoded.ts';
import { amountScale, type DecodeContext, decoded } from './fields.ts';

/** One page. `entries` are as they came in a page of unknown entries. */
export interface Page<Entry> {
  readonly epoch: Epoch;
  /** Fixed upper bound: sent unchanged with every later page. */
  readonly upper: string;
  /** `after` of the next page. */
  readonly next: Cursor | null;
  /** True if a later page follows. */
  readonly hasMore: boolean;
  readonly entries: readonly Entry[];
}

/** A page of any history; the entries are decoded one by one by their consumer. */
export function decodePage(text: string): Decoded<Page<unknown>> {
  return decoded(text, (value) => readPage(value, (entry) => entry));
}

/** A page of GET /v1/account/fills. */
export function decodeFillsPage(text: string, context: DecodeContext): Decoded<Page<Fill>> {
  return decoded(text, (value) => readPage(value, (entry) => readFill(objectOf(entry), context)));
}

/** A page of GET /v1/account/ledger. */
export function decodeLedgerPage(text: string, context: DecodeContext): Decoded<Page<LedgerEntry>> {
  return decoded(text, (value) => readPage(value, (entry) => readLedgerEntry(objectOf(entry), context)));
}

/** An entry of a fills page. */
export function decodeFill(value: unknown, context: DecodeContext): Decoded<Fill> {
  return caught(() => within('fill', () => readFill(objectOf(value), context)));
}

/** An entry of a ledger page. */
export function decodeLedgerEntry(value: unknown, context: DecodeContext): Decoded<LedgerEntry> {
  return caught(() => within('entry', () => readLedgerEntry(objectOf(value), context)));
}

const exactPage = exactly(ANY_PAGE);
const UNSCALED = amountScale(0);

function readPage<Entry>(value: unknown, read: (entry: unknown) => Entry): Page<Entry> {
  const fields: JsonObject = objectOf(value);
  const hasMore = exactPage.hasMore(fields, UNSCALED);
  const next = exactPage.next(fields, UNSCALED) as Cursor | null;
  // Without a cursor the walk could never continue, or would begin again.
  if (hasMore && next === null) throw new FieldError('next', 'a cursor, since there is more', null);
  return {
    epoch: exactPage.epoch(fields, UNSCALED),
    upper: exactPage.upper(fields, UNSCALED),
    next,
    hasMore,
    entries: exactPage
      .data(fields, UNSCALED)
      .map((entry, index) => within(`data[${index}]`, () => read(entry))),
  };
}
