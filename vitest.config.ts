import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// What was compiled once is not compiled again, by the workers and by the scripts they start: as the launcher does it.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'tests');

/**
 * Test folders by kind, whose files share a worker: loading the rooms again for each took a fifth of the time. Node loads
 * the sources as it does for a user: rewritten by a bundler they ran a fifth slower. `npm run check` runs tidy and unit,
 * `npm test` runs all of them.
 */
const project = (name: string, extra: Record<string, unknown> = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    environment: 'node',
    retry: 0,
    maxWorkers: 2,
    // Against hanging, not a measurement: machines are shared.
    testTimeout: 120_000,
    // A machine that does other things too may take a while.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    isolate: false,
    execArgv: ['--conditions=ballast-source', '--disable-warning=ExperimentalWarning'],
    // No test replaces modules (`vi.mock`), so that nothing has to look into the sources.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    ...extra,
  },
});

/** Tests of real processes live by the wall clock and mostly wait: they run after the others, more of them than cores. */
const WAITING = { maxWorkers: 4, sequence: { groupOrder: 1 } };
/**
 * Tests that live by the wall clock get a second try: a machine that stood still is no defect. `npm test` names each that
 * needed it (scripts/second-tries.ts), for somebody to look at. Everything else passes at once or fails.
 */
const BY_THE_CLOCK = {
  retry: 1,
  // scripts/prove/second-tries.ts
  ...(process.env['BALLAST_FAIL_FIRST'] === undefined
    ? {}
    : { setupFiles: ['./test/support/fail-first.ts'] }),
};
const PROCESSES = 'test/integration/{process,switch-by-force,crash}*.test.ts';

export default defineConfig({
  test: {
    projects: [
      project('tidy'),
      project('unit'),
      project('vectors'),
      project('cases', { ...BY_THE_CLOCK, ...WAITING }),
      project('property'),
      project('contract'),
      project('integration', { ...BY_THE_CLOCK, exclude: [PROCESSES] }),
      project('processes', {
        ...BY_THE_CLOCK,
        include: [PROCESSES],
        isolate: true,
        testTimeout: 300_000,
        ...WAITING,
      }),
      project('golden', WAITING),
      project('docs', { ...BY_THE_CLOCK, ...WAITING }),
      project('regressions', BY_THE_CLOCK),
      // Packs and installs the package; without a registry this is left out in one line.
      // Alone: npm takes both cores.
      project('package', {
        ...{ ...BY_THE_CLOCK, globalSetup: './test/support/packed.ts' },
        ...{ sequence: { groupOrder: 2 }, testTimeout: 300_000, hookTimeout: 300_000 },
      }),
      // Runs Python where it is there; the first time it installs what it compares with.
      project('peers', { testTimeout: 600_000, hookTimeout: 600_000 }),
      // Needs a Redis server: `npm run test:hosts`, left out of `npm test`.
      project('hosts', { ...BY_THE_CLOCK, ...WAITING, testTimeout: 300_000 }),
      // Needs a browser: `npm run test:browser`, left out of `npm test`.
      project('browser', { ...BY_THE_CLOCK, ...WAITING }),
    ],
  },
});
