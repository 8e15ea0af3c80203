import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Journal,
  journalPath,
  openJournal,
  readJournal,
  takeOverJournal,
} from '../../../../src/bot/journal/index.ts';
import { aFill, anOutcome, aWrite, BINDING, temporaryFolder } from './support.ts';

let folder = temporaryFolder();
const opened: Journal[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close();
  folder.done();
});

const bindingOf = (instance: string) => ({ ...BINDING, instance });
const pathOf = (instance: string) => journalPath(folder.path, bindingOf(instance));

async function open(instance: string): Promise<Journal> {
  const journal = await openJournal({
    ...{ path: pathOf(instance), version: '0.1.0', walBytes: 0 },
    ...bindingOf(instance),
  });
  opened.push(journal);
  return journal;
}

async function close(): Promise<void> {
  for (const journal of opened.splice(0)) await journal.close();
}

test('a journal under another name continues: open writes, fills and the hash before it are known', async () => {
  const old = await open('file-name');
  await old.recordWrite(aWrite(1));
  await old.recordOutcome(anOutcome(1));
  await old.recordWrite(aWrite(2));
  await old.recordEffects({ epoch: 'e', fills: [aFill(3)], ledger: [] });
  await close();
  expect(takeOverJournal(pathOf('file-name'), pathOf('steady'))).toBe(true);
  expect(existsSync(pathOf('file-name'))).toBe(false);
  const taken = await open('steady');
  expect(taken.openWrites()).toEqual([aWrite(2)]);
  expect(taken.effects().fills).toEqual([aFill(3)]);
  await close();
  const reader = readJournal(pathOf('steady'));
  expect(reader.header).toMatchObject({ instance: 'steady', previous: expect.any(String) });
  reader.close();
  // From here on it is the journal of this name, whatever comes up under the old one.
  await open('file-name');
  await close();
  expect(takeOverJournal(pathOf('file-name'), pathOf('steady'))).toBe(false);
});

test('nothing is taken over where nothing is, or from a bot that runs', async () => {
  expect(takeOverJournal(pathOf('file-name'), pathOf('steady'))).toBe(false);
  await open('file-name');
  expect(takeOverJournal(pathOf('file-name'), pathOf('steady'))).toBe(false);
  expect(existsSync(pathOf('file-name'))).toBe(true);
});

test('a journal that is being read keeps its name until the reader is done: no row is lost', async () => {
  const old = await open('file-name');
  await old.recordWrite(aWrite(1));
  const reader = new DatabaseSync(pathOf('file-name'), { readOnly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT * FROM header').get();
  await old.recordWrite(aWrite(2));
  await close();
  expect(() => takeOverJournal(pathOf('file-name'), pathOf('steady'))).toThrow(/got a reader/);
  expect(existsSync(pathOf('file-name'))).toBe(true);
  reader.close();
  expect(takeOverJournal(pathOf('file-name'), pathOf('steady'))).toBe(true);
  expect((await open('steady')).openWrites()).toEqual([aWrite(1), aWrite(2)]);
});
