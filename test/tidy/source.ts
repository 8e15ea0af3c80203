/**
 * Reads the project's own source for the house rules: files, rooms, imports. Text alone is enough: the sources are
 * formatted by one tool, so an import is always found by the same pattern.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOMS } from './rules.ts';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface SourceFile {
  /** Path from the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly imports: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  /** Path from the root for a relative import, else `undefined`. */
  readonly target: string | undefined;
  readonly isTypeOnly: boolean;
}

const IMPORT = /^(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\s+from\s+)?'([^']+)'/gm;
/** Names in braces: `import { a } from`, `export { a } from`; the first group is the verb. */
export const LISTED = /\b(import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'([^']+)'/g;
/** `const { a } = await import()`. */
export const TAKEN_APART = /\{([^{}]*)\}\s*=\s*await\s+import\(\s*'([^']+)'\s*\)/g;
/** `(await import()).a`. */
export const PICKED = /\bimport\(\s*'([^']+)'\s*\)\)?\.(\w+)/g;
const DYNAMIC_IMPORT = /\bimport\(\s*'([^']+)'\s*\)/g;

/** All TypeScript files below `folder`, sorted. */
export function sourceFiles(folder: string): SourceFile[] {
  const root = join(ROOT, folder);
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return names.sort().map((name) => readSource(join(root, name)));
}

function readSource(file: string): SourceFile {
  const text = readFileSync(file, 'utf8');
  const imports: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean): void => {
    const isRelative = specifier.startsWith('.');
    imports.push({
      specifier,
      target: isRelative
        ? relative(ROOT, resolve(dirname(file), specifier)).replaceAll('\\', '/')
        : undefined,
      isTypeOnly,
    });
  };
  for (const match of text.matchAll(IMPORT)) add(match[2] ?? '', match[1] !== undefined);
  for (const match of text.matchAll(DYNAMIC_IMPORT)) add(match[1] ?? '', false);
  return { path: relative(ROOT, file).replaceAll('\\', '/'), text, lines: text.split('\n'), imports };
}

/** The room of a path in src: the longest one of the table that it lies below; `undefined` elsewhere. */
export function roomOf(path: string): string | undefined {
  const parts = path.split('/');
  if (parts[0] !== 'src') return undefined;
  const [, first = '', second = ''] = parts;
  if (parts.length > 3 && `${first}/${second}` in ROOMS) return `${first}/${second}`;
  return parts.length > 2 && first in ROOMS ? first : undefined;
}

/** The room whose front door a path is; `undefined` where it is none. */
export function doorOf(path: string): string | undefined {
  const room = roomOf(path);
  return room !== undefined && path === `src/${room}/index.ts` ? room : undefined;
}

/** The names in the braces of an import or export: `outside` for what follows `as`. */
export function namesIn(list: string, side: 'inside' | 'outside'): string[] {
  return list
    .split(',')
    .map((part) => part.trim().replace(/^type\s+/, ''))
    .filter((part) => part !== '')
    .map((part) => part.split(/\s+as\s+|\s*:\s*/).at(side === 'inside' ? 0 : -1) ?? part);
}

/** The doors of the package, as paths: their exports are its documented interface. */
export function packageDoors(): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, { readonly 'ballast-source': string }>;
  };
  return Object.values(manifest.exports).map((door) => door['ballast-source'].slice(2));
}
