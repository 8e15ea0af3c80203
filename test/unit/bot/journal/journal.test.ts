import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Journal,
  journalPath,
  journalsOf,
  openJournal,
  readJournal,
} from '../../../../src/bot/journal/index.ts';
import type { UnixMs } from '../../../../src/core/index.ts';
import {
  aFill,
  aMove,
  anAdopted,
  anEntry,
  anOutcome,
  aWrite,
  BINDING,
  SCOPE,
  temporaryFolder,
} from './support.ts';

let folder = temporaryFolder();
let path = '';
const opened: Journal[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  path = journalPath(folder.path, BINDING);
});

afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close();
  folder.done();
});

async function open(changes: Partial<Parameters<typeof openJournal>[0]> = {}): Promise<Journal> {
  const journal = await openJournal({ path, version: '0.1.0', walBytes: 0, ...BINDING, ...changes });
  opened.push(journal);
  return journal;
}

async function reopen(): Promise<Journal> {
  for (const journal of opened.splice(0)) await journal.close();
  return open();
}

describe('a journal on the disk', () => {
  test('everything recorded is there after a restart', async () => {
    const journal = await open();
    await journal.recordWrite(aWrite(1));
    await journal.recordOutcome(anOutcome(1));
    await journal.recordWrite(aWrite(2));
    await journal.recordTrigger(1_790_000_000_000 as UnixMs);
    const unfilled = { moves: [aMove(4)], adopted: [anAdopted(5)] };
    await journal.recordEffects({ epoch: 'e', fills: [aFill(3)], ledger: [anEntry(4)], ...unfilled });
    const again = await reopen();
    expect(again.openWrites()).toEqual([aWrite(2)]);
    expect(again.highestNonce(SCOPE)).toBe(2n);
    expect(again.consumedNonce(SCOPE, 'epoch-1')).toBe(1n);
    expect(again.lastTriggerAtMs()).toBe(1_790_000_000_000);
    expect(again.cursors()).toEqual({ epoch: 'e', fills: '3-0-1', ledger: '4-0-2' });
    expect(again.effects()).toEqual({ fills: [aFill(3)], ledger: [anEntry(4)], ...unfilled });
  });

  test('many records at once are all durable, in their order', async () => {
    const journal = await open();
    await Promise.all(Array.from({ length: 200 }, (_, n) => journal.recordWrite(aWrite(n))));
    expect(journal.openWrites().map((write) => write.nonce)).toEqual(
      Array.from({ length: 200 }, (_, n) => BigInt(n)),
    );
    expect((await reopen()).openWrites()).toHaveLength(200);
  });

  test('the file is for its owner alone', async () => {
    await (await open()).recordWrite(aWrite(1));
    for (const name of readdirSync(folder.path).filter((file) => !file.includes('.lock'))) {
      expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o600);
    }
  });

  test('another process may read it while it is written', async () => {
    const journal = await open();
    await journal.recordWrite(aWrite(1));
    const reader = readJournal(path);
    expect(reader.state().openWrites()).toEqual([aWrite(1)]);
    await journal.recordWrite(aWrite(2));
    expect([...reader.records()]).toHaveLength(2);
    expect(reader.header).toMatchObject(BINDING);
    reader.close();
  });

  test('the journals of an account are found whatever process owns them', async () => {
    await open();
    const guardian = journalPath(folder.path, { ...BINDING, instance: 'guardian' });
    await open({ path: guardian, instance: 'guardian' });
    expect(journalsOf(folder.path, BINDING)).toEqual([path, guardian].sort());
    expect(journalsOf(folder.path, { ...BINDING, account: '0xdef/0' })).toEqual([]);
  });

  test('a write-ahead log that is laid out beforehand changes nothing of the content', async () => {
    const journal = await open({ walBytes: 2 * 1024 * 1024 });
    await journal.recordWrite(aWrite(1));
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(2 * 1024 * 1024);
    expect((await reopen()).openWrites()).toEqual([aWrite(1)]);
  });
});

describe('refusals', () => {
  test('error: a second owner of the same journal is refused by name', async () => {
    await open();
    await expect(open()).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' });
  });

  test('error: after a failed commit nothing is written any more', async () => {
    const journal = await open();
    await journal.recordWrite(aWrite(1));
    const other = new DatabaseSync(path);
    other.exec('DROP TABLE records');
    other.close();
    await expect(journal.recordWrite(aWrite(2))).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
    await expect(journal.recordOutcome(anOutcome(1))).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
    expect(journal.status().failure?.code).toBe('JOURNAL_FAILED');
  });

  test.skipIf(process.getuid?.() === 0)('error: a folder that cannot be written is named', async () => {
    chmodSync(folder.path, 0o500);
    await expect(open()).rejects.toMatchObject({ code: 'JOURNAL_LOCK_UNUSABLE' });
    chmodSync(folder.path, 0o700);
  });

  test('error: reading a journal that is not there is named', () => {
    expect(() => readJournal(join(folder.path, 'none'))).toThrow(/expected a journal/);
  });
});

describe('status', () => {
  test('free space below the reserve is told', async () => {
    const journal = await open({ reserveBytes: Number.MAX_SAFE_INTEGER });
    expect(journal.status()).toMatchObject({ isBelowReserve: true, failure: undefined, pending: 0 });
  });
});

describe('audit', () => {
  test('events are found by order, by fill, by intent and by time', async () => {
    const journal = await open();
    journal.audit.record({ type: 'IntentDenied', atMs: 1, correlationId: 'i1', fields: { code: 'RISK_X' } });
    journal.audit.record({
      type: 'OrderAccepted',
      atMs: 2,
      correlationId: 'i2',
      causationId: 'c',
      fields: { orderId: '77' },
    });
    journal.audit.record({ type: 'FillRecorded', atMs: 3, fields: { orderId: '77', fillId: '9-0-1' } });
    await reopen();
    const reader = readJournal(path);
    expect(reader.audit({ orderId: '77' }).map((event) => event.type)).toEqual([
      'OrderAccepted',
      'FillRecorded',
    ]);
    expect(reader.audit({ fillId: '9-0-1' })).toHaveLength(1);
    expect(reader.audit({ correlationId: 'i1' })).toEqual([
      { type: 'IntentDenied', atMs: 1, correlationId: 'i1', fields: { code: 'RISK_X' } },
    ]);
    expect(reader.audit({ fromMs: 2, toMs: 3, type: 'FillRecorded' })).toHaveLength(1);
    expect(reader.audit({ limit: 1 })).toHaveLength(1);
    reader.close();
  });

  test('events that wait for a quiet moment are in the file soon after, though nothing follows', async () => {
    const journal = await open();
    journal.audit.record({ type: 'IntentDenied', atMs: 1, fields: {} });
    await journal.recordWrite(aWrite(1));
    const reader = readJournal(path);
    await expect.poll(() => reader.audit({}).length, { timeout: 5_000 }).toBe(1);
    reader.close();
  });

  test('many events come into the file in their order, though writes come all the time', async () => {
    const journal = await open();
    for (let at = 0; at < 3000; at++) {
      journal.audit.record({ type: 'IntentDenied', atMs: at, fields: { at } });
      if (at % 30 === 0) await journal.recordWrite(aWrite(at + 1));
    }
    const reader = readJournal(path);
    const found = () => reader.audit({ limit: 5000 });
    await expect.poll(() => found().length, { timeout: 5_000 }).toBe(3000);
    expect(found().map(({ fields }) => fields['at'])).toEqual(Array.from({ length: 3000 }, (_, at) => at));
    expect(journal.status().auditDropped).toBe(0);
    reader.close();
  });
});
