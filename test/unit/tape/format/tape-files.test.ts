import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTapeWriter, EVENT, openTape } from '../../../../src/tape/format/index.ts';
import { rowsOf } from '../../../../src/tape/tools/index.ts';
import { memoryTape } from '../../../support/memory-tape.ts';
import { START_US, someRows, tapeMarket, withTapeFolder } from './tapes.ts';

const MARKETS = [tapeMarket('BTC-USD'), tapeMarket('ETH-USD')];
const SOURCE = { kind: 'recorded', description: 'a test' };

/** A sealed tape of `count` rows. */
function writeTape(folder: string, count: number, sizes: { batchRows?: number; fileBytes?: number } = {}) {
  const writer = createTapeWriter({ folder, markets: MARKETS, source: SOURCE, ...sizes });
  for (const row of someRows(count, 2)) writer.write(row);
  return writer.close();
}

describe('a tape of rows', () => {
  test('gives back every row as it was written, over several batches and files', () =>
    withTapeFolder((folder) => {
      const manifest = writeTape(folder, 5_000, { batchRows: 300, fileBytes: 20_000 });
      const tape = openTape(folder);
      expect(manifest.files.length).toBeGreaterThan(2);
      expect([...rowsOf(tape.batches())]).toEqual(someRows(5_000, 2));
      expect([...rowsOf(tape.batches())]).toHaveLength(5_000);
      expect(tape).toMatchObject({ rows: 5_000, fromUs: START_US, hash: manifest.hash, truncated: [] });
      expect(tape.toUs).toBe(START_US + 1_666 * 1_500);
      expect(tape.markets).toEqual(MARKETS);
    }));

  test('counts rows by market and kind', () =>
    withTapeFolder((folder) => {
      const { counts } = writeTape(folder, 8);
      expect(counts).toEqual({
        'BTC-USD': { bidLevel: 2, buyTrade: 2 },
        'ETH-USD': { askLevel: 2, mark: 2 },
      });
    }));

  test('has the same hash for the same rows, and another for another tick size', () =>
    withTapeFolder((folder) => {
      const hashes = ['a', 'b'].map((name) => writeTape(join(folder, name), 100).hash);
      expect(hashes[0]).toBe(hashes[1]);
      const [btc = tapeMarket('')] = MARKETS;
      const other = [{ ...btc, priceDecimals: 2 }, tapeMarket('ETH-USD')];
      const writer = createTapeWriter({ folder: join(folder, 'c'), markets: other, source: SOURCE });
      for (const row of someRows(100, 2)) writer.write(row);
      expect(writer.close().hash).not.toBe(hashes[0]);
    }));

  test('reads a span of time alone: from inclusive, to exclusive', () =>
    withTapeFolder((folder) => {
      writeTape(folder, 3_000, { batchRows: 100, fileBytes: 10_000 });
      const range = { fromUs: START_US + 300_000, toUs: START_US + 900_000 };
      const expected = someRows(3_000, 2).filter(
        (row) => row.exchangeUs >= range.fromUs && row.exchangeUs < range.toUs,
      );
      expect([...rowsOf(openTape(folder).batches(range))]).toEqual(expected);
      expect([...rowsOf(memoryTape(MARKETS, someRows(3_000, 2)).batches(range))]).toEqual(expected);
    }));

  test('holds no rows at all without a fault', () =>
    withTapeFolder((folder) => {
      expect(writeTape(folder, 0)).toMatchObject({ rows: 0, files: [] });
      expect([...rowsOf(openTape(folder).batches())]).toEqual([]);
    }));

  test('keeps the values of custom feeds beside their rows', () =>
    withTapeFolder((folder) => {
      const writer = createTapeWriter({ folder, markets: MARKETS, feeds: ['mood'], source: SOURCE });
      const at = { flags: 1, market: 0, exchangeUs: 5, receivedUs: 6, price: 0, size: 0 };
      for (const value of ['{"mood":1}', '{"mood":"ö"}'])
        writer.write({ kind: EVENT.feed, ...at, id: writer.feedLine(value) });
      expect(writer.close().counts).toEqual({ 'feed:mood': { feed: 2 } });
      expect(openTape(folder).feedLine(1)).toBe('{"mood":"ö"}');
      expect(() => openTape(folder).feedLine(2)).toThrow('line 2 of feeds.jsonl');
    }));

  test.each([
    ['a time that falls', { exchangeUs: 9 }, 'not before 10'],
    ['a fraction of a microsecond', { exchangeUs: 10.5 }, 'whole microseconds'],
    ['a price above 2^32 - 1', { price: 2 ** 32 }, 'a price in ticks'],
    ['a price below zero', { price: -1 }, 'a price in ticks'],
    ['a size that is not safe', { size: 2 ** 53 }, 'safe integers'],
    ['a market that is not there', { market: 2 }, 'the place of a market'],
    ['a feed that is not there', { kind: EVENT.feed }, 'the place of a market or feed'],
  ])('refuses %s', (_what, change, message) =>
    withTapeFolder((folder) => {
      const writer = createTapeWriter({ folder, markets: MARKETS, source: SOURCE });
      const row = {
        kind: EVENT.mark,
        flags: 1,
        market: 0,
        exchangeUs: 10,
        receivedUs: 10,
        price: 1,
        size: 1,
        id: 0,
      };
      writer.write(row);
      expect(() => writer.write({ ...row, ...change })).toThrow(message);
      writer.close();
    }),
  );

  test('is never written over another', () =>
    withTapeFolder((folder) => {
      writeTape(folder, 3);
      expect(() => writeTape(folder, 3)).toThrow(expect.objectContaining({ code: 'TAPE_EXISTS' }));
    }));
});

describe('a tape that is not whole', () => {
  test('is read to its last whole batch when its writer was killed, and says what is missing', () =>
    withTapeFolder((folder) => {
      const writer = createTapeWriter({ folder, markets: MARKETS, source: SOURCE, batchRows: 30 });
      for (const row of someRows(100, 2)) writer.write(row);
      const path = join(folder, 'events-00001.arrow');
      const whole = readFileSync(path);
      expect(openTape(folder)).toMatchObject({ rows: 90, truncated: [{ cutBytes: 0 }] });

      truncateSync(path, whole.length - 5);
      const tape = openTape(folder);
      expect(tape.rows).toBe(60);
      expect(tape.manifest.sealed).toBe(false);
      expect(tape.truncated[0]).toMatchObject({
        name: 'events-00001.arrow',
        what: 'a batch is missing after batch 2',
      });
      expect([...rowsOf(tape.batches())]).toEqual(someRows(60, 2));

      writeFileSync(path, whole.subarray(0, 3));
      expect(openTape(folder)).toMatchObject({ rows: 0 });
    }));

  test('is refused with file and place when one byte of it changed, whichever', () =>
    withTapeFolder((folder) => {
      writeTape(folder, 20, { batchRows: 10 });
      for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        const bytes = readFileSync(path);
        for (let at = 0; at < bytes.length; at += 19) {
          const changed = Buffer.from(bytes);
          changed.writeUInt8(bytes.readUInt8(at) ^ 4, at);
          writeFileSync(path, changed);
          expect(() => [...rowsOf(openTape(folder).batches())], `${name}, byte ${at}`).toThrow(name);
        }
        writeFileSync(path, bytes);
      }
      expect([...rowsOf(openTape(folder).batches())]).toHaveLength(20);
    }));

  test.each([
    [
      'foreign',
      (folder: string) => rmSync(join(folder, 'manifest.json')),
      'TAPE_NOT_RECOGNIZED',
      'got no manifest.json',
    ],
    [
      'foreign',
      (folder: string) => change(folder, 'ballast-tape', 'other'),
      'TAPE_NOT_RECOGNIZED',
      'expected the manifest of a tape',
    ],
    [
      'of a later version',
      (folder: string) => change(folder, '"version": 2', '"version": 3'),
      'TAPE_VERSION_UNKNOWN',
      'version 3',
    ],
    ['half written', (folder: string) => change(folder, '"hash"', ''), 'TAPE_DAMAGED', 'expected JSON'],
    [
      'without a file',
      (folder: string) => rmSync(join(folder, 'events-00001.arrow')),
      'TAPE_DAMAGED',
      'expected a file, got nothing',
    ],
    [
      'cut short',
      (folder: string) => truncateSync(join(folder, 'events-00001.arrow'), 500),
      'TAPE_DAMAGED',
      'got 500',
    ],
    [
      'longer than it was',
      (folder: string) => appendFileSync(join(folder, 'events-00001.arrow'), 'x'),
      'TAPE_DAMAGED',
      'bytes, got',
    ],
  ])('is refused when it is %s', (_what, damage, code, message) =>
    withTapeFolder((folder) => {
      writeTape(folder, 20);
      damage(folder);
      expect(() => openTape(folder)).toThrow(expect.objectContaining({ code }));
      expect(() => openTape(folder)).toThrow(message);
    }),
  );
});

function change(folder: string, from: string, to: string): void {
  const path = join(folder, 'manifest.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}

describe('memoryTape', () => {
  test('has the rows, the counts and the face of a tape on disk', () =>
    withTapeFolder((folder) => {
      writeTape(folder, 200);
      const tape = memoryTape(MARKETS, someRows(200, 2));
      const onDisk = openTape(folder);
      expect([...rowsOf(tape.batches())]).toEqual([...rowsOf(onDisk.batches())]);
      expect(tape.manifest.counts).toEqual(onDisk.manifest.counts);
      expect(tape).toMatchObject({ rows: 200, fromUs: onDisk.fromUs, toUs: onDisk.toUs, markets: MARKETS });
      expect(tape.hash).toBe(memoryTape(MARKETS, someRows(200, 2)).hash);
      expect(tape.hash).not.toBe(memoryTape(MARKETS, someRows(201, 2)).hash);
    }));
});
