import { describe, expect, test } from 'vitest';
import { ConfigError, ProtocolError } from '../../../../src/core/index.ts';
import { openRecordedMarket } from '../../../../src/tape/importers/index.ts';
import { inspectRecording } from '../../../../src/tape/importers/open-recording.ts';
import { aBookRow, aFolder, all, aSnapshotLine, aStandxFolder, bookHeader, packed } from './recordings.ts';

const aBook = (atMs: number) => aBookRow(atMs, [['100', '1']], [['101', '1']]);

describe('inspectRecording', () => {
  test('tells Binance files by symbol in order of time', async () => {
    const folder = aFolder({
      'ethusdt_20240102.gz': [],
      'btcusdt_20240102.gz': [],
      'btcusdt_20240101.gz': [],
    });
    expect(await inspectRecording(folder)).toEqual({
      format: 'binance-um',
      symbols: new Map([
        ['BTCUSDT', [`${folder}/btcusdt_20240101.gz`, `${folder}/btcusdt_20240102.gz`]],
        ['ETHUSDT', [`${folder}/ethusdt_20240102.gz`]],
      ]),
    });
  });

  test.each([
    ['is empty', {}, 'was an empty folder'],
    ['holds something else', { 'notes.txt': [] }, 'was notes.txt'],
    ['holds trades without books', { 'trades_2026-01-06_08.csv.gz': [] }, 'was trades_2026-01-06_08.csv.gz'],
    ['holds both formats', { 'btcusdt_20240101.gz': [], 'book_2026-01-06_08.csv.gz': [] }, 'was book_2026'],
  ])('error: says what was expected of a folder that %s', async (_title, files, found) => {
    const refusal = await inspectRecording(aFolder(files)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ConfigError);
    expect(refusal).toMatchObject({
      code: 'TAPE_FOLDER_UNKNOWN',
      message: expect.stringContaining(found),
      remedy: expect.stringContaining('<symbol>_<yyyymmdd>.gz'),
    });
  });

  test('error: says of a tape that paper and backtests trade over it', async () => {
    await expect(
      inspectRecording(aFolder({ 'manifest.json': [], 'events-00001.arrow': [] })),
    ).rejects.toMatchObject({
      code: 'TAPE_FOLDER_UNKNOWN',
      remedy: expect.stringContaining('`ballast paper` and `ballast backtest` trade over'),
    });
  });

  test('error: names a folder that is not there', async () => {
    await expect(inspectRecording(`${aFolder({})}/none`)).rejects.toMatchObject({
      code: 'TAPE_FOLDER_UNREADABLE',
    });
  });
});

describe('openRecordedMarket', () => {
  test('takes the first symbol by alphabet, or the one that is asked for', async () => {
    const folder = aFolder({
      'ethusdt_20240101.gz': [aSnapshotLine()],
      'btcusdt_20240101.gz': [aSnapshotLine()],
    });
    expect((await openRecordedMarket(folder)).symbol).toBe('BTCUSDT');
    expect((await openRecordedMarket(folder, { symbol: 'ethusdt' })).symbol).toBe('ETHUSDT');
    await expect(openRecordedMarket(folder, { symbol: 'SOLUSDT' })).rejects.toThrowError(
      /^expected one of BTCUSDT, ETHUSDT in .*, was SOLUSDT$/,
    );
  });

  test('starts where it is told to and refuses a start outside of the recording', async () => {
    const folder = aStandxFolder([aBook(1000), aBook(2000), aBook(3000)]);
    const market = await openRecordedMarket(folder, { startAtMs: 2500 });
    expect((await all(market.events)).map(({ atMs }) => atMs)).toEqual([2500, 3000]);
    await expect(openRecordedMarket(folder, { startAtMs: 3001 })).rejects.toThrowError(
      'expected a start from 1000 to 3000 (Unix ms), was 3001',
    );
  });

  test('leaves out the hours before the start', async () => {
    const hour = Date.parse('2026-01-06T08:00:00Z');
    const damaged = packed([bookHeader, aBook(hour + 60), 'not a row']);
    const folder = aFolder({
      'book_2026-01-06_08.csv.gz': damaged,
      'book_2026-01-06_10.csv.gz': [bookHeader, aBook(hour + 7_200_000)],
      'book_2026-01-06_11.csv.gz': [bookHeader, aBook(hour + 10_800_000)],
    });
    const market = await openRecordedMarket(folder, { startAtMs: hour + 10_800_000 });
    expect((await all(market.events)).map(({ kind }) => kind)).toEqual(['levels', 'levels']);
  });

  test('error: names file and line of a torn file', async () => {
    const books = Array.from({ length: 400 }, (_, at) => aBook(1000 + 7 * at * at));
    const whole = packed([bookHeader, ...books]);
    const torn = whole.subarray(0, whole.length - 20);
    const refusal = await openRecordedMarket(aFolder({ 'book_2026-01-06_08.csv.gz': torn })).catch(
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(ProtocolError);
    expect(refusal).toMatchObject({
      code: 'TAPE_FILE_UNREADABLE',
      message: expect.stringMatching(
        /torn or damaged after .*book_2026-01-06_08.csv.gz:\d+ \(unexpected end/,
      ),
      remedy: expect.stringContaining('sha256'),
    });
  });

  test('error: reports a torn file in the middle when it is reached, after the whole ones', async () => {
    const later = packed([bookHeader, aBook(2000)]);
    const folder = aFolder({
      'book_2026-01-06_08.csv.gz': [bookHeader, aBook(1000)],
      'book_2026-01-06_09.csv.gz': later.subarray(0, later.length - 6),
      'book_2026-01-06_10.csv.gz': [bookHeader, aBook(3000)],
    });
    const market = await openRecordedMarket(folder);
    await expect(all(market.events)).rejects.toThrowError(/book_2026-01-06_09.csv.gz:\d+/);
  });

  test('error: says that a file is no gzip file', async () => {
    const folder = aFolder({ 'btcusdt_20240101.gz': Buffer.from('plain text') });
    await expect(openRecordedMarket(folder)).rejects.toThrowError(/incorrect header check/);
  });
});
