import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readControl, writeControl } from '../../../../src/bot/operator/control-file.ts';
import { findRun, type ListedRun, listedRuns, listRun } from '../../../../src/bot/operator/run-list.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-runs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const aRun = (runId: string, startedAtMs: number, more: Partial<ListedRun> = {}): ListedRun => ({
  ...{ runId, name: 'maker', mode: 'live', environment: 'test', config: '/c.yaml', folder: `/runs/${runId}` },
  ...{ processId: 1, startedAtMs },
  ...more,
});
const ended = { atMs: 9, reason: 'ann: done', isProven: true };

test('runs are listed newest first, in files of their owner, and what is no run is left out', () => {
  const folder = join(aFolder(), 'state', 'runs');
  expect(listedRuns(folder)).toEqual([]);
  listRun(folder, aRun('a', 1));
  listRun(folder, aRun('b', 2, { ended }));
  writeFileSync(join(folder, 'torn.json'), '{"runId":');
  writeFileSync(join(folder, 'other.json'), '{"runId":"x"}');
  expect(listedRuns(folder).map(({ runId }) => runId)).toEqual(['b', 'a']);
  expect(statSync(join(folder, 'a.json')).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a name means its newest run that goes on, else the newest; latest and ids are as they say', () => {
  const folder = aFolder();
  listRun(folder, aRun('a', 1));
  listRun(folder, aRun('b', 2, { ended }));
  listRun(folder, aRun('c', 3, { name: 'hedge', ended }));
  listRun(folder, aRun('d', 4, { name: 'hedge', ended }));
  // Its process is gone without an end.
  listRun(folder, aRun('killed', 0, { name: 'hedge', processId: 2 ** 30 }));
  expect(findRun(folder, 'maker').runId).toBe('a');
  expect(findRun(folder, 'hedge').runId).toBe('d');
  expect(findRun(folder, 'b').runId).toBe('b');
  // The newest that goes on: who asks for the latest asks for what runs.
  expect(findRun(folder, 'latest').runId).toBe('a');
  listRun(folder, aRun('a', 1, { ended }));
  expect(findRun(folder, 'latest').runId).toBe('d');
  expect(findRun(folder, 'killed').runId).toBe('killed');
  expect(() => findRun(folder, 'makr')).toThrow(/known are hedge, maker; most like it: maker/);
});

test('of many runs that ended the newest are kept, and every one that goes on', () => {
  const folder = aFolder();
  listRun(folder, aRun('old', 0));
  for (let at = 1; at <= 205; at++) listRun(folder, aRun(`r${at}`, at, { ended }));
  const runs = listedRuns(folder);
  expect(runs.length).toBe(201);
  expect(runs.at(-1)?.runId).toBe('old');
  expect(runs[0]?.runId).toBe('r205');
});

test('the token is in a file of its owner, and is sent to no other machine', () => {
  const folder = join(aFolder(), 'run');
  expect(readControl(folder, 'control')).toBeUndefined();
  const control = { runId: 'a', baseUrl: 'http://127.0.0.1:4711', token: 'b'.repeat(64) };
  writeControl(folder, 'control', control);
  expect(statSync(join(folder, 'control.json')).mode & 0o777).toBe(0o600);
  expect(readControl(folder, 'control')).toEqual(control);
  for (const baseUrl of [
    'http://evil.example:80',
    'http://127.0.0.1:1@evil.example',
    'https://127.0.0.1:1',
    7,
  ]) {
    writeFileSync(join(folder, 'control.json'), JSON.stringify({ ...control, baseUrl }));
    expect(() => readControl(folder, 'control')).toThrow(/OPERATOR_CONTROL_UNREADABLE|something else/);
  }
});
