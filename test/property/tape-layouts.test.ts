import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ArrowFault, type FileEnd } from '../../src/tape/format/arrow-fault.ts';
import { ArrowFileWriter, readArrowFile } from '../../src/tape/format/arrow-file.ts';
import { Columns, checkRow } from '../../src/tape/format/columns.ts';
import type { EventKind, EventRow } from '../../src/tape/format/events.ts';
import { rowsOf } from '../../src/tape/tools/index.ts';

/** Versions of tapes: columns of eight bytes, words. */
const VERSIONS = [1, 2] as const;
const MAX = Number.MAX_SAFE_INTEGER;

/** Numbers at the edges of words, and anywhere between two others. */
function integer(min: number, max: number): fc.Arbitrary<number> {
  const edges = [0, 1, 2 ** 16, 2 ** 31, 2 ** 32, 2 ** 48].flatMap((at) => [at - 1, at, -at, 1 - at]);
  const within = [min, max, ...edges]
    .filter((value) => value >= min && value <= max)
    .map((value) => value + 0);
  return fc.oneof(
    fc.constantFrom(...within),
    fc.integer({ min: Math.max(min, -100), max: Math.min(max, 100_000) }),
    fc.maxSafeInteger().map((value) => min + (Math.abs(value) % (max - min > MAX ? MAX : max - min + 1))),
  );
}

const row = fc.record({
  kind: fc.integer({ min: 1, max: 23 }).map((kind) => kind as EventKind),
  flags: fc.integer({ min: 0, max: 255 }),
  market: fc.integer({ min: 0, max: 0xffff }),
  exchangeUs: integer(0, MAX),
  receivedUs: integer(0, MAX),
  price: integer(0, 0xffff_ffff),
  size: integer(-MAX, MAX),
  id: integer(-MAX, MAX),
});

/** Batches of rows that a writer takes. Some columns say one value all over, as most do on a tape. */
const batches = fc
  .array(
    fc.record({
      rows: fc.array(row, { minLength: 1, maxLength: 150 }),
      same: fc.subarray(['exchangeUs', 'receivedUs', 'price', 'size', 'id'] as const),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((drawn) => {
    const all = drawn.map(({ rows, same }) => {
      const first = Object.fromEntries(same.map((name) => [name, rows[0]?.[name]]));
      return rows.map((one) => ({ ...one, ...first }));
    });
    const times = all.flatMap((rows) => rows.map(({ exchangeUs }) => exchangeUs)).sort((a, b) => a - b);
    let at = 0;
    return all.map((rows) => rows.map((one) => ({ ...one, exchangeUs: times[at++] ?? 0 })));
  });

/** A file of `all`, as tapes of `version` have it. */
function fileOf(all: readonly (readonly EventRow[])[], version: number): Buffer {
  const parts: Buffer[] = [];
  const writer = new ArrowFileWriter((bytes) => void parts.push(Buffer.from(bytes)), version);
  let lastUs = 0;
  for (const rows of all) {
    const columns = new Columns();
    for (const one of rows) {
      checkRow(one, lastUs, { markets: 2 ** 16, feeds: 2 ** 16 });
      lastUs = one.exchangeUs;
      columns.push(one);
    }
    writer.writeRows(columns.view());
  }
  writer.end();
  return Buffer.concat(parts);
}

/** What a walk through `bytes` gives before it ends or is told a fault. */
function walk(bytes: Buffer, late?: (fault: ArrowFault) => Error): { rows: EventRow[]; end: FileEnd } {
  const end: FileEnd = { wholeBytes: 0, batches: 0, truncated: undefined };
  // One buffer, which the next piece overwrites: as files are read.
  const buffer = Buffer.alloc(bytes.length);
  const readAt = (position: number, length: number): Buffer =>
    buffer.subarray(0, bytes.copy(buffer, 0, position, position + Math.max(0, length)));
  const rows: EventRow[] = [];
  try {
    for (const batch of readArrowFile(readAt, end, late)) rows.push(...rowsOf([batch]));
  } catch (thrown) {
    if (!(thrown instanceof ArrowFault)) throw thrown;
    end.truncated = thrown.message;
  }
  return { rows, end };
}

test('what a writer takes is read as it was, from either layout, at once or late', () => {
  fc.assert(
    fc.property(batches, (all) => {
      for (const version of VERSIONS) {
        const bytes = fileOf(all, version);
        for (const late of [undefined, (fault: ArrowFault) => fault]) {
          const { rows, end } = walk(bytes, late);
          expect(end).toMatchObject({ batches: all.length, truncated: undefined });
          expect(rows).toEqual(all.flat());
        }
      }
    }),
    { numRuns: 150 },
  );
});

test('batches that were kept stay as they were when others are released', () => {
  fc.assert(
    fc.property(batches, fc.infiniteStream(fc.boolean()), (all, releases) => {
      for (const version of VERSIONS) {
        const bytes = fileOf(all, version);
        const readAt = (position: number, length: number) => bytes.subarray(position, position + length);
        const end: FileEnd = { wholeBytes: 0, batches: 0, truncated: undefined };
        const kept = [];
        for (const batch of readArrowFile(readAt, end, (fault) => fault)) {
          if (releases.next().value) batch.release?.();
          else kept.push({ batch, expected: all[end.batches - 1] });
        }
        for (const { batch, expected } of kept) expect([...rowsOf([batch])]).toEqual(expected);
      }
    }),
    { numRuns: 50 },
  );
});

/** Two batches with enough rows that every column is packed: a few bytes may stand as they are, without a checksum. */
const twoBatches = fc
  .array(row, { minLength: 140, maxLength: 200 })
  .map((rows) => rows.toSorted((a, b) => a.exchangeUs - b.exchangeUs))
  .map((rows) => [rows.slice(0, 70), rows.slice(70)]);
const flips = fc.array(
  fc.record({
    place: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
    bit: fc.integer({ min: 0, max: 7 }),
  }),
  { minLength: 60, maxLength: 60 },
);

test('a flipped bit of a file without a hash is told as damage, or as an end that is missing, or changes nothing', () => {
  fc.assert(
    fc.property(twoBatches, fc.constantFrom(...VERSIONS), flips, (all, version, drawn) => {
      const bytes = fileOf(all, version);
      for (const { place, bit } of drawn) {
        const at = Math.floor(place * bytes.length);
        const changed = Buffer.from(bytes);
        changed.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
        const { rows, end } = walk(changed);
        expect(rows, `version ${version}, byte ${at}, bit ${bit}`).toEqual(all.slice(0, end.batches).flat());
      }
    }),
    { numRuns: 60 },
  );
});
