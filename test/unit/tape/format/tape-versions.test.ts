import { cpSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../src/core/index.ts';
import {
  createTapeWriter,
  type EventBatch,
  openTape,
  repairTape,
} from '../../../../src/tape/format/index.ts';
import { formatManifest, makeManifest, parseManifest } from '../../../../src/tape/format/manifest.ts';
import { exportTape, mergeTapes, rowsOf, sliceTape, verifyTape } from '../../../../src/tape/tools/index.ts';
import { START_US, someRows, tapeMarket, withTapeFolder } from './tapes.ts';

/** `someRows(60, 2)` in batches of 25, written by the code that knew version 1 alone. */
const VERSION_1 = join(import.meta.dirname, 'version-1');
const HASH_1 = '84c14e513990d84ed3796e6dccdfa73f71330722d795c47d6d31fea0201ce8ed';
const ROWS_NAME = 'events-00001.arrow';
const ROWS = someRows(60, 2);
const ZSTD_MAGIC = Buffer.of(0x28, 0xb5, 0x2f, 0xfd);
const SOURCE = { kind: 'recorded', description: 'a test' };

/** The same rows, or others, as they are written today. */
function writeToday(folder: string, rows = ROWS, symbols = ['BTC-USD', 'ETH-USD']): string {
  const markets = symbols.map(tapeMarket);
  const writer = createTapeWriter({ folder, markets, source: SOURCE, batchRows: rows === ROWS ? 25 : 200 });
  for (const row of rows) writer.write(row);
  writer.close();
  return folder;
}

/** A tape of version 1 whose writer was killed `cut` bytes before the end of its third batch. */
function truncatedVersion1(folder: string, cut: number): string {
  cpSync(VERSION_1, folder, { recursive: true });
  const path = join(folder, 'manifest.json');
  const manifest = parseManifest(readFileSync(path, 'utf8'), path);
  writeFileSync(path, formatManifest(makeManifest(manifest, [], { sealed: false, notes: [] })));
  // Behind the batches stand an end mark and the footer.
  const whole = openTape(folder).truncated[0]?.wholeBytes ?? 0;
  truncateSync(join(folder, ROWS_NAME), whole - cut);
  return folder;
}

describe('a tape of version 1', () => {
  test('has the rows and the hash that it had', () => {
    const tape = openTape(VERSION_1);
    expect(tape.hash).toBe(HASH_1);
    expect(tape.manifest.version).toBe(1);
    expect([...rowsOf(tape.batches())]).toEqual(ROWS);
    expect(verifyTape(VERSION_1)).toMatchObject({ hash: HASH_1, rows: 60, findings: [], truncated: [] });
  });

  test('is exported as the same rows of today', () =>
    withTapeFolder(async (folder) => {
      const today = writeToday(folder);
      for (const format of ['csv', 'jsonl'] as const) {
        const [a, b] = [join(folder, `a.${format}`), join(folder, `b.${format}`)];
        await exportTape({ tape: VERSION_1, format, out: a });
        await exportTape({ tape: today, format, out: b });
        expect(readFileSync(a, 'utf8')).toBe(readFileSync(b, 'utf8'));
      }
    }));

  test('is cut into a tape of today', () =>
    withTapeFolder((folder) => {
      const fromUs = START_US + 5 * 1_500;
      const cut = (tape: string, name: string) => sliceTape({ tape, out: join(folder, name), fromUs });
      expect(cut(VERSION_1, 'a').version).toBe(2);
      cut(writeToday(join(folder, 'today')), 'b');
      const [a, b] = ['a', 'b'].map((name) => [...rowsOf(openTape(join(folder, name)).batches())]);
      expect(a).toEqual(b);
      expect(a?.length).toBeGreaterThan(40);
    }));

  test('is united with one of today', () =>
    withTapeFolder((folder) => {
      const later = someRows(30, 1).map((row) => ({ ...row, exchangeUs: row.exchangeUs + 700 }));
      const today = writeToday(join(folder, 'sol'), later, ['SOL-USD']);
      const manifest = mergeTapes({ tapes: [VERSION_1, today], out: join(folder, 'both') });
      expect(manifest).toMatchObject({ version: 2, rows: 90 });
      const rows = [...rowsOf(openTape(join(folder, 'both')).batches())];
      expect(rows.filter(({ market }) => market < 2)).toEqual(ROWS);
      expect(rows.filter(({ market }) => market === 2)).toEqual(later.map((row) => ({ ...row, market: 2 })));
      expect(verifyTape(join(folder, 'both')).findings).toEqual([]);
    }));

  test('whose writer was killed is read, and stays one of version 1 when it is repaired', () =>
    withTapeFolder((folder) => {
      truncatedVersion1(folder, 5);
      const truncated = openTape(folder);
      expect(truncated.manifest).toMatchObject({ version: 1, rows: 50, sealed: false });
      expect(truncated.truncated[0]?.what).toBe('a batch is missing after batch 2');
      expect([...rowsOf(truncated.batches())]).toEqual(ROWS.slice(0, 50));
      repairTape(folder);
      const tape = openTape(folder);
      expect(tape.manifest).toMatchObject({ version: 1, rows: 50, sealed: true });
      expect([...rowsOf(tape.batches())]).toEqual(ROWS.slice(0, 50));
      expect(verifyTape(folder)).toMatchObject({ findings: [], truncated: [] });
    }));

  test('is refused with one changed byte, whichever', () =>
    withTapeFolder((folder) => {
      cpSync(VERSION_1, folder, { recursive: true });
      for (const name of [ROWS_NAME, 'manifest.json']) {
        const path = join(folder, name);
        const bytes = readFileSync(path);
        for (let at = 0; at < bytes.length; at += 23) {
          const changed = Buffer.from(bytes);
          changed.writeUInt8(bytes.readUInt8(at) ^ 4, at);
          writeFileSync(path, changed);
          expect(() => [...rowsOf(openTape(folder).batches())], `${name}, byte ${at}`).toThrow(name);
        }
        writeFileSync(path, bytes);
      }
    }));
});

/** Damages the `place`-th column of the first batch, and makes the hashes fit. */
function damageColumn(folder: string, place: number): void {
  const path = join(folder, 'manifest.json');
  const manifest = parseManifest(readFileSync(path, 'utf8'), path);
  const bytes = readFileSync(join(folder, ROWS_NAME));
  let at = -1;
  for (let frame = 0; frame <= place; frame++) at = bytes.indexOf(ZSTD_MAGIC, at + 1);
  bytes.writeUInt8(0, at);
  writeFileSync(join(folder, ROWS_NAME), bytes);
  const files = manifest.files.map((file) => ({ ...file, sha256: sha256(bytes) }));
  writeFileSync(path, formatManifest(makeManifest(manifest, files, { sealed: true, notes: [] })));
}

describe('a column that few read', () => {
  test.each([
    ['receivedUs', 6, 'delayUs0'],
    ['id', 14, 'id0'],
  ] as const)('is unpacked when %s is read, and its damage is told then', (name, place, column) =>
    withTapeFolder((folder) => {
      writeToday(folder, someRows(200, 2));
      damageColumn(folder, place);
      const [batch] = [...openTape(folder).batches()];
      expect(batch?.size[1]).toBe(Number.MAX_SAFE_INTEGER);
      expect(() => batch?.[name]).toThrow(expect.objectContaining({ code: 'TAPE_DAMAGED' }));
      expect(() => batch?.[name]).toThrow(`batch 0, column ${column}: `);
      expect(() => batch?.[name]).toThrow(ROWS_NAME);
      expect(verifyTape(folder).findings).toEqual([
        { file: ROWS_NAME, what: expect.stringContaining(`batch 0, column ${column}: `) },
      ]);
    }),
  );

  test.each([
    ['kind', 0, 'kind'],
    ['exchangeUs', 3, 'exchangeUs0'],
    ['price', 9, 'price0'],
    ['size', 11, 'size0'],
  ] as const)('unlike %s, of which no row is handed out', (_name, place, column) =>
    withTapeFolder((folder) => {
      writeToday(folder, someRows(200, 2));
      damageColumn(folder, place);
      expect(() => openTape(folder).batches().next()).toThrow(`batch 0, column ${column}: `);
    }),
  );
});

describe('a batch that is released', () => {
  const batchesOf = (folder: string): EventBatch[] => [...openTape(folder).batches()];

  test.each([
    ['1', () => VERSION_1],
    ['2', (folder: string) => writeToday(folder)],
  ])('is empty, and no other has changed: version %s', (_version, make) =>
    withTapeFolder((folder) => {
      const [first, second, third] = batchesOf(make(folder));
      void [second?.id, second?.receivedUs];
      second?.release?.();
      second?.release?.();
      const { rows, release, ...columns } = { ...second, id: second?.id, receivedUs: second?.receivedUs };
      expect([rows, typeof release]).toEqual([25, 'function']);
      expect(Object.values(columns).map((column) => column?.length)).toEqual(Array(8).fill(0));
      const left = [first, third].filter((batch) => batch !== undefined);
      expect([...rowsOf(left)]).toEqual([...ROWS.slice(0, 25), ...ROWS.slice(50)]);
    }),
  );

  test('cannot be unpacked any further', () =>
    withTapeFolder((folder) => {
      const [first] = batchesOf(writeToday(folder));
      first?.release?.();
      expect(() => first?.id).toThrow('a batch to be read before it is released');
      expect(() => first?.receivedUs).toThrow('a batch to be read before it is released');
    }));

  test('takes nothing from a reader who reads again', () =>
    withTapeFolder((folder) => {
      const tape = openTape(writeToday(folder));
      for (const batch of tape.batches()) batch.release?.();
      expect([...rowsOf(tape.batches())]).toEqual(ROWS);
    }));
});
