/**
 * @module
 * Holds the loader to what a hash covers: code of a strategy with `sha256` loads the files of that hash, as they were
 * hashed, packages, modules of Node and nothing else, now or later, in whatever form it asks for it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../core/index.ts';
import { sourcesOf } from './source-hash.ts';

/** The code of ballast itself. */
const OWN = join(import.meta.dirname, '..', '..', sep);

/** Hash of each pinned file by its real path. */
const pinned = new Map<string, string>();

/** From now on the code in `file` loads what its hash covers. */
export function pin(file: string): void {
  if (pinned.size === 0) registerHooks({ resolve, load });
  for (const [path, source] of sourcesOf(file)) if (source !== undefined) pinned.set(path, digest(source));
}

const resolve: NonNullable<Parameters<typeof registerHooks>[0]['resolve']> = (specifier, context, next) => {
  const found = next(specifier, context);
  const importer = pathOf(context.parentURL);
  if (importer === undefined || !pinned.has(importer)) return found;
  const isPackage = !/^(?:\.{0,2}\/|#|[a-z]+:)/i.test(specifier);
  const path = pathOf(found.url);
  const isKnown =
    path === undefined ? found.url.startsWith('node:') : pinned.has(path) || path.startsWith(OWN);
  if (!isKnown && !(isPackage && isOfPackage(path, specifier)))
    throw unpinned(importer, path ?? found.url.slice(0, 80));
  return found;
};

const load: NonNullable<Parameters<typeof registerHooks>[0]['load']> = (url, context, next) => {
  const path = pathOf(url);
  const hash = path === undefined ? undefined : pinned.get(path);
  if (path !== undefined && hash !== undefined && digest(readFileSync(path)) !== hash)
    throw unpinned(path, path);
  return next(url, context);
};

/** Packages stand below node_modules; only ballast itself may stand elsewhere. */
function isOfPackage(path: string | undefined, specifier: string): boolean {
  return path?.includes('/node_modules/') === true || /^ballast(?:\/|$)/.test(specifier);
}

function pathOf(url: string | undefined): string | undefined {
  return url?.startsWith('file:') ? fileURLToPath(url) : undefined;
}

function digest(source: Buffer): string {
  return createHash('sha256').update(source).digest('hex');
}

function unpinned(importer: string, found: string): ConfigError {
  return new ConfigError({
    code: 'STRATEGY_IMPORT_UNPINNED',
    message: `expected ${importer} to load code that its sha256 covers, got ${found}`,
    remedy:
      'Import it by a literal relative path, so that the hash covers it; read it, and write the new hash.',
  });
}
