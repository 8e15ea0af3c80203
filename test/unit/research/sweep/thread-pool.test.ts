import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createThreadPool } from '../../../../src/research/sweep/thread-pool.ts';
import type { JobRunner, SweepJob, SweepResult } from '../../../../src/research/sweep/types.ts';

const aJob = (key: string): SweepJob => ({
  key,
  parameters: {},
  window: 0,
  part: 'whole',
  fromMs: 0,
  toMs: 1,
});

let folder: string;
let pool: JobRunner;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-pool-'));
  const url = new URL('../../../support/pool-thread.ts', import.meta.url);
  pool = createThreadPool({ url, data: { folder }, workers: 2 });
});
afterEach(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

async function run(...keys: readonly string[]): Promise<ReadonlyMap<string, SweepResult>> {
  const results: SweepResult[] = [];
  await pool.run(keys.map(aJob), (result) => results.push(result));
  expect(results.map(({ key }) => key).sort()).toEqual([...keys].sort());
  return new Map(results.map((result) => [result.key, result]));
}

describe('a pool of threads', () => {
  test('gives every job to one of its threads, run after run', async () => {
    const first = await run('a', 'b', 'c', 'd', 'e', 'f');
    const second = await run('g', 'h');
    const threads = [...first.values(), ...second.values()].map(
      (one) => 'statistics' in one && one.statistics['thread'],
    );
    expect(new Set(threads).size).toBeLessThanOrEqual(2);
  });

  test('tries a job again whose thread died, and loses nothing', async () => {
    const results = await run('a', 'dies-once', 'b', 'c');
    expect([...results.values()].every((one) => 'statistics' in one)).toBe(true);
  });

  test('gives a job up that kills every thread, and does the others', async () => {
    const results = await run('a', 'dies', 'b', 'c', 'd');
    expect(results.get('dies')).toEqual({ key: 'dies', error: 'this job is too much' });
    expect([...results.values()].filter((one) => 'statistics' in one)).toHaveLength(4);
  });
});
