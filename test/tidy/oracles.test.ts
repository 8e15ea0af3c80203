import { expect, test } from 'vitest';
import { doorOf, sourceFiles } from './source.ts';

/** What an oracle may know: the ground, names of things, and the exchange. Of the client it sees the outside alone. */
const isAllowed = (room: string | undefined): boolean =>
  room === 'core' || room === 'domain' || /^exchange(?:\/|$)/.test(room ?? '');
const PACKAGES = ['viem', 'yaml'];

test('oracles of the simulation share no code with the client', () => {
  const files = sourceFiles('test/simulation/oracles');
  expect(files.length).toBeGreaterThan(20);
  const foreign = files.flatMap((file) =>
    file.imports
      .filter(({ specifier, target }) => {
        if (target === undefined) return !specifier.startsWith('node:') && !PACKAGES.includes(specifier);
        if (target === 'test/simulation/types.ts' || target.startsWith('test/simulation/oracles/'))
          return false;
        return !isAllowed(doorOf(target));
      })
      .map(({ specifier }) => `${file.path}: ${specifier}`),
  );
  expect(foreign).toEqual([]);
});
