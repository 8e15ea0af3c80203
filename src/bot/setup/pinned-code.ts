/**
 * @module
 * Holds the loader to the code that was read: pinned code loads the files of its set, as they were hashed, packages,
 * modules of Node and nothing else, now or later, in whatever form it asks for it. Packages load packages. No sandbox: it
 * says which files run, not what they do.
 */
import { registerHooks } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError, OWN_CODE, sha256 } from '../../core/index.ts';
import { bytesOf, sourcesOf } from './source-hash.ts';

/** Files by their real paths, each with the SHA-256 of its bytes. */
export type CodeSet = ReadonlyMap<string, string>;

const PACKAGES = `${sep}node_modules${sep}`;
/** What they start has a loader of its own, which nothing here holds. */
const STARTERS: ReadonlySet<string> = new Set(['node:child_process', 'node:cluster', 'node:worker_threads']);

interface Pinned {
  readonly sha256: string;
  /** What else it loads joins the set, in place of being refused. */
  readonly mayGrow: boolean;
}

const pinned = new Map<string, Pinned>();
/** Files of packages that pinned code loads, directly or by other packages. */
const reached = new Set<string>();
let packagesMayGrow = false;

/** The code of the strategy in `file`, as far as its text names it. */
export function codeOf(file: string): CodeSet {
  const code = new Map<string, string>();
  for (const [path, source] of sourcesOf(file)) if (source !== undefined) code.set(path, sha256(source));
  return code;
}

/** From now on this code loads itself, packages and modules of Node. `mayGrow`: and what else it asks for is noted. */
export function pin(code: CodeSet, { mayGrow = false } = {}): void {
  if (pinned.size === 0) registerHooks({ resolve, load });
  packagesMayGrow ||= mayGrow;
  for (const [path, hash] of code)
    pinned.set(path, { sha256: hash, mayGrow: mayGrow && pinned.get(path)?.mayGrow !== false });
}

/** All code that is pinned in this process by now. */
export function pinnedCode(): CodeSet {
  return new Map(Array.from(pinned, ([path, one]) => [path, one.sha256]));
}

const resolve: NonNullable<Parameters<typeof registerHooks>[0]['resolve']> = (specifier, context, next) => {
  const found = next(specifier, context);
  const importer = pathOf(context.parentURL);
  if (importer === undefined || importer.startsWith(OWN_CODE)) return found;
  const by = pinned.get(importer);
  if (by === undefined && !reached.has(importer)) return found;
  const path = pathOf(found.url);
  if (path === undefined) {
    if (by !== undefined && (!found.url.startsWith('node:') || STARTERS.has(found.url)))
      throw unpinned(importer, found.url);
    return found;
  }
  if (path.startsWith(OWN_CODE)) return found;
  const known = pinned.get(path);
  if (known !== undefined) {
    // What is loaded without its text, such as an addon, passes here only.
    refuseChanged(path, known, bytesOf(path));
    return found;
  }
  const isPackage = by === undefined || !/^(?:\.{0,2}\/|#|[a-z]+:)/i.test(specifier);
  if (isPackage && path.includes(PACKAGES)) reached.add(path);
  if (isPackage && (path.includes(PACKAGES) || /^ballast(?:\/|$)/.test(specifier))) return found;
  if (!(by?.mayGrow ?? packagesMayGrow)) throw unpinned(importer, path);
  pinned.set(path, { sha256: sha256(bytesOf(path)), mayGrow: true });
  return found;
};

const load: NonNullable<Parameters<typeof registerHooks>[0]['load']> = (url, context, next) => {
  const path = pathOf(url);
  const known = path === undefined ? undefined : pinned.get(path);
  if (path === undefined || known === undefined) return next(url, context);
  refuseChanged(path, known, bytesOf(path));
  const loaded = next(url, context);
  // It was read again.
  if (loaded.source instanceof Uint8Array) refuseChanged(path, known, loaded.source);
  return loaded;
};

function refuseChanged(path: string, known: Pinned, bytes: Uint8Array): void {
  if (sha256(bytes) !== known.sha256) throw unpinned(path, `other content than was read in ${path}`);
}

function pathOf(url: string | undefined): string | undefined {
  return url?.startsWith('file:') ? fileURLToPath(url) : undefined;
}

function unpinned(importer: string, found: string): ConfigError {
  const isStarter = STARTERS.has(found);
  return new ConfigError({
    code: 'STRATEGY_IMPORT_UNPINNED',
    message: `expected ${importer} to load code that was read and pinned, got ${found.slice(0, 300)}`,
    remedy: isStarter
      ? 'Pinned code starts no threads and no processes: what they load cannot be held to a hash.'
      : 'Import it by a literal relative path, and write the new sha256; or read it, and write the lock with `ballast config check --lock`.',
  });
}
