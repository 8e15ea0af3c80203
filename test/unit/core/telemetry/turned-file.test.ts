import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../../src/core/telemetry/index.ts';

function aFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-turned-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'bot.log');
}

const linesOf = (file: string): readonly number[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number(JSON.parse(line).n));

test('a log is put aside when it is large; so many are kept, and no line is lost between two', () => {
  const file = aFile();
  const log = createLog({ level: 'info', file, isPretty: false, maxBytes: 2_000, keptFiles: 3 });
  for (let n = 0; n < 100; n++) log.info('a line', { n });
  const names = readdirSync(join(file, '..')).toSorted();
  expect(names).toEqual(['bot.log', 'bot.log.1', 'bot.log.2', 'bot.log.3']);
  const kept = ['.3', '.2', '.1', ''].flatMap((end) => linesOf(`${file}${end}`));
  const first = kept[0] ?? -1;
  expect(kept).toEqual(Array.from({ length: 100 - first }, (_, at) => first + at));
  expect(statSync(`${file}.1`).size).toBeLessThan(2_400);
  // A log that was large already is put aside with its first line.
  createLog({ level: 'info', file: `${file}.1`, isPretty: false, maxBytes: 10, keptFiles: 1 }).info('a', {
    n: 1,
  });
  expect(existsSync(`${file}.1.1`)).toBe(true);
});

test('another process goes on in the new file', () => {
  const file = aFile();
  const own = createLog({ level: 'info', file, isPretty: false, maxBytes: 2_000 });
  const other = createLog({ level: 'info', file, isPretty: false, maxBytes: 1, isFollower: true });
  for (let n = 0; n < 100; n++) {
    own.info('a line', { n });
    other.info('of the other', { n: 1_000 + n });
  }
  const before = linesOf(file).length;
  for (let n = 0; n < 11; n++) other.info('of the other', { n: 2_000 });
  expect(linesOf(file).length).toBeGreaterThan(before);
  // It never puts aside itself.
  expect(existsSync(`${file}.6`)).toBe(false);
});

test('without a size nothing is put aside', () => {
  const file = aFile();
  const log = createLog({ level: 'info', file, isPretty: false });
  for (let n = 0; n < 200; n++) log.info('a line', { n });
  expect(readdirSync(join(file, '..'))).toEqual(['bot.log']);
});
