/**
 * What a person sees of a command, as one text: the command line, both outputs, the exit code. Places of this machine are
 * replaced, and hashes of code, so that a snapshot reads the same everywhere and as long as it can.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended } from '../support/ballast-process.ts';
import { ROOT } from '../tidy/source.ts';

const HASH = /\b[0-9a-f]{64}\b/g;

/** The text of a snapshot. */
export function picture(args: readonly string[], ended: Ended): string {
  const parts = [['$ ballast', ...args].join(' ')];
  if (ended.stdout !== '') parts.push(`--- standard output\n${ended.stdout.trimEnd()}`);
  if (ended.stderr !== '') parts.push(`--- standard error\n${ended.stderr.trimEnd()}`);
  parts.push(`--- exit ${ended.exitCode}`);
  return `${parts.join('\n')}\n`.replaceAll(ROOT, '<project>').replaceAll(HASH, '<hash>');
}

/** The file of a snapshot. */
export function snapshotFile(name: string): string {
  return join(import.meta.dirname, 'snapshots', `${name}.txt`);
}

/** The helps of all commands by their names, as their snapshots show them. */
export function shownHelps(): ReadonlyMap<string, string> {
  const files = readdirSync(join(import.meta.dirname, 'snapshots', 'help'));
  const texts = files.map((file) => readFileSync(snapshotFile(`help/${file.replace(/\.txt$/, '')}`), 'utf8'));
  // A word of a command may have a dash itself: its help says which.
  const named = texts.map(
    (text) => [/^ballast(?: [a-z][a-z-]*)*/.exec(text)?.[0] ?? '', text.trimEnd()] as const,
  );
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}
