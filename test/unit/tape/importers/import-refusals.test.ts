/** @module Recordings that cannot be imported: the error names file, line, what was expected and found; no tape is left. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecordingFormat } from '../../../../src/tape/format/index.ts';
import { importTape } from '../../../../src/tape/importers/index.ts';
import { aFolder, aSnapshotLine, aTradeLine, packed } from './recordings.ts';

/** A place for a tape that is not there yet. */
function anOut(): string {
  const folder = mkdtempSync(join(tmpdir(), 'out-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'tape');
}

async function refusal(format: RecordingFormat, folder: string, out = anOut()): Promise<string> {
  try {
    await importTape({ format, paths: [folder], out, locked: 'separate' });
  } catch (thrown) {
    return String(thrown);
  }
  return 'imported';
}

describe('importTape', () => {
  test('names the line before which a truncated file ends, and takes the half-written tape away', async () => {
    const trades = Array.from({ length: 500 }, (_, at) =>
      aTradeLine({ t: at + 1, p: `10${at % 7}.${at % 10}0` }),
    );
    const whole = packed([aSnapshotLine(), ...trades]);
    const folder = aFolder({ 'btcusdt_20240101.gz': whole.slice(0, whole.length - 12) });
    const out = anOut();
    expect(await refusal('binance-um', folder, out)).toMatch(
      /expected a whole file, got a truncated or damaged one after .*btcusdt_20240101.gz:\d+/,
    );
    expect(existsSync(out)).toBe(false);
  });

  test('refuses a file that is not what its name says', async () => {
    const folder = aFolder({ 'btcusdt_20240101.gz': new TextEncoder().encode('hello') });
    expect(await refusal('binance-um', folder)).toMatch(
      /expected a receive time, .*_20240101.gz:1, got "hello"/,
    );
    const nothing = aFolder({ 'btcusdt_20240101.gz': new Uint8Array() });
    expect(await refusal('binance-um', nothing)).toMatch(/expected a whole file, got a truncated/);
    const csv = aFolder({ 'trade.csv.gz': ['time,price', '1,2'] });
    expect(await refusal('gemini', csv)).toMatch(
      /expected the column time_seconds as number 1 at .*trade.csv.gz:1, got "time"/,
    );
  });

  test('refuses a folder of another format and says what it looked for and what is there', async () => {
    const folder = aFolder({ 'btcusdt_20240101.gz': [aSnapshotLine()] });
    expect(await refusal('standx', folder)).toMatch(
      /expected files named book_<yyyy-mm-dd>_<hh>.csv.gz or .* got btcusdt_20240101.gz/,
    );
    expect(await refusal('standx', join(folder, 'nothing'))).toMatch(/got nothing readable/);
  });

  test('names the cell that is no number', async () => {
    const head = 'time_seconds,price,size,is_buyer_maker';
    const folder = aFolder({ 'trade.csv.gz': [head, '1625097621.647,2278.15,0.04,1', '1625097622,NaN,1,0'] });
    expect(await refusal('gemini', folder)).toMatch(
      /expected a price above zero with at most 2 decimals at .*trade.csv.gz:3.*, got "NaN"/,
    );
  });

  test('refuses bars that overlap', async () => {
    const head = 'ts_ms,open,high,low,close,volume';
    const folder = aFolder({ 'BTC_1m.csv.gz': [head, '1735689600000,1,1,1,1,1', '1735689630000,1,1,1,1,1'] });
    expect(await refusal('binance-candles', folder)).toMatch(
      /expected candles of 60000 ms, one after the other, from 2025-01-01T00:01:00.000Z on at .*BTC_1m.csv.gz:3/,
    );
  });

  test('never writes over anything', async () => {
    const folder = aFolder({ 'btcusdt_20240101.gz': [aSnapshotLine()] });
    const out = mkdtempSync(join(tmpdir(), 'taken-'));
    onTestFinished(() => rmSync(out, { recursive: true, force: true }));
    writeFileSync(join(out, 'mine.txt'), 'kept');
    expect(await refusal('binance-um', folder, out)).toMatch(
      /expected a new or empty folder .* such as mine.txt/,
    );
    expect(existsSync(join(out, 'mine.txt'))).toBe(true);
  });

  test('says of a folder that cannot be made why, and not that a tape is there', async () => {
    const folder = aFolder({ 'btcusdt_20240101.gz': [aSnapshotLine()] });
    const out = join(folder, 'btcusdt_20240101.gz', 'tape');
    expect(await refusal('binance-um', folder, out)).toMatch(/expected to write .*tape, but ENOTDIR/);
  });
});
