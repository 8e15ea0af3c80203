/** @module Reads the manifest of a folder, proven. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_NAME, type Manifest, parseManifest, provenManifest } from './manifest.ts';
import { tapeError } from './tape-error.ts';

/** The manifest as it lies in `folder`. @throws ProtocolError when there is none, or it was changed. */
export function readListedManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST_NAME);
  if (!existsSync(path))
    throw tapeError('TAPE_FOREIGN', folder, `there is no ${MANIFEST_NAME}: this is no tape`);
  const text = readFileSync(path, 'utf8');
  return provenManifest(parseManifest(text, path), text, path);
}
