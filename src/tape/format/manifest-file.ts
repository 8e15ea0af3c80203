/** @module Reads the manifest of a folder, proven. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ProtocolError } from '../../core/index.ts';
import { foundAt, reading, readText } from './file-access.ts';
import { MANIFEST_NAME, type Manifest, parseManifest, provenManifest } from './manifest.ts';
import { recordingAt } from './recording-head.ts';
import { RECORDING_FORMATS, shellWord } from './recording-names.ts';
import { tapeError } from './tape-error.ts';

/** The manifest in `folder`. @throws ProtocolError when there is none, or it was changed. */
export function readListedManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST_NAME);
  const found = foundAt(folder);
  if (found === 'a file') throw noTape(folder, 'the folder of a tape, got a file');
  if (found === 'nothing')
    throw tapeError('TAPE_NOT_RECOGNIZED', folder, 'expected the folder of a tape, got nothing');
  const listed = foundAt(path);
  if (listed === 'nothing') {
    reading(folder, () => readdirSync(folder));
    throw noTape(folder, `a tape, got no ${MANIFEST_NAME} in the folder`);
  }
  if (listed === 'a folder') throw tapeError('TAPE_NOT_RECOGNIZED', path, 'expected a file, got a folder');
  const text = readText(path);
  return provenManifest(parseManifest(text, path), text, path);
}

/** `place` is no tape; if it shows that it is a recording, the error says how to make a tape of it. */
function noTape(place: string, expected: string): ProtocolError {
  const recording = recordingAt(place);
  return new ProtocolError({
    code: 'TAPE_NOT_RECOGNIZED',
    message: `${place}: expected ${recording === undefined ? expected : `a tape, got a recording in the format ${recording.format}`}`,
    remedy:
      recording?.remedy ??
      `Name the folder of a tape (it holds manifest.json). A recording is imported first: ballast import <format> ${shellWord(place)} --out <folder>, where <format> is one of ${RECORDING_FORMATS.join(', ')}.`,
    details: { place },
  });
}
