import { renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { journalPath, journalsOf, readJournal } from '../../../../src/bot/journal/index.ts';
import { encodeRecord, type JournalRecord } from '../../../../src/bot/journal/records.ts';
import { JournalStore, type StoreSettings } from '../../../../src/bot/journal/store.ts';
import { aFill, anEntry, anOutcome, aWrite, BINDING, SCOPE, temporaryFolder } from './support.ts';

let folder = temporaryFolder();
let path = '';

beforeEach(() => {
  folder = temporaryFolder();
  path = journalPath(folder.path, BINDING);
});

afterEach(() => folder.done());

/** Opens the file, appends `records`, closes it, and gives the state at opening. */
function opened(records: readonly JournalRecord[] = [], changes: Partial<StoreSettings> = {}) {
  const store = new JournalStore({ path, version: '1', walBytes: 0, rowsMax: 1e6, ...BINDING, ...changes });
  for (const record of records) store.append([encodeRecord(record)]);
  store.close();
  return store.state;
}

const writes = (...numbers: readonly number[]): JournalRecord[] =>
  numbers.map((n) => ({ type: 'write', value: aWrite(n) }));

/** Changes the closed file behind the journal's back. */
function tamper(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

describe('refusals', () => {
  test.each(['environment', 'account', 'instance'] as const)(
    'error: a journal of another %s is refused by name',
    (field) => {
      opened();
      expect(() => opened([], { [field]: 'other' })).toThrow(
        expect.objectContaining({
          code: 'JOURNAL_MISMATCH',
          message: expect.stringContaining(`of ${field} other`),
        }),
      );
    },
  );

  test('error: an edited record breaks the chain', () => {
    opened(writes(1, 2, 3));
    tamper("UPDATE records SET body = replace(body, '1790000000000', '1790000000001') WHERE id = 2");
    expect(() => opened()).toThrow(
      expect.objectContaining({
        code: 'JOURNAL_CORRUPT',
        message: expect.stringContaining('row 2 does not fit'),
      }),
    );
  });

  test('error: a row missing in the middle is named', () => {
    opened(writes(1, 2, 3));
    tamper('DELETE FROM records WHERE id = 2');
    expect(() => opened()).toThrow(
      expect.objectContaining({
        code: 'JOURNAL_CORRUPT',
        message: expect.stringContaining('row 2 is missing'),
      }),
    );
  });

  test('error: another header breaks the chain even when it is what was asked for', () => {
    opened(writes(1));
    tamper("UPDATE header SET text = replace(text, 'bot-1', 'bot-2')");
    expect(() => opened([], { instance: 'bot-2' })).toThrow(
      expect.objectContaining({ code: 'JOURNAL_CORRUPT' }),
    );
  });

  test('error: an unknown schema is refused by name', () => {
    opened();
    tamper("UPDATE header SET text = replace(text, ',1,', ',2,')");
    expect(() => opened()).toThrow(expect.objectContaining({ code: 'JOURNAL_SCHEMA_UNKNOWN' }));
  });

  test('error: a damaged audit event is named to its reader', () => {
    opened(writes(1));
    tamper("INSERT INTO audit (at_ms, type, body) VALUES (1, 'IntentDenied', '{not json')");
    const reader = readJournal(path);
    expect(() => reader.audit({})).toThrow(expect.objectContaining({ code: 'JOURNAL_CORRUPT' }));
    reader.close();
  });

  test('rows missing at the end give a shorter journal, for the start-up check to name', () => {
    opened(writes(1, 2, 3));
    tamper('DELETE FROM records WHERE id = 3');
    expect(opened().highestNonce(SCOPE)).toBe(2n);
  });
});

describe('a full journal', () => {
  const content: JournalRecord[] = [
    ...writes(1, 2, 3),
    { type: 'outcome', value: anOutcome(2) },
    { type: 'outcome', value: anOutcome(3, { outcome: 'refused', nonceConsumed: false }) },
    { type: 'effects', value: { epoch: 'e', fills: [aFill(3)], ledger: [anEntry(4)] } },
  ];

  test('is put aside at the next opening, and a new one goes on from its state', () => {
    opened(content);
    const again = opened(writes(4), { rowsMax: 5 });
    expect(again.openWrites()).toEqual([aWrite(1), aWrite(3)]);
    expect(again.highestNonce(SCOPE)).toBe(3n);
    expect(again.consumedNonce(SCOPE, 'epoch-1')).toBe(2n);
    expect(again.cursors()).toEqual({ epoch: 'e', fills: '3-0-1', ledger: '4-0-2' });
    expect(again.effects().fills).toEqual([aFill(3)]);
    expect(journalsOf(folder.path, BINDING)).toHaveLength(2);
    for (const one of journalsOf(folder.path, BINDING)) {
      const reader = readJournal(one);
      expect(reader.state().highestNonce(SCOPE)).toBeGreaterThanOrEqual(3n);
      reader.close();
    }
    expect(opened().openWrites()).toHaveLength(3);
  });

  test('is put aside again and again under numbers of its own', () => {
    for (let n = 0; n < 4; n++) opened(writes(10 * n, 10 * n + 1), { rowsMax: 1 });
    expect(journalsOf(folder.path, BINDING)).toHaveLength(4);
    expect(opened().openWrites()).toHaveLength(8);
  });

  test('a crash after it was put aside loses nothing', () => {
    opened(content);
    renameSync(path, path.replace('.journal.sqlite', '.1.journal.sqlite'));
    expect(opened().openWrites()).toEqual([aWrite(1), aWrite(3)]);
    const reader = readJournal(path);
    expect(reader.header.previous).toMatch(/^[0-9a-f]{64}$/);
    reader.close();
  });

  test('the refused write carried over is closed when its nonce is spent', () => {
    opened(content);
    opened(
      [
        { type: 'write', value: aWrite(30, { nonce: aWrite(3).nonce }) },
        { type: 'outcome', value: anOutcome(30) },
      ],
      { rowsMax: 5 },
    );
    expect(opened().openWrites()).toEqual([aWrite(1)]);
  });
});
