/** @module Reads the manifest of a folder, proven. */
import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ProtocolError } from '../../core/index.ts';
import { foundAt, reading, readText } from './file-access.ts';
import { MANIFEST_NAME, type Manifest, parseManifest, provenManifest } from './manifest.ts';
import { RECORDING_FORMATS, recordingFormatOf } from './recording-names.ts';
import { tapeError } from './tape-error.ts';

/** The manifest in `folder`. @throws ProtocolError when there is none, or it was changed. */
export function readListedManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST_NAME);
  const found = foundAt(folder);
  if (found === 'a file') throw noTape(folder, [basename(folder)], 'the folder of a tape, got a file');
  if (found === 'nothing')
    throw tapeError('TAPE_NOT_RECOGNIZED', folder, 'expected the folder of a tape, got nothing');
  const listed = foundAt(path);
  if (listed === 'nothing') {
    const names = reading(folder, () => readdirSync(folder));
    throw noTape(folder, names, `a tape, got no ${MANIFEST_NAME} in the folder`);
  }
  if (listed === 'a folder') throw tapeError('TAPE_NOT_RECOGNIZED', path, 'expected a file, got a folder');
  const text = readText(path);
  return provenManifest(parseManifest(text, path), text, path);
}

/** `place` is no tape; if its file names show that it is a recording, the error says how to make a tape of it. */
function noTape(place: string, names: readonly string[], expected: string): ProtocolError {
  const format = recordingFormatOf(names);
  if (format === undefined)
    return new ProtocolError({
      code: 'TAPE_NOT_RECOGNIZED',
      message: `${place}: expected ${expected}`,
      remedy: `Name the folder of a tape (it holds manifest.json). A recording is imported first: ballast import <format> ${shellWord(place)} --out <folder>, where <format> is one of ${RECORDING_FORMATS.join(', ')}.`,
      details: { place },
    });
  const out = join('tapes', basename(resolve(place)).replace(/\..*$/, '') || 'imported');
  return new ProtocolError({
    code: 'TAPE_NOT_RECOGNIZED',
    message: `${place}: expected a tape, got a recording in the format ${format}`,
    remedy: `Import it, then name the tape: ballast import ${format} ${shellWord(place)} --out ${shellWord(out)}`,
    details: { place },
  });
}

/** `text` as one word of a command line. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
