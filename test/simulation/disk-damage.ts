/**
 * @module
 * What can be wrong with a journal when a process opens it: bytes that are gone or changed (F57), the file of another
 * account or of another time, another process on it (F58). Whether it is seen is not decided here but by the journal's
 * own header and hash chain.
 */

import { genesisHash, nextHash } from '../../src/bot/journal/hash-chain.ts';
import { checkBinding, type JournalHeader } from '../../src/bot/journal/header.ts';
import type { JournalRow } from '../../src/bot/journal/records.ts';
import { BotError, must, type Random } from '../../src/core/index.ts';

/** What becomes of the bytes. */
export type Damage =
  /** The end is gone: cut off, filled with zeros, or never synced. */
  | 'torn tail'
  /** One bit in one row. */
  | 'bit flip'
  /** A row in the middle is gone: blocks came to the disk in another order. */
  | 'lost row'
  /** Nothing is left. */
  | 'all gone';

/** See {@link Damage}. */
export const DAMAGES: readonly Damage[] = ['torn tail', 'bit flip', 'lost row', 'all gone'];

/** What is found in place of the right file. */
export type Intruder = 'the journal of another account' | 'a journal of another schema' | 'another process';

/** See {@link Intruder}. */
export const INTRUDERS: readonly Intruder[] = [
  'the journal of another account',
  'a journal of another schema',
  'another process',
];

const PATH = ':memory:';
const GENESIS = genesisHash(PATH);
/** Records that a torn tail takes, at most. */
const TAIL_MAX = 40;
const OWN: JournalHeader = {
  environment: 'simulation',
  account: 'own',
  instance: 'bot',
  schema: 1,
  version: '1',
};

/** Rows and the hash that stands beside each. */
export interface HashedRows {
  readonly rows: readonly JournalRow[];
  readonly hashes: readonly string[];
}

/** What is left of `rows`: nothing checks here whether it fits. */
export function damaged(rows: readonly JournalRow[], kind: Damage, draw: Random): HashedRows {
  const hashes = hashesOf(rows);
  if (rows.length === 0 || kind === 'all gone') return { rows: [], hashes: [] };
  if (kind === 'torn tail') {
    const count = rows.length - draw.integer(1, Math.min(TAIL_MAX, rows.length));
    return { rows: rows.slice(0, count), hashes: hashes.slice(0, count) };
  }
  // The last row is no row in the middle: without it the tail is torn.
  const at = draw.integer(0, Math.max(0, rows.length - (kind === 'lost row' ? 2 : 1)));
  if (kind === 'lost row') return { rows: rows.toSpliced(at, 1), hashes: hashes.toSpliced(at, 1) };
  const row = must(rows[at], 'a row');
  const place = draw.integer(0, row.body.length - 1);
  const changed = String.fromCharCode(row.body.charCodeAt(place) ^ (1 << draw.integer(0, 6)));
  const body = row.body.slice(0, place) + changed + row.body.slice(place + 1);
  return { rows: rows.with(at, { ...row, body }), hashes };
}

/** What the opening of such a file throws. */
export function refusalOf(intruder: Intruder): BotError {
  switch (intruder) {
    case 'another process':
      return new BotError({
        code: 'JOURNAL_LOCKED',
        message: 'expected the journal to be free, got a lock held by another process',
        remedy: 'Stop the other process, or give this one an instance name of its own.',
      });
    case 'the journal of another account':
      return thrownBy({ ...OWN, account: 'other' });
    case 'a journal of another schema':
      return thrownBy({ ...OWN, schema: 0 });
  }
}

function thrownBy(header: JournalHeader): BotError {
  try {
    checkBinding(header, OWN, PATH);
  } catch (error) {
    if (error instanceof BotError) return error;
  }
  throw new Error('expected a foreign journal to be refused');
}

/** The hash that a journal has stored beside each of its rows. */
export function hashesOf(rows: readonly JournalRow[]): readonly string[] {
  let head = GENESIS;
  return rows.map((row) => {
    head = nextHash(head, row);
    return head;
  });
}
