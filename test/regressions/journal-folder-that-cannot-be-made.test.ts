/** @module A journal folder that could not be made ended as a bug of ballast (70) instead of by its name (73). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockScope, openJournal } from '../../src/bot/journal/index.ts';
import { exitCodeOf } from '../../src/cli/terminal/exit-codes.ts';
import { BINDING, SCOPE } from '../unit/bot/journal/support.ts';

test('a journal or a lock below a file is refused by name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-folder-'));
  try {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const opened = await openJournal({ path: join(file, 'a', 'b'), version: '1', ...BINDING }).catch(
      (error: unknown) => error,
    );
    expect(opened).toMatchObject({ code: 'JOURNAL_LOCK_UNUSABLE' });
    expect(exitCodeOf(opened)).toBe(73);
    expect(() =>
      lockScope({ folder: join(file, 'locks'), environment: 'test', scope: SCOPE, holder: 'me' }),
    ).toThrow(expect.objectContaining({ code: 'JOURNAL_LOCK_UNUSABLE' }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
