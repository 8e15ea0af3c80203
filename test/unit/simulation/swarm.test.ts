/** @module What a swarm must have hit to pass, and what its tables are made of. */
import { describe, expect, test } from 'vitest';
import { brokenReport, type WorkerReport } from '../../simulation/seed-process.ts';
import type { Workers } from '../../simulation/seed-processes.ts';
import { isPassed, runSwarm, type SwarmOrder, zerosOf } from '../../simulation/swarm.ts';
import type { Convergence } from '../../simulation/types.ts';

const WHOLE = { faults: undefined, quirks: undefined, world: undefined };
const clean = { seeds: 2_000, violations: 0, zeros: [] };

/** A worker whose seed `n` converged after `n` seconds. */
function workersOf(convergenceOf: (seed: number) => Convergence | undefined): Workers {
  const run = async ({ seed }: { readonly seed: number }): Promise<WorkerReport> => {
    const report = brokenReport(seed, '');
    const convergence = convergenceOf(seed);
    const result = {
      ...report.result,
      violations: [],
      hits: { F1: seed },
      ...(convergence === undefined ? {} : { convergence }),
    };
    return { ...report, result };
  };
  return { run } as unknown as Workers;
}

const LISTENER = { onFailure: () => undefined, onProgress: () => undefined };

describe('a swarm', () => {
  test('passes when nothing was broken and nothing missed', () => {
    expect(isPassed(WHOLE, clean)).toBe(true);
    expect(isPassed(WHOLE, { ...clean, violations: 1 })).toBe(false);
  });

  test.each(['F61', 'A4=delta', 'partial batch'])('of 2,000 seeds that never hit %s fails', (name) => {
    const missed = { ...clean, zeros: [name] };
    expect(isPassed(WHOLE, missed)).toBe(false);
    expect(isPassed(WHOLE, { ...missed, seeds: 1_999 })).toBe(true);
  });

  test('of chosen faults, answers or worlds need not hit the others', () => {
    const missed = { ...clean, zeros: ['F61'] };
    expect(isPassed({ ...WHOLE, faults: ['F1'] }, missed)).toBe(true);
    expect(isPassed({ ...WHOLE, quirks: {} }, missed)).toBe(true);
    expect(isPassed({ ...WHOLE, world: 'calm' }, missed)).toBe(true);
  });

  test('names in all three tables what was never hit', () => {
    const tables = {
      faults: { F1: 1, F2: 0 },
      ambiguities: { 'A1=digest': 0 },
      sometimes: { 'partial batch': 0 },
    };
    expect(zerosOf(tables)).toEqual(['F2', 'A1=digest', 'partial batch']);
  });

  test('tells how long its worlds took to converge, and how many did', async () => {
    const order: SwarmOrder = {
      ...WHOLE,
      seeds: Array.from({ length: 200 }, (_none, at) => at + 1),
      isTwice: false,
    };
    const workers = workersOf((seed) =>
      seed <= 100 ? { sinceHealingMs: seed * 1_000, sinceFreeMs: seed * 100 } : undefined,
    );
    const { summary } = await runSwarm(order, workers, LISTENER);
    expect(summary.convergence).toEqual({
      seeds: 100,
      sinceHealing: { p50: 50, p99: 99, max: 100 },
      sinceFree: { p50: 5, p99: 9.9, max: 10 },
    });
    expect(summary.zeros).toContain('F2');
    expect(summary.zeros).not.toContain('F1');
  });

  test('of nothing that converged tells nothing', async () => {
    const order: SwarmOrder = { ...WHOLE, seeds: [1], isTwice: false };
    const { summary } = await runSwarm(
      order,
      workersOf(() => undefined),
      LISTENER,
    );
    expect(summary.convergence.sinceFree).toEqual({ p50: null, p99: null, max: null });
  });
});
