/**
 * @module
 * One hash over the code of a plugin: its file and all files that it imports by a relative path, and they in turn. What
 * it imports by the name of a package belongs to the lock file. The specifiers are found in the text: one in a comment
 * only makes the hash cover a file more.
 */
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { ReadFault, readRegularBytes } from '../../core/index.ts';

/** The largest file of a strategy. */
const FILE_BYTES_MAX = 67_108_864;
/** What imports nothing. */
const DATA = /\.(?:json|wasm)$/;

const IMPORT = /\b(?:from|import|require)(?:\s|\/\*[\s\S]*?\*\/|\()*(['"`])([^'"`\n]+)\1/g;

/** One import in the text of a file. */
export interface Import {
  /** What is imported, as it is written. */
  readonly specifier: string;
  /** Offset of the specifier in the text. */
  readonly offset: number;
}

/**
 * The SHA-256 of the code in `file`, as hex. Of a file that imports nothing by a relative path it is the one of its
 * bytes. A file that is not there adds its name: loading it names the error. @throws Error where `file` cannot be read.
 */
export function sourceHash(file: string): string {
  const [first, ...imported] = sourcesOf(file);
  const hash = createHash('sha256').update(first?.[1] ?? readFileSync(file));
  for (const [path, source] of imported.sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`\0${relative(dirname(realPath(file)), path)}\0`);
    if (source !== undefined) hash.update(source);
  }
  return hash.digest('hex');
}

/**
 * The code of a plugin by its real paths: `file` first, then the files that are imported by relative paths;
 * `undefined` for one that cannot be read. @throws ReadFault for a pipe, a device or a file too large, on which
 * loading would never end.
 */
export function sourcesOf(file: string): readonly (readonly [string, Buffer | undefined])[] {
  const entry = realPath(file);
  const sources = new Map<string, Buffer | undefined>([[entry, readable(entry)]]);
  for (const [importer, text] of sources) {
    if (text === undefined || DATA.test(importer)) continue;
    for (const { specifier } of importsOf(text.toString())) {
      if (!/^\.{1,2}\//.test(specifier)) continue;
      // What follows names another module to the loader, of the same file.
      const path = realPath(resolve(dirname(importer), specifier.replace(/[?#].*$/, '')));
      if (!sources.has(path)) sources.set(path, readable(path));
    }
  }
  return [...sources];
}

/** The imports in the text of a file. */
export function importsOf(text: string): readonly Import[] {
  return Array.from(text.matchAll(IMPORT), (match) => {
    const [whole, , specifier = ''] = match;
    return { specifier, offset: match.index + whole.length - specifier.length - 1 };
  });
}

/** As the loader names it: without links. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What is in a file of a strategy. @throws ReadFault for what is none, and what the file system answers. */
export function bytesOf(path: string): Buffer {
  return readRegularBytes(path, FILE_BYTES_MAX);
}

function readable(path: string): Buffer | undefined {
  try {
    return bytesOf(path);
  } catch (fault) {
    // `require` looks into a folder.
    if (fault instanceof ReadFault && !statSync(path).isDirectory())
      throw new ReadFault(`${path}: ${fault.message}`);
    return undefined;
  }
}
