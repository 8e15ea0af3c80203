/** @module What a person sees of `ballast backtest --robustness`: the table, the same document twice, what is refused. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ballast } from '../support/ballast-process.ts';
import { configText, sweepScene } from '../support/sweep-scene.ts';
import { snapshotFile } from './snapshot.ts';

const scene = sweepScene(1);
beforeAll(() => writeFileSync(scene.config, configText().replace('trade-through', 'queue-power')));
afterAll(() => scene.remove());

const study = (...more: readonly string[]) =>
  ballast(['backtest', scene.config, '--tape', scene.tape, '--seed', '3', '--robustness', ...more]);

test('backtest --robustness shows a table of 80 columns', async () => {
  const { exitCode, stdout, stderr } = await study('10');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const lines = stdout.split('\n');
  const from = lines.findIndex((line) => line.startsWith('robustness'));
  const shown = lines.slice(
    from,
    lines.findIndex((line) => line.startsWith('orders')),
  );
  expect(shown.filter((line) => line.length > 80)).toEqual([]);
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot(snapshotFile('report/robustness'));
});

test('backtest --robustness --json gives the same document, byte for byte, whatever the threads', async () => {
  const some = ['10', '--json', '--to', '2026-01-06T08:00:15Z'];
  const one = await study(...some, '--workers', '1');
  const two = await study(...some, '--workers', '2');
  expect([one.exitCode, one.stderr]).toEqual([0, '']);
  expect(two.stdout).toBe(one.stdout);
  const { robustness } = JSON.parse(one.stdout) as {
    robustness: { seed: number; kinds: readonly unknown[] };
  };
  expect([robustness.seed, robustness.kinds.length]).toEqual([3, 3]);
});

test.each([
  ['too few runs', study('9'), '--robustness: expected an integer from 10 to 1000, got "9"'],
  ['too many runs', study('1001'), '--robustness: expected an integer from 10 to 1000, got "1001"'],
  [
    'bars',
    ballast(['bars', scene.config, '--robustness', '10']),
    '--robustness: expected ballast backtest, which has orders in a book, got ballast bars',
  ],
])('error: %s is refused', async (_name, ended, words) => {
  const { exitCode, stderr } = await ended;
  expect(exitCode).toBe(64);
  expect(stderr).toContain(words);
});
