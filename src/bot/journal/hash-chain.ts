/**
 * @module
 * Each row carries the SHA-256 of the one before it and of itself, so that an edit, a lost row between others or a
 * flipped bit is seen (invariant I20). Rows missing at the end are not seen here: the start-up check against the
 * exchange's next nonce names them.
 */
import { hash } from 'node:crypto';
import { corrupt } from './header.ts';
import type { JournalRow } from './records.ts';

/** The head of a journal without rows: the hash of its header's text. */
export function genesisHash(headerText: string): string {
  return hash('sha256', headerText, 'hex');
}

/** The head after `row`. */
export function nextHash(head: string, row: JournalRow): string {
  return hash('sha256', `${head}\n${row.type}\n${row.scope}\n${row.body}`, 'hex');
}

/** The head after a stored row. @throws BotError `JOURNAL_CORRUPT` when its hash is another one. */
export function checkedHash(
  head: string,
  stored: { readonly id: number; readonly row: JournalRow; readonly hash: string },
  path: string,
): string {
  const next = nextHash(head, stored.row);
  if (stored.hash === next) return next;
  throw corrupt(path, `row ${stored.id} does not fit the hash of the one before it`);
}
