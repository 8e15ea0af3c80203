/** @module Durable memory: the SQLite journal in its worker, and the lock of a nonce scope. */
export { backUpJournals, type JournalCopy, restoreJournals } from './copies.ts';
export type { JournalBinding } from './header.ts';
export { createInMemoryJournal, type InMemoryJournal, journalOfState } from './in-memory.ts';
export { type Journal, openJournal } from './journal.ts';
export { journalFiles, journalPath, journalsOf } from './place.ts';
export { type AuditQuery, type JournalReader, readJournal } from './reader.ts';
export type { FoundWrite } from './reader-searches.ts';
export type { JournalOutcome, JournalRecord, JournalWrite } from './records.ts';
export { defaultLockFolder, lockScope, lockScopeOnMachine, type ScopeLock } from './scope-lock.ts';
export { JournalState } from './state.ts';
export { takeOverJournal } from './take-over.ts';
