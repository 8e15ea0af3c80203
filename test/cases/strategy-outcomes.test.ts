/** @module Cases of what a run's result says of its strategies: each command gives what the page of its case expects. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadRun } from '../../src/report/index.ts';
import { aCase, type CaseFolder } from '../support/case-folder.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

/** The case with its tape: an hour of StandX. */
async function aRecordedCase(name: string): Promise<CaseFolder> {
  const scene = aCase(name);
  const folder = sharedPath('data', 'standx-btcusd-20260106');
  const files = ['book', 'trades'].map((kind) => join(folder, `${kind}_2026-01-06_08.csv.gz`));
  const { stderr, exitCode } = await scene.run('import', 'standx', ...files, '--out', 'tape');
  expect([exitCode, stderr]).toEqual([0, '']);
  return scene;
}

describe.skipIf(!hasShared('cases'))('cases of results', () => {
  test('Q1: five slices of ten lots, joined, one a second', async () => {
    const scene = await aRecordedCase('Q1');
    const to = ['--to', '2026-01-06T08:01:00Z'];
    await scene.run('backtest', 'twap-bt.yaml', '--tape', 'tape', ...to, '--out', 'run');
    const record = loadRun(join(scene.folder, 'run'));
    const rested = record.quotes.filter(({ event }) => event === 'rested').slice(0, 5);
    expect(rested.map(({ sizeLots }) => sizeLots)).toEqual([10, 10, 10, 10, 10]);
    const [first] = rested;
    const afterS = rested.map(({ atMs }) => Math.round((atMs - (first?.atMs ?? 0)) / 1_000));
    expect(afterS).toEqual([0, 1, 2, 3, 4]);
    expect((first?.atMs ?? Number.NaN) - record.fromMs).toBeLessThan(1_100);
  });
});
