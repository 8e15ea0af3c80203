/** @module Reads the manifest of a folder, proven. */
import { join } from 'node:path';
import { foundAt, textOf } from './file-access.ts';
import { MANIFEST_NAME, type Manifest, parseManifest, provenManifest } from './manifest.ts';
import { tapeError } from './tape-error.ts';

/** The manifest as it lies in `folder`. @throws ProtocolError when there is none, or it was changed. */
export function readListedManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST_NAME);
  const found = foundAt(folder);
  if (found !== 'a folder')
    throw tapeError('TAPE_NOT_RECOGNIZED', folder, `expected the folder of a tape, found ${found}`);
  const listed = foundAt(path);
  if (listed === 'nothing')
    throw tapeError(
      'TAPE_NOT_RECOGNIZED',
      folder,
      `expected a tape, found no ${MANIFEST_NAME} in the folder`,
    );
  if (listed === 'a folder') throw tapeError('TAPE_NOT_RECOGNIZED', path, 'expected a file, found a folder');
  const text = textOf(path);
  return provenManifest(parseManifest(text, path), text, path);
}
