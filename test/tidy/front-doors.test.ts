/**
 * What a room hands out is asked for by another one: a front door with names for nobody hides the few that matter. A test
 * of what stays inside goes to the file itself.
 */
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  doorOf,
  LISTED,
  namesIn,
  PICKED,
  packageDoors,
  roomOf,
  type SourceFile,
  sourceFiles,
  TAKEN_APART,
} from './source.ts';

/** Who may be the reason for an export. */
const ASKING = ['src', 'strategies', 'bench', 'scripts', 'test/integration'].flatMap(sourceFiles);
const doors = sourceFiles('src').filter(({ path }) => doorOf(path) !== undefined);

/** What a file asks of front doors, as `path name`. */
function askedBy({ path, text }: SourceFile): string[] {
  const asked: string[] = [];
  const ask = (specifier: string, names: readonly string[]): void => {
    const target = join(dirname(path), specifier).replaceAll('\\', '/');
    if (specifier.startsWith('.') && doorOf(target) !== undefined && roomOf(target) !== roomOf(path))
      asked.push(...names.map((name) => `${target} ${name}`));
  };
  for (const [, , list = '', specifier = ''] of text.matchAll(LISTED))
    ask(specifier, namesIn(list, 'inside'));
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
    const published = packageDoors().map(roomOf);
    expect(published).toContain('bot/strategy');
    const idle = doors
      .filter(({ path }) => !published.includes(roomOf(path)))
      .flatMap((door) => exportsOf(door).map((name) => `${door.path} ${name}`))
      .filter((name) => !asked.has(name));
    expect(idle).toEqual([]);
  });
});
