import { describe, expect, test } from 'vitest';
import { guarded } from '../../src/bot/journal/damage.ts';
import { decodeRecord, type JournalRow } from '../../src/bot/journal/records.ts';

const DEEP = 20_000;

/** A row that is no record was a SyntaxError or a RangeError, which nobody can tell from a bug. */
describe('a row of the journal that is no record', () => {
  test.each([
    ['text that is no JSON', '{epoch'],
    ['an integer without digits', '{"epoch":{"$big":"x"}}'],
    ['values nested deeper than can be read', `{"a":${'['.repeat(DEEP)}{"$big":"1"}${']'.repeat(DEEP)}}`],
    ['a list', '[]'],
  ])('error: %s is unreadable by its name (I20)', (_what, body) => {
    const row: JournalRow = { type: 'epoch', scope: '', body };
    expect(() => decodeRecord(row)).toThrow(expect.objectContaining({ code: 'JOURNAL_RECORD_UNREADABLE' }));
  });

  test('error: is damage to who reads a file, and another version where only its type is unknown', () => {
    const read = (type: string, body: string) => () =>
      guarded('a.journal', () => decodeRecord({ type: type as 'epoch', scope: '', body }));
    expect(read('epoch', '{epoch')).toThrow(expect.objectContaining({ code: 'JOURNAL_CORRUPT' }));
    expect(read('later', '{}')).toThrow(expect.objectContaining({ code: 'JOURNAL_RECORD_UNREADABLE' }));
  });
});
