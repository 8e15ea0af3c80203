import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentLog, VirtualClock } from '../../../../src/core/index.ts';
import type { EventKind } from '../../../../src/tape/format/events.ts';
import {
  createRowsWriter,
  createTapeFolder,
  createTapeWriter,
  EVENT,
  type EventRow,
  FLAG_END,
  openTape,
  repairTape,
} from '../../../../src/tape/format/index.ts';
import { createRecorder } from '../../../../src/tape/recorder/recorder.ts';
import { exportTape, mergeTapes, rowsOf, sliceTape, verifyTape } from '../../../../src/tape/tools/index.ts';
import { START_US, someRows, tapeMarket, withTapeFolder } from './tapes.ts';

const SOURCE = { kind: 'recorded', description: 'a test' };

interface Said {
  readonly market?: number;
  readonly us: number;
  readonly price?: number;
  readonly size?: number;
  readonly id?: number;
  readonly isOpen?: boolean;
}

const ZSTD_MAGIC = Buffer.of(0x28, 0xb5, 0x2f, 0xfd);

/** A row; it ends its frame unless `isOpen`. */
function row(
  kind: EventKind,
  { market = 0, us, price = 0, size = 0, id = 0, isOpen = false }: Said,
): EventRow {
  return { kind, flags: isOpen ? 0 : FLAG_END, market, exchangeUs: us, receivedUs: us + 1, price, size, id };
}

/** A sealed tape of `rows`. */
function write(folder: string, symbols: readonly string[], rows: readonly EventRow[]): string {
  const writer = createTapeWriter({ folder, markets: symbols.map(tapeMarket), source: SOURCE });
  for (const one of rows) writer.write(one);
  writer.close();
  return folder;
}

/** Rows in words: time, market, kind, price, size, id; `.` ends a frame. */
function wordsOf(folder: string): string[] {
  const names = new Map<number, string>(Object.entries(EVENT).map(([name, kind]) => [kind, name]));
  const tape = openTape(folder);
  return [...rowsOf(tape.batches())].map(
    ({ kind, flags, market, exchangeUs, price, size, id }) =>
      `${exchangeUs} ${tape.markets[market]?.symbol} ${names.get(kind)} ${price} ${size} ${id}${flags === FLAG_END ? ' .' : ''}`,
  );
}

describe('verifyTape', () => {
  /** A tape of rows and frames. */
  async function recorded(folder: string): Promise<void> {
    const recorder = createRecorder(
      createTapeFolder({ folder, markets: [], source: { kind: 'recorded', description: 'a test' } }),
      { clock: new VirtualClock(0), log: silentLog },
    );
    recorder.tape.declare([tapeMarket('BTC-USD')]);
    const rows = createRowsWriter(recorder.tape, { batchRows: 40 });
    for (const one of someRows(80)) rows.write(one);
    for (let at = 0; at < 450; at++) recorder.record(`frame ${at}`, at);
    recorder.recordAnswer({ method: 'GET', path: '/v1/time', status: 200, body: '{}' }, 451);
    rows.close();
    await recorder.close();
  }

  test('finds nothing on a tape as it was written, and counts what is on it', () =>
    withTapeFolder(async (folder) => {
      await recorded(folder);
      expect(verifyTape(folder)).toMatchObject({
        ...{ sealed: true, files: 2, rows: 80, frames: 450, answers: 1, leftOut: 0 },
        ...{ findings: [], truncated: [], hash: openTape(folder).hash },
      });
    }));

  test.each([
    ['events-00001.arrow', /^batch 1, column \w+: /],
    ['raw-00001.jsonl.zst', /^byte \d+: the bytes of this block do not fit their CRC$/],
  ])('names %s and the place of one flipped bit', (name, place) =>
    withTapeFolder(async (folder) => {
      await recorded(folder);
      const bytes = readFileSync(join(folder, name));
      // Within the last zstd frame but two.
      const at = [1, 2, 3].reduce((end) => bytes.lastIndexOf(ZSTD_MAGIC, end - 1), bytes.length) + 12;
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      writeFileSync(join(folder, name), bytes);
      const { findings } = verifyTape(folder);
      expect(findings).toEqual([{ file: name, what: expect.stringMatching(place) }]);
    }),
  );

  test('finds any flipped byte of any file', () =>
    withTapeFolder(async (folder) => {
      await recorded(folder);
      for (const name of ['events-00001.arrow', 'raw-00001.jsonl.zst', 'manifest.json']) {
        const bytes = readFileSync(join(folder, name));
        for (let at = 0; at < bytes.length; at += 97) {
          const changed = Buffer.from(bytes);
          changed.writeUInt8(bytes.readUInt8(at) ^ 32, at);
          writeFileSync(join(folder, name), changed);
          expect(foundIn(folder), `${name}, byte ${at}`).toContain(name);
        }
        writeFileSync(join(folder, name), bytes);
      }
      expect(verifyTape(folder).findings).toEqual([]);
    }));

  /** The files that are complained about, in a report or an error. */
  function foundIn(folder: string): string {
    try {
      return verifyTape(folder)
        .findings.map(({ file }) => file)
        .join();
    } catch (thrown) {
      return String(thrown);
    }
  }

  test('names a file that the manifest does not know', () =>
    withTapeFolder((folder) => {
      write(folder, ['BTC-USD'], someRows(3));
      writeFileSync(join(folder, 'events-00009.arrow'), 'x');
      writeFileSync(join(folder, 'log.jsonl'), 'beside the tape');
      expect(verifyTape(folder).findings.map(({ file }) => file)).toEqual(['events-00009.arrow']);
    }));

  test('names the truncated end of a killed writer, and a repair makes a sealed tape of the rest', () =>
    withTapeFolder((folder) => {
      const writer = createTapeWriter({
        folder,
        markets: [tapeMarket('BTC-USD')],
        source: SOURCE,
        batchRows: 10,
      });
      for (const one of someRows(35)) writer.write(one);
      const path = join(folder, 'events-00001.arrow');
      writeFileSync(path, readFileSync(path).subarray(0, -9));
      const before = verifyTape(folder);
      expect(before).toMatchObject({
        sealed: false,
        rows: 20,
        findings: [],
        truncated: [{ name: 'events-00001.arrow' }],
      });
      expect(repairTape(folder)).toEqual(before.truncated);
      expect(verifyTape(folder)).toMatchObject({ sealed: true, rows: 20, findings: [], truncated: [] });
      expect([...rowsOf(openTape(folder).batches())]).toEqual(someRows(20));
      expect(repairTape(folder)).toEqual([]);
    }));
});

describe('sliceTape', () => {
  const { bookReset, bidLevel, askLevel, mark, bidOrder, askOrder, orderReduced, orderDeleted } = EVENT;

  test('begins with the book and the prices as they stood, of the markets that are wanted', () =>
    withTapeFolder((folder) => {
      const tape = write(
        join(folder, 'all'),
        ['BTC-USD', 'ETH-USD'],
        [
          row(bookReset, { us: 10, isOpen: true }),
          row(bidLevel, { us: 10, price: 100, size: 5, isOpen: true }),
          row(askLevel, { us: 10, price: 101, size: 6 }),
          row(mark, { us: 11, market: 1, price: 55 }),
          row(bidLevel, { us: 12, price: 99, size: 1, isOpen: true }),
          row(bidLevel, { us: 12, price: 100, size: 0 }),
          row(mark, { us: 12, price: 100 }),
          row(askLevel, { us: 20, price: 102, size: 2 }),
          row(mark, { us: 29, market: 1, price: 56 }),
          row(askLevel, { us: 30, price: 103, size: 2 }),
        ],
      );
      sliceTape({ tape, out: join(folder, 'part'), fromUs: 15, toUs: 30, symbols: ['BTC-USD'] });
      expect(wordsOf(join(folder, 'part'))).toEqual([
        '15 BTC-USD mark 100 0 0',
        '15 BTC-USD bookReset 0 0 0',
        '15 BTC-USD bidLevel 99 1 0',
        '15 BTC-USD askLevel 101 6 0 .',
        '20 BTC-USD askLevel 102 2 0 .',
      ]);
      sliceTape({ tape, out: join(folder, 'eth'), symbols: ['ETH-USD'] });
      expect(wordsOf(join(folder, 'eth'))).toEqual(['11 ETH-USD mark 55 0 0 .', '29 ETH-USD mark 56 0 0 .']);
      expect(openTape(join(folder, 'part')).manifest.source).toMatchObject({
        kind: 'sliced',
        details: { tape: openTape(tape).hash },
      });
    }));

  test('keeps orders in their queues', () =>
    withTapeFolder((folder) => {
      const tape = write(
        join(folder, 'all'),
        ['BTC-USD'],
        [
          row(bidOrder, { us: 1, id: 7, price: 100, size: 5 }),
          row(bidOrder, { us: 2, id: 3, price: 100, size: 9 }),
          row(askOrder, { us: 3, id: 4, price: 101, size: 1 }),
          row(orderReduced, { us: 4, id: 7, size: 2 }),
          row(orderDeleted, { us: 5, id: 4 }),
          row(bidOrder, { us: 9, id: 8, price: 99, size: 1 }),
        ],
      );
      sliceTape({ tape, out: join(folder, 'part'), fromUs: 6 });
      expect(wordsOf(join(folder, 'part'))).toEqual([
        '6 BTC-USD bookReset 0 0 0',
        '6 BTC-USD bidOrder 100 3 7',
        '6 BTC-USD bidOrder 100 9 3 .',
        '9 BTC-USD bidOrder 99 1 8 .',
      ]);
    }));

  test('refuses a span or a market that the tape does not hold', () =>
    withTapeFolder((folder) => {
      const tape = write(join(folder, 'all'), ['BTC-USD'], someRows(30));
      const out = join(folder, 'part');
      expect(() => sliceTape({ tape, out, fromUs: START_US * 2 })).toThrow('expected a span within');
      expect(() => sliceTape({ tape, out, symbols: ['SOL-USD'] })).toThrow('got SOL-USD');
      expect(existsSync(out)).toBe(false);
    }));
});

describe('a tape that is damaged', () => {
  test('leaves nothing half-made behind', () =>
    withTapeFolder((folder) => {
      const tape = join(folder, 'tape');
      const writer = createTapeWriter({
        ...{ folder: tape, markets: [tapeMarket('BTC-USD')], source: SOURCE, batchRows: 10, fileBytes: 1 },
      });
      for (const one of someRows(30)) writer.write(one);
      writer.close();
      const last = join(tape, 'events-00003.arrow');
      const bytes = readFileSync(last);
      bytes.writeUInt8(bytes.readUInt8(900) ^ 1, 900);
      writeFileSync(last, bytes);
      const damaged = expect.objectContaining({ code: 'TAPE_DAMAGED' });
      const out = join(folder, 'out');
      expect(() => sliceTape({ tape, out })).toThrow(damaged);
      expect(() => mergeTapes({ tapes: [tape], out })).toThrow(damaged);
      expect(() => exportTape({ tape, format: 'csv', out })).toThrow(damaged);
      expect(existsSync(out)).toBe(false);
    }));
});

describe('mergeTapes', () => {
  const { mark, hole, bidLevel } = EVENT;

  test('orders rows by time with frames whole and markets united', () =>
    withTapeFolder((folder) => {
      const btc = write(
        join(folder, 'btc'),
        ['BTC-USD'],
        [
          row(bidLevel, { us: 1, price: 1, size: 1, isOpen: true }),
          row(bidLevel, { us: 1, price: 2, size: 1 }),
          row(mark, { us: 5, price: 3 }),
        ],
      );
      const eth = write(
        join(folder, 'eth'),
        ['ETH-USD'],
        [row(mark, { us: 1, price: 4 }), row(mark, { us: 4, price: 5 })],
      );
      const one = mergeTapes({ tapes: [btc, eth], out: join(folder, 'one') });
      expect(wordsOf(join(folder, 'one'))).toEqual([
        '1 BTC-USD bidLevel 1 1 0',
        '1 BTC-USD bidLevel 2 1 0 .',
        '1 ETH-USD mark 4 0 0 .',
        '4 ETH-USD mark 5 0 0 .',
        '5 BTC-USD mark 3 0 0 .',
      ]);
      expect(mergeTapes({ tapes: [eth, btc], out: join(folder, 'two') }).hash).toBe(one.hash);
    }));

  test('makes a hole of the time between two tapes of the same market', () =>
    withTapeFolder((folder) => {
      const first = write(join(folder, 'a'), ['BTC-USD'], [row(mark, { us: 1, price: 3 })]);
      const second = write(join(folder, 'b'), ['BTC-USD'], [row(mark, { us: 9, price: 4 })]);
      mergeTapes({ tapes: [second, first], out: join(folder, 'one') });
      expect(wordsOf(join(folder, 'one'))).toEqual([
        '1 BTC-USD mark 3 0 0 .',
        '1 BTC-USD hole 0 0 9 .',
        '9 BTC-USD mark 4 0 0 .',
      ]);
      expect([...rowsOf(openTape(join(folder, 'one')).batches())][1]?.kind).toBe(hole);
    }));

  test('refuses a market that is recorded twice at a time, or in another way', () =>
    withTapeFolder((folder) => {
      const first = write(join(folder, 'a'), ['BTC-USD'], [row(mark, { us: 1 }), row(mark, { us: 9 })]);
      const second = write(join(folder, 'b'), ['BTC-USD'], [row(mark, { us: 5 })]);
      expect(() => mergeTapes({ tapes: [first, second], out: join(folder, 'c') })).toThrow('a and b overlap');
      const market = { ...tapeMarket('BTC-USD'), hasOneTime: true } as const;
      createTapeWriter({ folder: join(folder, 'd'), markets: [market], source: SOURCE }).close();
      expect(() => mergeTapes({ tapes: [first, join(folder, 'd')], out: join(folder, 'e') })).toThrow(
        'expected BTC-USD of the same kind in all tapes',
      );
    }));

  test('merges a market of other decimals at the finer scale, exactly', () =>
    withTapeFolder((folder) => {
      const { buyTrade, fundingSettled } = EVENT;
      const tapeOf = (name: string, decimals: readonly [number, number], us: number, price: number) => {
        const market = { ...tapeMarket('BTC-USD'), priceDecimals: decimals[0], sizeDecimals: decimals[1] };
        const writer = createTapeWriter({ folder: join(folder, name), markets: [market], source: SOURCE });
        writer.write(row(buyTrade, { us, price, size: 3, id: 7 }));
        writer.write(row(fundingSettled, { us, price, size: -100 }));
        writer.close();
        return join(folder, name);
      };
      const tapes = [tapeOf('a', [1, 3], 1, 1_005), tapeOf('b', [2, 0], 9, 10_025)];
      const { markets } = mergeTapes({ tapes, out: join(folder, 'one') });
      expect(markets).toEqual([expect.objectContaining({ priceDecimals: 2, sizeDecimals: 3 })]);
      expect(wordsOf(join(folder, 'one'))).toEqual([
        '1 BTC-USD buyTrade 10050 3 7 .',
        '1 BTC-USD fundingSettled 10050 -100 0 .',
        '1 BTC-USD hole 0 0 9 .',
        '9 BTC-USD buyTrade 10025 3000 7 .',
        '9 BTC-USD fundingSettled 10025 -100 0 .',
      ]);
      const large = tapeOf('c', [0, 0], 20, 4_000_000_000);
      expect(() => mergeTapes({ tapes: [...tapes, large], out: join(folder, 'two') })).toThrow(
        /expected prices of BTC-USD within 2\^32 - 1 ticks at the finer scale of 2 decimals/,
      );
    }));
});

describe('exportTape', () => {
  const rows = [
    row(EVENT.bidLevel, { us: START_US, price: 925_437, size: 12_345, isOpen: true }),
    row(EVENT.fundingRate, { us: START_US + 1, market: 1, size: -13, id: 77 }),
  ];

  test('writes exact decimals as CSV and as JSON lines', () =>
    withTapeFolder((folder) => {
      const tape = write(join(folder, 'tape'), ['BTC-USD', 'a "b", c'], rows);
      const csv = join(folder, 'rows.csv');
      expect(exportTape({ tape, format: 'csv', out: csv })).toBe(2);
      expect(readFileSync(csv, 'utf8').split('\n')).toEqual([
        'exchangeUs,receivedUs,market,kind,isEnd,price,size,id,value',
        `${START_US},${START_US + 1},BTC-USD,bidLevel,false,92543.7,0.12345,0,`,
        `${START_US + 1},${START_US + 2},"a ""b"", c",fundingRate,true,,-13,77,`,
        '',
      ]);
      const jsonl = join(folder, 'rows.jsonl');
      exportTape({ tape, format: 'jsonl', out: jsonl, range: { toUs: START_US + 1 } });
      const line = {
        market: 'BTC-USD',
        kind: 'bidLevel',
        isEnd: false,
        price: '92543.7',
        size: '0.12345',
        id: 0,
      };
      expect(JSON.parse(readFileSync(jsonl, 'utf8'))).toEqual({
        ...{ exchangeUs: START_US, receivedUs: START_US + 1 },
        ...line,
      });
    }));

  test('writes over nothing', () =>
    withTapeFolder((folder) => {
      const tape = write(join(folder, 'tape'), ['BTC-USD', 'ETH-USD'], rows);
      const out = join(folder, 'rows.csv');
      writeFileSync(out, 'mine');
      expect(() => exportTape({ tape, format: 'csv', out })).toThrow(
        expect.objectContaining({ code: 'TAPE_EXISTS' }),
      );
      expect(readFileSync(out, 'utf8')).toBe('mine');
      const nowhere = join(folder, 'no', 'folder.csv');
      expect(() => exportTape({ tape, format: 'csv', out: nowhere })).toThrow(
        expect.objectContaining({ code: 'TAPE_FILE_UNWRITABLE' }),
      );
    }));
});
