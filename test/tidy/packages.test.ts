/**
 * Each package that package.json names is used, and by the rooms that the table says: what nobody imports any more
 * leaves the manifest, the table and docs/dependencies.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PACKAGE_DOORS } from './rules.ts';
import { ROOT, roomOf, type SourceFile, sourceFiles } from './source.ts';

interface Manifest {
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const manifestIn = (path: string) => JSON.parse(textOf(join(path, 'package.json'))) as Manifest;

const manifest = manifestIn('');
const source = sourceFiles('src');
const launcher = textOf('bin/ballast.mjs');
/** Inside the compiled package, so that nobody installs them: docs/decisions/0020-code-in-few-files.md. */
const BUNDLED = ['@noble/curves', '@noble/hashes', 'apache-arrow', 'viem', 'yaml', 'yargs'];
/** Types that those of the package name, so that an installation has them; nothing imports them by this name. */
const TYPES = '@types/node';

/** Imports of all kinds: static ones, `import()`, a loader of CommonJS, and the name of a package that may be missing. */
const ASKED =
  /(?:\bfrom |^import |\b(?:import|load|resolve)\(|import\.meta\.url\)\(|\bconst name = )\s*'([^'.][^']*)'/gm;

const specifiersOf = ({ text }: Pick<SourceFile, 'text'>): string[] =>
  [...text.matchAll(ASKED)].map(([, specifier = '']) => specifier);

const isOf = (name: string) => (specifier: string) => specifier === name || specifier.startsWith(`${name}/`);

/** Whether a script names a binary of the package, as `tsc` of typescript. */
function isRun(name: string): boolean {
  const { bin = {} } = manifestIn(`node_modules/${name}`);
  const names = typeof bin === 'string' ? [name] : Object.keys(bin);
  const scripts = [...Object.values(manifest.scripts), textOf('scripts/test.ts')].join('\n');
  return names.some((binary) => new RegExp(`(?:^|&& |bin\\(')${binary}\\b`, 'm').test(scripts));
}

describe('packages are used', () => {
  const inSource = source.flatMap(specifiersOf);

  test('at run time: each one is imported by the source', () => {
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    expect(names.length).toBeGreaterThan(15);
    expect(launcher).toMatch(/`node-\$\{name\}`/);
    // The packages of Node itself are found by the launcher, not imported.
    const idle = names.filter(
      (name) => !name.startsWith('node-') && name !== TYPES && !inSource.some(isOf(name)),
    );
    expect(idle).toEqual([]);
  });

  test('at run time: each one that the source imports is installed with it, or inside', () => {
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    const present = [
      ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
      ...BUNDLED,
    ];
    const absent = inSource.filter(
      (specifier) => /^(?!node:)[a-z@]/.test(specifier) && !present.some((name) => isOf(name)(specifier)),
    );
    expect(absent).toEqual([]);
    expect(BUNDLED.filter((name) => !inSource.some(isOf(name)))).toEqual([]);
  });

  test('for development: each one is imported or run by tests, benches, scripts or configuration', () => {
    const asked = [
      ...['test', 'bench', 'scripts'].flatMap(sourceFiles),
      { text: textOf('vitest.config.ts') },
    ].flatMap(specifiersOf);
    const { dependencies, devDependencies, peerDependencies } = manifest;
    const present = { ...dependencies, ...devDependencies };
    const isTyped = (name: string) => name === 'node' || name in present;
    const idle = Object.keys(devDependencies).filter((name) =>
      name.startsWith('@types/')
        ? !isTyped(name.slice('@types/'.length))
        : // A peer of a user is installed here so that the source finds it in tests; what is inside, for the build.
          !(name in peerDependencies || BUNDLED.includes(name) || asked.some(isOf(name)) || isRun(name)),
    );
    expect(idle).toEqual([]);
  });

  test('through each door of the table: a room that does not import a package any more leaves its row', () => {
    const idle = Object.entries(PACKAGE_DOORS).flatMap(([name, rooms]) =>
      rooms
        .filter((room) => {
          const files = source.filter(({ path }) => roomOf(path) === room);
          return !files.flatMap(specifiersOf).some(isOf(name));
        })
        .map((room) => `${name}: ${room}`),
    );
    expect(idle).toEqual([]);
  });

  test('as docs/dependencies.md says: a row for each one, with the rooms of the table', () => {
    const page = textOf('docs/dependencies.md');
    const named = [
      TYPES,
      ...Object.keys(manifest.optionalDependencies),
      ...Object.keys(manifest.devDependencies),
    ];
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const cells = rows.map((row) =>
      row.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)),
    );
    const missing = named.filter((name) => !cells.some(([, names = []]) => names.includes(name)));
    expect(missing).toEqual([]);
    const imported = [...Object.keys(manifest.dependencies), ...BUNDLED].filter((name) => name !== TYPES);
    const roomsSaid = imported.map((name) => [
      name,
      cells.find(([, names = []]) => names.includes(name))?.[3],
    ]);
    expect(roomsSaid).toEqual(imported.map((name) => [name, PACKAGE_DOORS[name]]));
  });
});

// Why scripts are denied one by one: docs/decisions/0012-install-scripts.md.
test('no package runs code while it is installed: each locked one that could is denied by name', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
  };
  const locked = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript === true ? [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)] : [],
  );
  expect(locked.length).toBeGreaterThan(0);
  expect(manifest.allowScripts).toEqual(Object.fromEntries(locked.map((name) => [name, false])));
});
