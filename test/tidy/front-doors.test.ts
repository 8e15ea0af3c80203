/**
 * What a room hands out is asked for by another one: a front door with names for nobody hides the few that matter. A test
 * of what stays inside goes to the file itself.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { doorOf, ROOT, roomOf, type SourceFile, sourceFiles } from './source.ts';

/** Who may be the reason for an export. */
const ASKING = ['src', 'strategies', 'bench', 'scripts', 'test/integration'].flatMap(sourceFiles);
const doors = sourceFiles('src').filter(({ path }) => doorOf(path) !== undefined);

const LISTED = /\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'([^']+)'/g;
const TAKEN_APART = /\{([^{}]*)\}\s*=\s*await\s+import\(\s*'([^']+)'\s*\)/g;
const PICKED = /\bimport\(\s*'([^']+)'\s*\)\)?\.(\w+)/g;

/** The rooms that are doors of the package: their exports are its documented interface. */
function packageRooms(): readonly (string | undefined)[] {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, { readonly 'ballast-source': string }>;
  };
  return Object.values(manifest.exports).map((door) => roomOf(door['ballast-source'].slice(2)));
}

/** The names in the braces of an import or export: `outside` for what follows `as`. */
function namesIn(list: string, side: 'inside' | 'outside'): string[] {
  return list
    .split(',')
    .map((part) => part.trim().replace(/^type\s+/, ''))
    .filter((part) => part !== '')
    .map((part) => part.split(/\s+as\s+|\s*:\s*/).at(side === 'inside' ? 0 : -1) ?? part);
}

/** What a file asks of front doors, as `path name`. */
function askedBy({ path, text }: SourceFile): string[] {
  const asked: string[] = [];
  const ask = (specifier: string, names: readonly string[]): void => {
    const target = join(dirname(path), specifier).replaceAll('\\', '/');
    if (specifier.startsWith('.') && doorOf(target) !== undefined && roomOf(target) !== roomOf(path))
      asked.push(...names.map((name) => `${target} ${name}`));
  };
  for (const [, list = '', specifier = ''] of text.matchAll(LISTED)) ask(specifier, namesIn(list, 'inside'));
  for (const [, list = '', specifier = ''] of text.matchAll(TAKEN_APART))
    ask(specifier, namesIn(list, 'inside'));
  for (const [, specifier = '', name = ''] of text.matchAll(PICKED)) ask(specifier, [name]);
  return asked;
}

function exportsOf({ text }: SourceFile): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  return [...code.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    namesIn(list, 'outside'),
  );
}

describe('front doors', () => {
  test('hand out nothing that nobody asks for', () => {
    const asked = new Set(ASKING.flatMap(askedBy));
    expect(asked.size).toBeGreaterThan(400);
    const published = packageRooms();
    expect(published).toContain('bot/strategy');
    const idle = doors
      .filter(({ path }) => !published.includes(roomOf(path)))
      .flatMap((door) => exportsOf(door).map((name) => `${door.path} ${name}`))
      .filter((name) => !asked.has(name));
    expect(idle).toEqual([]);
  });
});
