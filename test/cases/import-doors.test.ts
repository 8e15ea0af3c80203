/** @module Cases of files that were not read, or read without checks: each command of a case gives what its page expects. */
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportResult } from '../../src/tape/importers/index.ts';
import { aCase, type CaseFolder } from '../support/case-folder.ts';
import { hasShared } from '../support/shared.ts';

const LINE_END = Buffer.from('\n');

/** The keys and methods in the files of cases by what they are called today. */
const NAMES = {
  'positionMaxOfCapital: 3': 'maxPositionNotional: 300%',
  'takerFee:': 'takerFeeBps:',
  'makerFee:': 'makerFeeBps:',
  sizeOf: 'lotsOf',
};

/** A case over bars whose configuration and strategy have the names of today. */
function aCaseOfBars(name: string): CaseFolder {
  const scene = aCase(name);
  for (const file of ['hold.yaml', 'scripted.ts']) {
    const path = join(scene.folder, file);
    const text = Object.entries(NAMES).reduce(
      (written, [before, now]) => written.replace(before, now),
      readFileSync(path, 'utf8'),
    );
    // Files of a case may not be written.
    rmSync(path);
    writeFileSync(path, text);
  }
  return scene;
}

async function imported({ run }: CaseFolder, ...args: readonly string[]): Promise<ImportResult> {
  const { exitCode, stdout, stderr } = await run('import', ...args, '--json');
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as ImportResult;
}

async function refused({ run }: CaseFolder, args: readonly string[], exitCode = 65): Promise<string> {
  const ended = await run(...args);
  expect(ended.exitCode).toBe(exitCode);
  return ended.stderr;
}

describe.skipIf(!hasShared('cases'))('cases of the doors of imports', () => {
  test('F12: a byte order mark is read over', async () => {
    const scene = aCase('F12');
    const trades = await imported(scene, 'csv', 'marked', '--mapping', 'trades.yaml', '--out', 'tape');
    expect(trades).toMatchObject({ rows: 200, counts: {} });
    const candles = await imported(scene, 'binance-candles', 'BTCUSDT_1m.csv', '--out', 'tape2');
    expect(candles).toMatchObject({ rows: 32, counts: {} });
  });

  test('F14: candles of format csv that overlap are refused, and those in order taken', async () => {
    const scene = aCase('F14');
    const args = ['import', 'csv', 'overlap', '--mapping', 'candles.yaml', '--out', 'tape'];
    expect(await refused(scene, args)).toMatch(
      /TAPE_LINE_MALFORMED: expected candles .* at overlap\/c\.csv:32, got/,
    );
    const good = await imported(scene, 'csv', 'good', '--mapping', 'candles.yaml', '--out', 'tape2');
    expect(good).toMatchObject({ rows: 240, counts: {} });
  });

  test('F15: candles in microseconds are read', async () => {
    const { rows, fromUs, toUs } = await imported(
      aCase('F15'),
      'binance-candles',
      'BTCUSDT_1m.csv',
      '--out',
      'tape',
    );
    expect({ rows, fromUs, toUs }).toEqual({ rows: 20, fromUs: 1735689660000000, toUs: 1735689900000000 });
  });

  test('F16: numbers beyond the range say what is too large', async () => {
    const scene = aCaseOfBars('F16');
    const errorOf = (...more: readonly string[]) => refused(scene, ['bars', 'hold.yaml', '--csv', ...more]);
    const noise = await errorOf('noise.csv');
    expect(noise).toMatch(
      /a size up to 9\.007199254740991 with 15 decimals \(2\^53 - 1 lots\) at noise.csv:2, column volume/,
    );
    expect(noise).toContain('At most 14 decimals fit');
    for (const name of ['pnoise60k.csv', 'p5.csv']) {
      const words = await errorOf(name, '--size-decimals', '2');
      expect(words).toMatch(
        /a price above zero up to [0-9.]+ with \d+ decimals \(2\^32 - 1 ticks\) at .*:2, column open/,
      );
      expect(words).toContain('At most 4 decimals fit');
    }
    // What the remedy says works.
    const path = join(scene.folder, 'noise.csv');
    const written = readFileSync(path, 'utf8');
    writeFileSync(
      join(scene.folder, 'fewer.csv'),
      written.replaceAll('12.300000000000001', '12.30000000000000'),
    );
    const { exitCode, stderr } = await scene.run('bars', 'hold.yaml', '--csv', 'fewer.csv');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  test('F17: dates that do not exist are refused in files and options', async () => {
    const scene = aCaseOfBars('F17');
    const bars = ['bars', 'hold.yaml', '--size-decimals', '4', '--csv'];
    expect(await refused(scene, [...bars, 'feb30.csv'])).toMatch(
      /BARS_VALUE_INVALID: .* at feb30\.csv:3, .*got "2026-02-29"/,
    );
    expect(await refused(scene, [...bars, 'base.csv', '--from', '2026-02-30T00:00:00Z'], 64)).toMatch(
      /--from: expected a time .* that exists/,
    );
  });

  test('F19: bars above 512 MB are read, or refused with their line', { timeout: 120_000 }, async () => {
    const scene = aCaseOfBars('F19');
    const base = readFileSync(join(scene.folder, 'base.csv'), 'utf8');
    const zeros = join(scene.folder, 'zeros.csv');
    writeFileSync(zeros, base);
    truncateSync(zeros, 600 * 1024 * 1024);
    expect(await refused(scene, ['bars', 'hold.yaml', '--csv', 'zeros.csv'])).toMatch(
      /BARS_VALUE_INVALID: expected text at zeros.csv:8, got a byte of zero/,
    );
    const big = join(scene.folder, 'big.csv');
    const [head = '', ...rows] = base.trimEnd().split('\n');
    const blank = Buffer.concat([Buffer.alloc(1024 * 1024, ' '), LINE_END]);
    writeFileSync(big, `${head},note\n`);
    // Blank lines of a MB between the hours: 540 MB.
    for (const row of rows) {
      for (let megabyte = 0; megabyte < 90; megabyte++) appendFileSync(big, blank);
      appendFileSync(big, `${row},\n`);
    }
    const { exitCode, stderr } = await scene.run(
      ...['bars', 'hold.yaml', '--csv', 'big.csv', '--price-decimals', '0', '--size-decimals', '4'],
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  test('F22: a file that is named twice is read once', async () => {
    const args = ['csv', 'trades', 'trades/t.csv', '--mapping', 'noid.yaml', '--out', 'tape'];
    expect(await imported(aCase('F22'), ...args)).toMatchObject({ rows: 200, counts: { filesRepeated: 1 } });
  });

  test('N8: spot through binance-um names its format', async () => {
    const scene = aCase('N8');
    const frame = { e: 'depthUpdate', E: 1_767_657_600_000, s: 'BTCUSDT', U: 1, u: 2, b: [], a: [] };
    const text = `1767657600001 ${JSON.stringify({ stream: 'btcusdt@depth', data: frame })}\n`;
    writeFileSync(join(scene.folder, 'btcusdt_20260106'), text);
    expect(await refused(scene, ['import', 'binance-um', 'btcusdt_20260106', '--out', 'tape'])).toMatch(
      /TAPE_FORMAT_MISTAKEN: .*ballast import binance-spot btcusdt_20260106 --out tapes\/btcusdt_20260106/s,
    );
  });
});
