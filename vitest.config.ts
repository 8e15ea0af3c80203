import { defineConfig } from 'vitest/config';

/** Test folders by kind, whose files share a worker: loading the rooms anew for each took a fifth of the time. `npm run check` runs tidy and unit, `npm test` runs all of them. */
const project = (name: string, extra: Record<string, unknown> = {}) => ({
  resolve: { conditions: ['ballast-source'] },
  ssr: { resolve: { conditions: ['ballast-source'] } },
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    environment: 'node',
    retry: 0,
    maxWorkers: 2,
    // Against hanging, not a measurement: machines are shared.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: false,
    ...extra,
  },
});

/** Tests of real processes live by the wall clock and mostly wait: they run after the others, more of them than cores. */
const WAITING = { maxWorkers: 4, sequence: { groupOrder: 1 } };
const PROCESSES = 'test/integration/{process,switch-by-force,crash}*.test.ts';

export default defineConfig({
  test: {
    projects: [
      project('tidy'),
      project('unit'),
      project('vectors'),
      project('property'),
      project('contract'),
      project('integration', { exclude: [PROCESSES] }),
      project('processes', {
        include: [PROCESSES],
        isolate: true,
        testTimeout: 300_000,
        ...WAITING,
      }),
      project('golden', WAITING),
      project('docs', WAITING),
      project('regressions'),
      // Needs a Redis server: `npm run test:hosts`, left out of `npm test`.
      project('hosts', { ...WAITING, testTimeout: 300_000 }),
      // Needs a browser: `npm run test:browser`, left out of `npm test`.
      project('browser', WAITING),
    ],
  },
});
