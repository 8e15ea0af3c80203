/** @module What a person sees of `ballast report`: figures, two runs side by side, a record that is not to be believed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveRun } from '../../src/report/index.ts';
import { ballast } from '../support/ballast-process.ts';
import { aDay } from '../support/run-records.ts';
import { picture, snapshotFile } from './snapshot.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'ballast-report-'));
const at = (name: string): string => join(FOLDER, name);

beforeAll(() => {
  const day = aDay({ hours: 1 });
  saveRun(at('a'), day);
  saveRun(at('b'), { ...day, seed: 8, fills: day.fills.slice(0, 20) });
  saveRun(at('damaged'), day);
  const file = join(at('damaged'), 'fills.csv.gz');
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  saveRun(at('unbalanced'), { ...day, residual: 5n as typeof day.residual });
});
afterAll(() => rmSync(FOLDER, { recursive: true }));

test.each([
  ['text', ['report', at('a')], 0],
  ['diff', ['report', 'diff', at('a'), at('b'), '--exit-code'], 1],
  ['damaged', ['report', at('damaged')], 65],
  ['missing', ['report', at('nowhere')], 64],
  ['unwritable', ['report', at('a'), '--html', join(at('a'), 'record.json', 'such.html')], 64],
])('report: %s', async (name, args, exitCode) => {
  const ended = await ballast(args);
  expect(ended.exitCode).toBe(exitCode);
  await expect(picture(args, ended).replaceAll(FOLDER, '<folder>')).toMatchFileSnapshot(
    snapshotFile(`report/${name}`),
  );
});

test('report --json ends with the document; a residual is a failure', async () => {
  const ended = await ballast(['report', at('unbalanced'), '--json']);
  expect(ended.exitCode).toBe(1);
  const document = JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
  expect(document).toMatchObject({ schema: 'ballast-report', version: 1, pnl: { residual: '0.000005' } });
});
