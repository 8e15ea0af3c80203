/**
 * @module
 * Where journals lie: one file for each environment, account and owning process, in one folder; and how all journals of
 * an account are found again, for readers (decision C7).
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalBinding } from './header.ts';

const SUFFIX = '.journal.sqlite';

/** The path of the journal of `binding` in `folder`. */
export function journalPath(folder: string, binding: JournalBinding): string {
  return join(folder, `${accountPart(binding)}-${plain(binding.instance)}${SUFFIX}`);
}

/** The paths of all journals of an account in `folder`, whatever process owns them, by name. */
export function journalsOf(
  folder: string,
  account: Pick<JournalBinding, 'environment' | 'account'>,
): readonly string[] {
  if (!existsSync(folder)) return [];
  const start = `${accountPart(account)}-`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && name.endsWith(SUFFIX))
    .sort()
    .map((name) => join(folder, name));
}

function accountPart({ environment, account }: Pick<JournalBinding, 'environment' | 'account'>): string {
  const digest = createHash('sha256').update(`${environment}\n${account}`).digest('hex').slice(0, 12);
  return `${plain(account)}-${digest}`;
}

/** Names become file names; the header, not the name, decides what a file is. */
function plain(text: string): string {
  return text.replace(/[^a-zA-Z0-9]+/g, '-').slice(0, 60);
}
