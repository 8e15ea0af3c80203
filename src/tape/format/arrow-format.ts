/**
 * @module
 * The way to files of rows: their code and its library, a hundred and fifty modules, are loaded when the first file is
 * opened. Most commands open none, and a start of theirs took a fifth longer.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ownModule } from '../../core/index.ts';

const load = createRequire(import.meta.url);

/** Reader and writer of files of rows. At once: the worker of a recording must not wait between two rows. */
export function arrowFiles(): typeof import('./arrow-file.ts') {
  return load(fileURLToPath(ownModule('tape/format/arrow-file')));
}
