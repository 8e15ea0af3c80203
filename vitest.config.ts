import { defineConfig } from 'vitest/config';

/** Test folders by kind; `npm run check` runs tidy and unit, `npm test` runs all of them. */
const project = (name: string, extra: Record<string, unknown> = {}) => ({
  resolve: { conditions: ['ballast-source'] },
  ssr: { resolve: { conditions: ['ballast-source'] } },
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    environment: 'node',
    retry: 0,
    maxWorkers: 2,
    ...extra,
  },
});

/** Tests of real processes live by the wall clock and mostly wait: they run after the others, so that nobody takes their cores. */
const PROCESSES = 'test/integration/{process,switch-by-force,crash}*.test.ts';

export default defineConfig({
  test: {
    projects: [
      project('tidy', { isolate: false }),
      project('unit', { testTimeout: 15_000, isolate: false }),
      project('vectors', { testTimeout: 60_000, isolate: false }),
      project('property', { testTimeout: 60_000, isolate: false }),
      project('contract', { testTimeout: 60_000, isolate: false }),
      project('integration', {
        isolate: false,
        testTimeout: 120_000,
        hookTimeout: 60_000,
        exclude: [PROCESSES],
      }),
      project('processes', {
        include: [PROCESSES],
        testTimeout: 120_000,
        hookTimeout: 60_000,
        sequence: { groupOrder: 1 },
      }),
      project('golden', { testTimeout: 60_000, isolate: false }),
      project('docs', { testTimeout: 60_000, isolate: false }),
      project('regressions', { testTimeout: 60_000, isolate: false }),
    ],
  },
});
