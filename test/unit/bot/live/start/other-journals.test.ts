/** @module All journals of an account are read at the start. */
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { journalPath, openJournal } from '../../../../../src/bot/journal/index.ts';
import type { Environment } from '../../../../../src/bot/live/connect/environment.ts';
import { readOtherJournals } from '../../../../../src/bot/live/start/other-journals.ts';
import type { Log } from '../../../../../src/core/index.ts';
import type { Address } from '../../../../../src/domain/index.ts';
import { anOutcome, aWrite, requestId, SCOPE, temporaryFolder } from '../../journal/support.ts';

const FOREIGN = 'agent:0x2222222222222222222222222222222222222222';
const selection = { address: '0xabc' as Address, subaccount: 0 };
const bindingOf = (instance: string) => ({ environment: 'e', account: '0xabc 0', instance });
const folder = temporaryFolder();
let warned: { readonly message: string; readonly fields: unknown }[] = [];
const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message, fields) => {
    warned.push({ message, fields });
  },
  error: () => undefined,
  child: () => log,
};

afterEach(() => {
  warned = [];
});

/** A journal of the account with three writes: one proven, one open of our scope, one open of another. */
async function leave(instance: string): Promise<string> {
  const path = journalPath(folder.path, bindingOf(instance));
  const journal = await openJournal({ ...bindingOf(instance), path, version: 'test', walBytes: 0 });
  await journal.recordWrite(aWrite(1));
  await journal.recordOutcome(anOutcome(1));
  await journal.recordWrite(aWrite(2));
  await journal.recordWrite(aWrite(3, { scope: FOREIGN }));
  await journal.close();
  return path;
}

const read = () =>
  readOtherJournals({
    environment: { id: 'e' } as Environment,
    selection,
    instance: 'me',
    journalFolder: folder.path,
    scopes: [SCOPE],
    log,
  });

describe('the start of a bot beside journals of others', () => {
  test('names what they have open, and takes what was written with its own wallets for its own', async () => {
    await leave('renamed');
    await leave('me');
    const records = [...read()()];
    expect(warned).toMatchObject([
      {
        message: 'another journal of this account has writes without a proven end',
        fields: {
          instance: 'renamed',
          writes: 2,
          ofOurWallets: 1,
          requestIds: [requestId(2), requestId(3)],
        },
      },
    ]);
    expect(records.map((record) => record.type === 'write' && record.value.requestId)).toEqual([
      requestId(1),
      requestId(2),
    ]);
  });

  test('names one that it cannot read, and starts all the same', () => {
    writeFileSync(journalPath(folder.path, bindingOf('torn')), 'no database');
    expect([...read()()]).toHaveLength(2);
    expect(warned.map(({ message }) => message)).toContain('another journal of this account cannot be read');
    folder.done();
  });
});
