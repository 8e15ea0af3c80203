/**
 * Symptom: when the disk was full, `ballast import`, `tape slice`, `tape merge` and `tape export` ended as a bug with their
 * stack, as did `tape verify --repair`, `init` and `new strategy`, a sweep died of an exception that nobody caught, and half
 * a page, calibration or project was left.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { writing } from '../../src/cli/terminal/writing.ts';
import { BotError } from '../../src/core/index.ts';
import { createThreadPool } from '../../src/research/sweep/thread-pool.ts';
import type { SweepJob } from '../../src/research/sweep/types.ts';
import { createTapeWriter, repairTape } from '../../src/tape/format/index.ts';
import { verifyTape } from '../../src/tape/tools/index.ts';
import { shellEnd } from '../support/ballast-process.ts';
import { someRows, tapeMarket } from '../unit/tape/format/tapes.ts';

function aPlace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-full-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const urlOf = (path: string): string => JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);

/** Makes a tape, and a text of another one, where files may not become larger than 8 KiB. */
const SCRIPT = `
process.on('SIGXFSZ', () => undefined);
const [folder, whole] = process.argv.slice(1);
const { makeTape } = await import(${urlOf('../../src/tape/tools/make-tape.ts')});
const { exportTape } = await import(${urlOf('../../src/tape/tools/export-tape.ts')});
const { someRows, tapeMarket } = await import(${urlOf('../unit/tape/format/tapes.ts')});
const options = { markets: [tapeMarket('BTC-USD')], source: { kind: 'test', description: '' } };
const fill = (rows) => (writer) => { for (const row of someRows(rows)) writer.write(row); };
const endOf = async (work) => { try { await work(); return 'written'; } catch (error) { return error.code + ' ' + error.message; } };
makeTape({ folder: whole, ...options }, fill(200));
console.log(await endOf(() => makeTape({ folder, ...options }, fill(5_000))));
console.log(await endOf(() => exportTape({ tape: whole, format: 'csv', out: folder + '.csv' })));
`;

test('a tape that does not fit is an error with a name, and leaves nothing', () => {
  const folder = aPlace();
  const out = join(folder, 'tape');
  // In blocks of 512 bytes.
  const limited = ['-c', 'ulimit -f 16; exec "$0" "$@"', process.execPath];
  const args = ['--input-type=module', '-e', SCRIPT, out, join(folder, 'whole')];
  const told = execFileSync('sh', [...limited, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: undefined },
  });
  expect(told.trim().split('\n')).toEqual([
    expect.stringMatching(`^TAPE_FILE_UNWRITABLE expected to write ${out}, but EFBIG`),
    expect.stringMatching(`^TAPE_FILE_UNWRITABLE expected to write ${out}.csv, but EFBIG`),
  ]);
  expect([existsSync(out), existsSync(`${out}.csv`)]).toEqual([false, false]);
});

test('a repair that cannot be written is an error with a name, and can be made later', () => {
  const folder = join(aPlace(), 'tape');
  const source = { kind: 'test', description: '' };
  const writer = createTapeWriter({ folder, markets: [tapeMarket('BTC-USD')], source, batchRows: 10 });
  for (const row of someRows(35)) writer.write(row);
  const before = verifyTape(folder);
  // Stands in for missing rights and for a full disk.
  const inTheWay = join(folder, 'events-00001.arrow.next');
  mkdirSync(inTheWay);
  expect(() => repairTape(folder)).toThrow(/^expected to write .*tape, but EISDIR/);
  rmSync(inTheWay, { recursive: true });
  expect(verifyTape(folder)).toEqual(before);
  repairTape(folder);
  expect(verifyTape(folder)).toMatchObject({ sealed: true, rows: before.rows, findings: [], truncated: [] });
});

test.each([
  ['init bot', 4],
  ['init bot --template bars', 2],
  ['new strategy my-maker', 4],
  ['new strategy my-maker --template taker', 2],
])('%s that does not fit is an error with a name, and leaves no file', async (command, blocks) => {
  const folder = aPlace();
  // The compile cache of Node is written too, and goes without.
  const { exitCode, stderr } = await shellEnd(`ulimit -f ${blocks}; "$0" "$1" ${command}`, { cwd: folder });
  expect(stderr).toMatch(/^ballast: REPORT_FILE_UNWRITABLE: expected to write .*, got EFBIG/);
  expect(exitCode).toBe(1);
  const left = readdirSync(folder, { recursive: true, withFileTypes: true });
  expect(left.filter((one) => one.isFile())).toEqual([]);
  expect(readdirSync(folder)).not.toContain('keys');
});

test('a file is written into a folder that is not there yet', () => {
  const path = join(aPlace(), 'not', 'yet', 'page.html');
  writing(path, () => writeFileSync(path, 'a page'));
  expect(existsSync(path)).toBe(true);
});

test('a file that was begun is taken away, one that was there is not', () => {
  const folder = aPlace();
  const half = (path: string) => () =>
    writing(path, () => {
      writeFileSync(path, 'half');
      throw new Error('ENOSPC: no space left on device');
    });
  expect(half(join(folder, 'new'))).toThrow(/expected to write .*new, got ENOSPC/);
  expect(existsSync(join(folder, 'new'))).toBe(false);
  writeFileSync(join(folder, 'old'), 'mine');
  expect(half(join(folder, 'old'))).toThrow(BotError);
  expect(existsSync(join(folder, 'old'))).toBe(true);
});

test('a result that cannot be kept ends a sweep, not the process', async () => {
  const worker = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ key }) => parentPort.postMessage({ key, failure: 'none' }));`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(worker)}`);
  const pool = createThreadPool({ url, data: undefined, workers: 2 });
  const jobs = ['a', 'b', 'c'].map(
    (key): SweepJob => ({ key, parameters: {}, window: 0, part: 'train', fromMs: 0, toMs: 1 }),
  );
  const kept = pool.run(jobs, () => {
    throw new Error('no space left on device');
  });
  await expect(kept).rejects.toThrow('no space left on device');
  await pool.close();
});
