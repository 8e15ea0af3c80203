/** @module Why a file that a person has named cannot be read, with the name that was most likely meant. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { messageOf } from './errors.ts';
import { nearestName } from './nearest.ts';

/** In words, for after "but": that there is no such file and which one is near, or what the file system says. */
export function whyUnreadable(path: string, cause: unknown): string {
  if ((cause as { readonly code?: unknown }).code !== 'ENOENT') return messageOf(cause);
  const meant = nearestTo(path);
  return `there is none${meant === undefined ? '' : ` (did you mean ${meant}?)`}`;
}

/** The file beside `path`, or below the folder beside one that is missing, whose name is like it but for the ending. */
function nearestTo(path: string, below = ''): string | undefined {
  const folder = dirname(path);
  if (folder === path) return undefined;
  if (!existsSync(folder)) return nearestTo(folder, join(basename(path), below));
  const names = namesIn(folder);
  const stem = nearestName(names.map(stemOf), stemOf(basename(path)));
  const near = names.find((name) => stemOf(name) === stem);
  const meant = near === undefined ? undefined : join(folder, near, below);
  return meant !== undefined && existsSync(meant) ? meant : undefined;
}

const stemOf = (name: string): string => basename(name, extname(name));

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // It is no folder, or of somebody else.
  }
}
