/**
 * A full journal was put aside at an opening while `explain` had it open: its write-ahead log stayed behind under the
 * name of the new file and was removed there, and with it every row that had not been moved yet.
 */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { journalPath, journalsOf } from '../../src/bot/journal/index.ts';
import { encodeRecord } from '../../src/bot/journal/records.ts';
import { JournalStore, type StoreSettings } from '../../src/bot/journal/store.ts';
import { aWrite, BINDING, temporaryFolder } from '../unit/bot/journal/support.ts';

const folder = temporaryFolder();
const path = journalPath(folder.path, BINDING);
afterEach(() => folder.done());

function opened(changes: Partial<StoreSettings>): JournalStore {
  return new JournalStore({ path, version: '1', walBytes: 0, rowsMax: 1e6, ...BINDING, ...changes });
}

test('a full journal that is being read is put aside at a later opening, and loses no row (invariant I20)', () => {
  const first = opened({});
  for (let n = 0; n < 5; n++) first.append([encodeRecord({ type: 'write', value: aWrite(n) })]);
  const reader = new DatabaseSync(path, { readOnly: true });
  const rows = reader.prepare('SELECT * FROM records').iterate();
  rows.next();
  first.close();

  const whileRead = opened({ rowsMax: 2 });
  expect(whileRead.state.openWrites()).toHaveLength(5);
  expect(journalsOf(folder.path, BINDING)).toHaveLength(1);
  whileRead.close();
  reader.close();

  const after = opened({ rowsMax: 2 });
  expect(after.state.openWrites()).toHaveLength(5);
  expect(journalsOf(folder.path, BINDING)).toHaveLength(2);
  after.close();
});
