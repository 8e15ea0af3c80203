import { describe, expect, test } from 'vitest';
import { FREE_BUILTINS, PACKAGE_DOORS, ROOMS } from './rules.ts';
import { doorOf, roomOf, type SourceFile, sourceFiles } from './source.ts';

const files = sourceFiles('src');
const byPath = new Map(files.map((file) => [file.path, file]));

/** Breaks of a rule as `file → specifier` lines. */
function breaks(rule: (file: SourceFile) => Iterable<string>): string[] {
  return files.flatMap((file) => [...rule(file)].map((what) => `${file.path}: ${what}`));
}

describe('imports', () => {
  test('sees the whole house, so that silence means order', () => {
    const imports = files.reduce((sum, file) => sum + file.imports.length, 0);
    expect(files.length).toBeGreaterThan(200);
    expect(imports).toBeGreaterThan(700);
    expect(new Set(files.map((file) => roomOf(file.path)).filter((room) => room !== undefined))).toEqual(
      new Set(Object.keys(ROOMS)),
    );
  });

  test('go to the rooms that the table allows (R1)', () => {
    expect(
      breaks(function* (file) {
        const from = roomOf(file.path);
        for (const one of file.imports) {
          const to = one.target === undefined ? undefined : roomOf(one.target);
          if (from === undefined || to === undefined || from === to) continue;
          if (!ROOMS[from]?.mayImport.includes(to)) yield `${from} must not import ${to}`;
        }
      }),
    ).toEqual([]);
  });

  test('go down: the table leads from each room to lower floors only, so that rooms make no circle', () => {
    const up = Object.entries(ROOMS).flatMap(([from, { floor, mayImport }]) =>
      mayImport.filter((to) => (ROOMS[to]?.floor ?? floor) >= floor).map((to) => `${from} → ${to}`),
    );
    expect(up).toEqual([]);
  });

  test('use each arrow of the table: what nobody imports any more leaves it', () => {
    const used = new Set(
      files.flatMap((file) =>
        file.imports.map((one) => `${roomOf(file.path)} → ${one.target && roomOf(one.target)}`),
      ),
    );
    const idle = Object.entries(ROOMS).flatMap(([from, { mayImport }]) =>
      mayImport.map((to) => `${from} → ${to}`).filter((arrow) => !used.has(arrow)),
    );
    expect(idle).toEqual([]);
  });

  test('never lead between the exchange and a client of it (R5)', () => {
    const isExchange = (path: string) => path.startsWith('src/exchange/');
    const isClient = (path: string) => /^src\/(?:wire\/(?:gateway|stream)|bot|client)\//.test(path);
    expect(
      breaks(function* ({ path, imports }) {
        for (const { target = '' } of imports)
          if ((isExchange(path) && isClient(target)) || (isClient(path) && isExchange(target)))
            yield `imports ${target}`;
      }),
    ).toEqual([]);
  });

  test('enter another room by its front door (R3)', () => {
    expect(
      breaks(function* (file) {
        for (const one of file.imports) {
          if (one.target === undefined || roomOf(one.target) === roomOf(file.path)) continue;
          if (doorOf(one.target) === undefined) yield `imports ${one.target}`;
        }
      }),
    ).toEqual([]);
  });

  test('name files that exist', () => {
    expect(
      breaks(function* (file) {
        for (const one of file.imports)
          if (one.target?.startsWith('src/') && !byPath.has(one.target)) yield `imports ${one.target}`;
      }),
    ).toEqual([]);
  });

  test('make no cycle, type-only ones included (R4)', () => {
    expect(findCycles()).toEqual([]);
  });

  test('bring packages in by their doors (R6, R7)', () => {
    expect(
      breaks(function* (file) {
        const room = roomOf(file.path) ?? '';
        for (const one of file.imports) {
          if (one.target !== undefined || FREE_BUILTINS.includes(one.specifier)) continue;
          const door =
            PACKAGE_DOORS[one.specifier] ??
            PACKAGE_DOORS[
              one.specifier
                .split('/')
                .slice(0, one.specifier.startsWith('@') ? 2 : 1)
                .join('/')
            ];
          if (door === undefined)
            yield `${one.specifier} has no door: add it to the table and docs/dependencies.md`;
          else if (!door.includes(room)) yield `${one.specifier} may only be imported by ${door.join(', ')}`;
        }
      }),
    ).toEqual([]);
  });

  test('make approvals in risk alone (R9)', () => {
    expect(
      breaks(function* (file) {
        if (roomOf(file.path) === 'bot/risk' || roomOf(file.path) === 'domain') return;
        if (/\bapprove\b[^;]*from '[^']*domain\/index\.ts'/s.test(importText(file))) yield 'imports approve';
      }),
    ).toEqual([]);
  });

  test('strategies import the SDK alone', () => {
    const strategies = sourceFiles('strategies');
    expect(strategies.length).toBeGreaterThanOrEqual(2);
    const foreign = strategies.flatMap((file) =>
      file.imports
        .filter((one) => one.specifier !== 'ballast/strategy' && !one.specifier.startsWith('./'))
        .map((one) => `${file.path}: ${one.specifier}`),
    );
    expect(foreign).toEqual([]);
  });
});

/** The import statements of a file, one text. */
function importText(file: SourceFile): string {
  return [...file.text.matchAll(/^import[^;]*;/gm)].map((match) => match[0]).join('\n');
}

/** Cycles of files in src, each once, as the paths on it. */
function findCycles(): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    state.set(path, 'open');
    for (const one of byPath.get(path)?.imports ?? [])
      if (one.target !== undefined && byPath.has(one.target)) walk(one.target, [...trail, path]);
    state.set(path, 'done');
  };
  for (const file of files) walk(file.path, []);
  return cycles;
}
