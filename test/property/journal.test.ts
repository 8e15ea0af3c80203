/**
 * Whatever happens to the bytes of a journal: the same state, a shorter journal, or a refusal by name; never a silently
 * different state (invariant I20).
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createInMemoryJournal, JournalState } from '../../src/bot/journal/index.ts';
import {
  decodeJournalJson,
  encodeJournalJson,
  encodeRecord,
  type JournalRecord,
} from '../../src/bot/journal/records.ts';
import { JournalStore } from '../../src/bot/journal/store.ts';
import { BotError, type UnixMs } from '../../src/core/index.ts';
import { aFill, anEntry, anOutcome, aWrite, BINDING, temporaryFolder } from '../unit/bot/journal/support.ts';

const folder = temporaryFolder();
afterAll(() => folder.done());

const recordArb: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map((n): JournalRecord => ({ type: 'write', value: aWrite(n) })),
  fc
    .record({
      n: fc.integer({ min: 0, max: 9 }),
      outcome: fc.constantFrom(
        'executed' as const,
        'rejected' as const,
        'refused' as const,
        'superseded' as const,
      ),
      nonceConsumed: fc.boolean(),
    })
    .map(({ n, ...end }): JournalRecord => ({ type: 'outcome', value: anOutcome(n, end) })),
  fc.integer({ min: 0, max: 99 }).map(
    (n): JournalRecord => ({
      type: 'effects',
      value: { epoch: 'e', fills: [aFill(n)], ledger: n % 2 === 0 ? [anEntry(n)] : [] },
    }),
  ),
  fc.nat().map((n): JournalRecord => ({ type: 'trigger', value: { triggerAtMs: n as UnixMs } })),
);
const REFUSALS = ['JOURNAL_CORRUPT', 'JOURNAL_SCHEMA_UNKNOWN', 'JOURNAL_MISMATCH'];
const recordsArb = fc.array(recordArb, { minLength: 1, maxLength: 30 });

let files = 0;

/** A journal file with these records, as it lies on the disk of a process that was killed. */
function killed(records: readonly JournalRecord[]): string {
  const path = join(folder.path, `j${files++}.sqlite`);
  const store = new JournalStore({ path, version: '1', walBytes: 0, rowsMax: 1e6, ...BINDING });
  for (const record of records) store.append([encodeRecord(record)]);
  const copy = join(folder.path, `j${files++}.sqlite`);
  copyFileSync(path, copy);
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  store.close();
  return copy;
}

/** The state after opening `path`, or the code it is refused with. */
function reopened(path: string): JournalState | string {
  try {
    const store = new JournalStore({ path, version: '1', walBytes: 0, rowsMax: 1e6, ...BINDING });
    store.close();
    return store.state;
  } catch (error) {
    if (error instanceof BotError) return error.code;
    throw error;
  }
}

/** The images of all prefixes of `records`. */
function prefixes(records: readonly JournalRecord[]): string[] {
  const state = new JournalState();
  const images = [imageOf(state)];
  for (const record of records) {
    state.apply(record);
    images.push(imageOf(state));
  }
  return images;
}

function imageOf(state: JournalState): string {
  return JSON.stringify(state.image(), (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
}

function expectPrefixOrRefusal(path: string, records: readonly JournalRecord[]): void {
  const found = reopened(path);
  if (typeof found === 'string') expect(REFUSALS).toContain(found);
  else expect(prefixes(records)).toContain(imageOf(found));
}

describe('a journal on the disk', () => {
  test('everything appended is there after a kill', () => {
    fc.assert(
      fc.property(recordsArb, (records) => {
        const found = reopened(killed(records));
        expect(typeof found === 'string' ? found : imageOf(found)).toBe(prefixes(records).at(-1));
      }),
      { numRuns: 25 },
    );
  });

  test('a write-ahead log cut off at any byte gives a shorter journal', () => {
    fc.assert(
      fc.property(recordsArb, fc.nat(), (records, cut) => {
        const path = killed(records);
        const bytes = readFileSync(`${path}-wal`);
        writeFileSync(`${path}-wal`, bytes.subarray(0, cut % (bytes.length + 1)));
        expectPrefixOrRefusal(path, records);
      }),
      { numRuns: 60 },
    );
  });

  test.each(['', '-wal'])('a bit that fell over in the file%s is harmless or named', (suffix) => {
    fc.assert(
      fc.property(recordsArb, fc.nat(), fc.integer({ min: 0, max: 7 }), (records, at, bit) => {
        const path = killed(records);
        if (suffix === '') reopened(path);
        const bytes = readFileSync(path + suffix);
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        writeFileSync(path + suffix, bytes);
        expectPrefixOrRefusal(path, records);
      }),
      { numRuns: 80 },
    );
  });
});

describe('a journal in memory', () => {
  test('holds what the one on the disk holds', async () => {
    await fc.assert(
      fc.asyncProperty(recordsArb, async (records) => {
        const rows = records.map(encodeRecord);
        const memory = createInMemoryJournal({ rows });
        const found = reopened(killed(records));
        if (typeof found === 'string') throw new Error(found);
        expect(memory.openWrites()).toEqual(found.openWrites());
        expect(memory.effects()).toEqual(found.effects());
        expect(memory.cursors()).toEqual(found.cursors());
      }),
      { numRuns: 15 },
    );
  });
});

describe('the text of a record', () => {
  test('is that of JSON with each bigint as a record, and gives the same value back', () => {
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.bigInt(),
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__' && key !== '$big'),
          tie('value'),
          { noNullPrototype: true },
        ),
      ),
    })).value;
    fc.assert(
      fc.property(values, (value) => {
        const text = encodeJournalJson(value);
        const told = JSON.stringify(value, (_key, item: unknown) =>
          typeof item === 'bigint' ? { $big: item.toString() } : item,
        );
        expect(text).toBe(told);
        expect(decodeJournalJson(text)).toEqual(value);
      }),
    );
  });
});
