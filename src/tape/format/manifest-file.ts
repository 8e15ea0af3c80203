/** @module Reads the manifest of a folder, proven. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../core/index.ts';
import { MANIFEST_NAME, type Manifest, parseManifest, provenManifest } from './manifest.ts';
import { tapeError } from './tape-error.ts';

/** The manifest as it lies in `folder`. @throws ProtocolError when there is none, or it was changed. */
export function readListedManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST_NAME);
  const found = foundAt(folder);
  if (found !== 'a folder')
    throw tapeError('TAPE_FOREIGN', folder, `expected the folder of a tape, found ${found}`);
  if (foundAt(path) === 'nothing')
    throw tapeError('TAPE_FOREIGN', folder, `expected a tape, found no ${MANIFEST_NAME} in the folder`);
  const text = textOf(path);
  return provenManifest(parseManifest(text, path), text, path);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw tapeError('TAPE_FOREIGN', path, `expected a file that can be read, but ${messageOf(cause)}`, cause);
  }
}

/** What there is at a path, for people. */
export function foundAt(path: string): 'nothing' | 'a folder' | 'a file' {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'nothing';
  return found.isDirectory() ? 'a folder' : 'a file';
}
