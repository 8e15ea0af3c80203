/** @module The journals of a configuration, copied away and back. */
import type { Config } from '../../config/index.ts';
import { backUpJournals, type JournalCopy, restoreJournals } from '../journal/index.ts';

/** Copies them into the new folder `to`, also while a run writes. @throws BotError `JOURNAL_...`. */
export function backUp({ journal }: Config, to: string): readonly JournalCopy[] {
  return backUpJournals(journal.folder, to);
}

/** Puts copies back where no journal is. @throws BotError `JOURNAL_...`. */
export function restore({ journal }: Config, from: string): readonly JournalCopy[] {
  return restoreJournals(from, journal.folder);
}
