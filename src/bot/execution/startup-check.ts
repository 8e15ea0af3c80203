/**
 * @module
 * What the exchange says of a scope, compared with the journal before the first new write (invariant I20). Pure. The
 * exchange's next nonce never decides the outcome of a write (obligation O27): by now all writes that the journal knows
 * are resolved by their receipts.
 */

import type { Nonce } from '../../domain/index.ts';
import type { WriteJournal, WriteRecord } from './ports.ts';

/** What is compared. */
export interface NonceEvidence {
  /** The next nonce by the exchange. */
  readonly next: Nonce;
  /** The highest nonce the journal has a write for. */
  readonly written: Nonce | undefined;
  /** The highest nonce the journal has a proof of consumption for, in this epoch. */
  readonly spent: Nonce | undefined;
}

/** State of the journal. */
export type JournalPosition =
  /** It knows every write of the scope. */
  | 'current'
  /** It knows none, and the scope was used: a first run with a used wallet, or a journal that was lost. */
  | 'empty'
  /** The scope was used beyond what it knows: a lost end of the journal, or another writer. */
  | 'behind';

/** The result of the comparison. */
export interface StartingPoint {
  /** The nonce of the first new write. */
  readonly nonce: Nonce;
  readonly journal: JournalPosition;
  /** The replica that was asked lags what is proven. */
  readonly isReplicaBehind: boolean;
}

/** The starting point of a scope whose known writes are all resolved. */
export function startingPoint({ next, written, spent }: NonceEvidence): StartingPoint {
  const proven = (spent === undefined ? 0n : spent + 1n) as Nonce;
  const nonce = next > proven ? next : proven;
  const known = written === undefined ? 0n : written + 1n;
  const journal = nonce <= known ? 'current' : written === undefined ? 'empty' : 'behind';
  return { nonce, journal, isReplicaBehind: next < proven };
}

/** True if the first nonce must be used up (obligation O122). */
export function mustConsumeFirstNonce(
  { consumeFirstNonce }: { readonly consumeFirstNonce?: boolean | undefined },
  { journal }: { readonly journal: JournalPosition },
): boolean {
  return consumeFirstNonce === true || journal !== 'current';
}

/** Writes of a scope that a previous run left without an end. */
export function openWritesOf(journal: WriteJournal, scope: string): readonly WriteRecord[] {
  return journal.openWrites().filter((record) => record.scope === scope);
}

/** The starting point of a lane that has resolved what was open; `next` by the exchange, in the ledger `epoch`. */
export function startOf(
  { scope, nonce }: { readonly scope: string; readonly nonce: Nonce },
  journal: WriteJournal,
  { next, epoch }: { readonly next: Nonce; readonly epoch: string },
): StartingPoint {
  const known = journal.consumedNonce(scope, epoch);
  // What was recovered just now is proven, although its outcome need not be durable yet.
  const recovered = nonce > 0n ? ((nonce - 1n) as Nonce) : undefined;
  const spent = recovered !== undefined && (known === undefined || recovered > known) ? recovered : known;
  return startingPoint({ next, written: journal.highestNonce(scope), spent });
}
