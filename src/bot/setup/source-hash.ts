/**
 * @module
 * One hash over the code of a plugin: its file and all files that it imports by a relative path, and they in turn. What
 * it imports by the name of a package belongs to the lock file. The specifiers are found in the text: one in a comment
 * only makes the hash cover a file more.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

const RELATIVE_IMPORT = /\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

/**
 * The SHA-256 of the code in `file`, as hex. Of a file that imports nothing by a relative path it is the one of its
 * bytes. A file that is not there adds its name: loading it names the error. @throws Error where `file` cannot be read.
 */
export function sourceHash(file: string): string {
  const source = readFileSync(file);
  const hash = createHash('sha256').update(source);
  for (const [path, imported] of importedBy(file, source)) {
    hash.update(`\0${relative(dirname(file), path)}\0`);
    if (imported !== undefined) hash.update(imported);
  }
  return hash.digest('hex');
}

/** Files by their absolute paths, in the order of these; `undefined` for one that cannot be read. */
function importedBy(file: string, source: Buffer): readonly (readonly [string, Buffer | undefined])[] {
  const sources = new Map<string, Buffer | undefined>([[file, source]]);
  for (const [importer, text] of sources) {
    for (const [, specifier] of text?.toString().matchAll(RELATIVE_IMPORT) ?? []) {
      const path = resolve(dirname(importer), specifier ?? '');
      if (!sources.has(path)) sources.set(path, readable(path));
    }
  }
  sources.delete(file);
  return [...sources].sort(([a], [b]) => (a < b ? -1 : 1));
}

function readable(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
