/** @module Durable memory: the SQLite journal in its worker, and the lock of a nonce scope. */
export type { JournalBinding, JournalHeader } from './header.ts';
export { createInMemoryJournal, type InMemoryJournal, type InMemorySettings } from './in-memory.ts';
export { type Journal, type JournalSettings, type JournalStatus, openJournal } from './journal.ts';
export type { PlacedOrder } from './order-owners.ts';
export { journalPath, journalsOf } from './place.ts';
export { type AuditQuery, type JournalReader, readJournal } from './reader.ts';
export {
  decodeRecord,
  encodeRecord,
  type JournalCursors,
  type JournalEffects,
  type JournalOutcome,
  type JournalRecord,
  type JournalRow,
  type JournalWrite,
} from './records.ts';
export { defaultLockFolder, lockScope, type ScopeLock, type ScopeLockSettings } from './scope-lock.ts';
export { JournalState } from './state.ts';
