import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deletable, leftRuns } from '../../../../src/bot/live/output/left-files.ts';
import { keepTidy } from '../../../../src/bot/live/output/retention.ts';
import { type ListedRun, listedRuns } from '../../../../src/bot/operator/index.ts';
import { listRun } from '../../../../src/bot/operator/run-list.ts';
import { observedLog, silentLog, VirtualClock } from '../../../../src/core/index.ts';
import { until } from '../../../support/processes.ts';

const NOW_MS = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const NONE = { tapes: {}, runLogs: {}, records: {} };
const FILES = { tapes: 'raw-1.jsonl', runLogs: 'log.jsonl', records: 'record.json' } as const;

const aRun = (runId: string, daysAgo: number, changes: Partial<ListedRun> = {}): ListedRun => ({
  ...{ runId, name: 'maker', mode: 'live', environment: 'test', config: '/maker.yaml', folder: '' },
  ...{ processId: 1, startedAtMs: NOW_MS - daysAgo * DAY_MS },
  ended: { atMs: NOW_MS - daysAgo * DAY_MS, reason: 'SIGTERM', isProven: true },
  ...changes,
});

/** Folders of runs with a megabyte of each kind, as old as the run. */
function aHome(runs: readonly ListedRun[]) {
  const home = mkdtempSync(join(tmpdir(), 'ballast-keep-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const tapes = join(home, 'tapes');
  const list = join(home, 'ballast', 'runs');
  for (const run of runs) {
    mkdirSync(join(tapes, run.runId), { recursive: true });
    for (const name of [...Object.values(FILES), 'control.json']) {
      const file = join(tapes, run.runId, name);
      writeFileSync(file, Buffer.alloc(1_048_576));
      utimesSync(file, run.startedAtMs / 1_000, run.startedAtMs / 1_000);
    }
    listRun(list, run);
  }
  const has = (runId: string, kind: keyof typeof FILES) => existsSync(join(tapes, runId, FILES[kind]));
  return { home, tapes, list, has };
}

const OLD = 'aaaaaaaaaa1';
const MIDDLE = 'aaaaaaaaaa2';
const NEW = 'aaaaaaaaaa3';

describe('what runs have left', () => {
  test('stays without a rule', () => {
    const { tapes, list } = aHome([aRun(OLD, 900), aRun(NEW, 1)]);
    expect(deletable(leftRuns(tapes, listedRuns(list), NOW_MS), NONE, NOW_MS)).toEqual([]);
  });

  test('goes by age, each kind by its own', () => {
    const { tapes, list } = aHome([aRun(OLD, 40), aRun(MIDDLE, 10), aRun(NEW, 1)]);
    const keep = { ...NONE, tapes: { age: 5 * DAY_MS }, records: { age: 30 * DAY_MS } };
    const gone = deletable(leftRuns(tapes, listedRuns(list), NOW_MS), keep, NOW_MS);
    expect(gone.map(({ path }) => path.slice(tapes.length + 1)).toSorted()).toEqual(
      [`${OLD}/raw-1.jsonl`, `${MIDDLE}/raw-1.jsonl`, `${OLD}/record.json`].toSorted(),
    );
  });

  test('goes by size, the oldest first', () => {
    const { tapes, list } = aHome([aRun(OLD, 40), aRun(MIDDLE, 10), aRun(NEW, 1)]);
    const gone = deletable(
      leftRuns(tapes, listedRuns(list), NOW_MS),
      { ...NONE, tapes: { sizeMb: 2 } },
      NOW_MS,
    );
    expect(gone.map(({ path }) => path.slice(tapes.length + 1))).toEqual([`${OLD}/raw-1.jsonl`]);
  });

  test('stays of a run that goes on, died or is not proven, until a later run of the bot has a proven end', () => {
    const unproven = aRun(MIDDLE, 10, { ended: { atMs: 1, reason: 'x', isProven: false } });
    const { ended: _ended, ...died } = aRun(OLD, 40);
    const other = aRun(NEW, 1, { name: 'taker' });
    const neededOf = (...listed: readonly ListedRun[]) => {
      const { tapes: folder } = aHome(listed);
      return leftRuns(folder, listed, NOW_MS).map(({ runId, isNeeded }) => [runId, isNeeded]);
    };
    expect(neededOf(died, unproven, other)).toEqual([
      [OLD, true],
      [MIDDLE, true],
      [NEW, false],
    ]);
    expect(neededOf(died, unproven, aRun(NEW, 1))).toEqual([
      [OLD, false],
      [MIDDLE, false],
      [NEW, false],
    ]);
    const { tapes, list } = aHome([unproven]);
    const keep = { ...NONE, tapes: { age: DAY_MS, sizeMb: 1 } };
    expect(deletable(leftRuns(tapes, listedRuns(list), NOW_MS), keep, NOW_MS)).toEqual([]);
  });

  test('of a run that is on no list stays while the run writes', () => {
    const { tapes } = aHome([aRun(OLD, 0), aRun(NEW, 1)]);
    const keep = { ...NONE, runLogs: { sizeMb: 1 }, tapes: { age: 1 } };
    expect(leftRuns(tapes, [], NOW_MS).map(({ runId, isNeeded }) => [runId, isNeeded])).toEqual([
      [OLD, true],
      [NEW, false],
    ]);
    expect(deletable(leftRuns(tapes, [], NOW_MS), keep, NOW_MS).map(({ path }) => path)).toEqual([
      join(tapes, NEW, FILES.tapes),
      join(tapes, NEW, FILES.runLogs),
    ]);
  });

  test('is a record where explanations and attestations are made of it', () => {
    const { tapes, list } = aHome([aRun(OLD, 40)]);
    for (const name of ['run.json', 'maker.journal.sqlite']) writeFileSync(join(tapes, OLD, name), '');
    const [run] = leftRuns(tapes, listedRuns(list), NOW_MS);
    const kinds = run?.files.map(({ path, kind }) => [path.slice(tapes.length + OLD.length + 2), kind]);
    expect(kinds).toEqual(
      expect.arrayContaining([
        ['run.json', 'records'],
        ['maker.journal.sqlite', 'records'],
        ['raw-1.jsonl', 'tapes'],
      ]),
    );
  });

  test('is deleted when a run begins and each hour, with a line that names it; nothing else is touched', async () => {
    const { home, tapes, has } = aHome([aRun(OLD, 40), aRun(MIDDLE, 4), aRun(NEW, 40)]);
    mkdirSync(join(tapes, 'my-own-tape'));
    writeFileSync(join(tapes, 'my-own-tape', 'raw-1.jsonl'), 'mine');
    utimesSync(join(tapes, 'my-own-tape', 'raw-1.jsonl'), 1, 1);
    const clock = new VirtualClock(NOW_MS);
    const lines: string[] = [];
    const log = observedLog(silentLog, (_level, message, fields) =>
      lines.push(`${message} ${JSON.stringify(fields)}`),
    );
    const keep = { ...NONE, tapes: { age: 5 * DAY_MS } };
    const options = { source: { config: { keep } }, clock, log, recordFolder: tapes, lockFolder: home };
    const end = keepTidy(options, NEW);
    await until('the first to be gone', async () => !has(OLD, 'tapes'), { withinMs: 20_000 });
    expect([has(MIDDLE, 'tapes'), has(NEW, 'tapes'), has(OLD, 'records'), has(OLD, 'runLogs')]).toEqual([
      ...[true, true, true, true],
    ]);
    expect(existsSync(join(tapes, OLD, 'control.json'))).toBe(true);
    expect(existsSync(join(tapes, 'my-own-tape', 'raw-1.jsonl'))).toBe(true);
    await until('its line', async () => lines.join('\n').includes(`${OLD}/raw-1.jsonl`), {
      withinMs: 20_000,
    });
    clock.moveTo(2 * DAY_MS);
    clock.step(2 * DAY_MS);
    await until('the second to be gone', async () => !has(MIDDLE, 'tapes'), { withinMs: 20_000 });
    end();
  });
});
