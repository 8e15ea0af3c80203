/**
 * The database behind a lock was closed when nobody referred to the lock any more: a second process could take the scope while the
 * first one lived.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { lockScope } from '../../src/bot/journal/index.ts';
import { SCOPE, temporaryFolder } from '../unit/bot/journal/support.ts';

const folder = temporaryFolder();

test('a lock that nobody refers to is held all the same', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const settings = { folder: folder.path, environment: 'test', scope: SCOPE, holder: 'first' };
  (() => void lockScope(settings))();
  // Finalizers run in turns of their own.
  for (let turn = 0; turn < 5; turn++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(() => lockScope({ ...settings, holder: 'second' })).toThrow(
    expect.objectContaining({ code: 'JOURNAL_SCOPE_LOCKED' }),
  );
  folder.done();
});
