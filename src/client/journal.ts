/**
 * @module
 * Where a client writes its writes down before they leave: in memory, or in a file that the next process reads. With a file
 * each nonce scope is locked, so that no second process signs in it (obligation O35).
 */
import {
  createInMemoryJournal,
  defaultLockFolder,
  type Journal,
  journalPath,
  lockScope,
  openJournal,
  type ScopeLock,
} from '../bot/journal/index.ts';
import type { Session } from './session.ts';

/** A journal on the disk. */
export interface JournalLocation {
  /** Where its file goes. */
  readonly folder: string;
  /** The name of this program; another one has its own journal. Default `client`. */
  readonly instance?: string;
  /** Folder of the locks of nonce scopes; default: the user's own folder, shared by all programs of ballast. */
  readonly lockFolder?: string;
}

/** One client's journal. */
export interface ClientJournal {
  /** The journal, with `scope` locked for this process. @throws BotError `JOURNAL_LOCKED`, `JOURNAL_SCOPE_LOCKED` */
  open(session: Session, scope: string): Promise<Journal>;
  /** Releases all resources; safe to call once. */
  close(): Promise<void>;
}

/** A journal in memory, or at `place`. Nothing is opened yet. */
export function clientJournal(place: JournalLocation | undefined, version: string): ClientJournal {
  return place === undefined ? inMemory() : onDisk(place, version);
}

function inMemory(): ClientJournal {
  const journal = createInMemoryJournal();
  return { open: () => Promise.resolve(journal), close: () => journal.close() };
}

function onDisk(
  { folder, instance = 'client', lockFolder }: JournalLocation,
  version: string,
): ClientJournal {
  let opened: Promise<Journal> | undefined;
  const locks = new Map<string, ScopeLock>();
  return {
    async open(session, scope) {
      const { id } = await session.environment();
      if (!locks.has(scope)) {
        const at = { folder: lockFolder ?? defaultLockFolder(), environment: id, scope, holder: instance };
        locks.set(scope, lockScope(at));
      }
      const { key } = await session.signing();
      const { address = key.address } = await session.ownAccount();
      const binding = { environment: id, account: `${address} by ${key.address}`, instance };
      opened ??= openJournal({ ...binding, path: journalPath(folder, binding), version });
      return await opened;
    },
    async close() {
      await (await opened)?.close();
      for (const lock of locks.values()) lock.release();
    },
  };
}
