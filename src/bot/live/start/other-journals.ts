/**
 * @module
 * The journals of an account that belong to other bots, or to this one under another name. What they have open is named
 * before the first write; what was written with the wallets of this bot is this bot's, whatever its name was: no other
 * process holds their scopes now.
 */
import { type Log, messageOf } from '../../../core/index.ts';
import type { AccountSelection } from '../../../domain/index.ts';
import { type JournalRecord, journalPath, journalsOf, readJournal } from '../../journal/index.ts';
import type { Environment } from '../connect/environment.ts';
import { journalBinding } from '../connect/lanes.ts';

/** Which bot it is, where the journals are stored, and the nonce scopes it holds. */
export interface OtherJournalsOptions {
  readonly environment: Environment;
  readonly selection: AccountSelection;
  /** Instance name of this bot. */
  readonly instance: string;
  /** Folder of the journals. */
  readonly journalFolder: string;
  /** Nonce scopes that this bot holds. */
  readonly scopes: readonly string[];
  readonly log: Log;
}

/** A full journal that was put aside: the one that continues from it knows what it has open. */
const ARCHIVE = /\.[0-9]+\.journal\.sqlite$/;
/** Requests that are named at most. */
const NAMED_MAX = 5;

/** Names what the other journals of the account have open. Gives the writes in them that used the scopes of this bot. */
export function readOtherJournals(options: OtherJournalsOptions): () => Iterable<JournalRecord> {
  const { environment, selection, instance, journalFolder } = options;
  const own = journalBinding(environment, selection, instance);
  const paths = journalsOf(journalFolder, own).filter(
    (path) => path !== journalPath(journalFolder, own) && !ARCHIVE.test(path),
  );
  for (const path of paths) nameOpenWrites(path, options);
  return function* records() {
    for (const path of paths) yield* ownRecords(path, options);
  };
}

function nameOpenWrites(path: string, { scopes, log }: OtherJournalsOptions): void {
  const found = reading(path, log, (reader) => ({
    instance: reader.header.instance,
    open: reader.state().openWrites(),
  }));
  if (found === undefined || found.open.length === 0) return;
  log.warn('another journal of this account has writes without a proven end', {
    instance: found.instance,
    writes: found.open.length,
    ofOurWallets: found.open.filter(({ scope }) => scopes.includes(scope)).length,
    requestIds: found.open.slice(0, NAMED_MAX).map(({ requestId }) => requestId),
  });
}

function ownRecords(path: string, { scopes, log }: OtherJournalsOptions): readonly JournalRecord[] {
  const isOwn = (record: JournalRecord): boolean =>
    record.type === 'write' && scopes.includes(record.value.scope);
  return reading(path, log, (reader) => [...reader.records()].filter(isOwn)) ?? [];
}

/** Another bot's journal may be damaged, or in the making: that is named, and is no reason not to start. */
function reading<T>(
  path: string,
  log: Log,
  read: (reader: ReturnType<typeof readJournal>) => T,
): T | undefined {
  try {
    const reader = readJournal(path);
    try {
      return read(reader);
    } finally {
      reader.close();
    }
  } catch (error) {
    log.warn('another journal of this account cannot be read', { path, why: messageOf(error) });
    return undefined;
  }
}
