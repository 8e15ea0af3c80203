/**
 * @module
 * Where journals are stored: one file for each environment, account and owning process, in one folder; and how all journals of
 * an account are found again, for readers.
 */

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sha256 } from '../../core/index.ts';
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

/** The name a full journal is kept under: `name.1.journal.sqlite`, `name.2.journal.sqlite`, and so on. */
export function nextArchive(path: string): string {
  return archivePath(path, (archivesOf(path).at(-1) ?? 0) + 1);
}

/** The last full journal before `path`; `undefined` when there was none. */
export function lastArchive(path: string): string | undefined {
  const last = archivesOf(path).at(-1);
  return last === undefined ? undefined : archivePath(path, last);
}

/** All files of a journal that there are, the full ones before it first. */
export function journalFiles(path: string): readonly string[] {
  if (!existsSync(dirname(path))) return [];
  return [...archivesOf(path).map((n) => archivePath(path, n)), ...(existsSync(path) ? [path] : [])];
}

function archivePath(path: string, n: number): string {
  return `${stemOf(path)}.${n}${SUFFIX}`;
}

/** The numbers of the full journals before `path`, ascending. */
function archivesOf(path: string): readonly number[] {
  const start = `${basename(stemOf(path))}.`;
  const numbers: number[] = [];
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(start) || !name.endsWith(SUFFIX)) continue;
    const n = Number(name.slice(start.length, -SUFFIX.length));
    if (Number.isSafeInteger(n) && n > 0) numbers.push(n);
  }
  return numbers.sort((a, b) => a - b);
}

function stemOf(path: string): string {
  return path.endsWith(SUFFIX) ? path.slice(0, -SUFFIX.length) : path;
}

function accountPart({ environment, account }: Pick<JournalBinding, 'environment' | 'account'>): string {
  const digest = sha256(`${environment}\n${account}`).slice(0, 12);
  return `${plain(account)}-${digest}`;
}

/** Names become file names; the header, not the name, decides what a file is. */
function plain(text: string): string {
  return text.replace(/[^a-zA-Z0-9]+/g, '-').slice(0, 60);
}
