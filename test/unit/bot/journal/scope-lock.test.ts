import { afterEach, describe, expect, test } from 'vitest';
import { lockScope } from '../../../../src/bot/journal/index.ts';
import { SCOPE, temporaryFolder } from './support.ts';

const folder = temporaryFolder();
afterEach(() => folder.done());

const settings = { folder: folder.path, environment: '31337 test', scope: SCOPE, holder: 'bot-1' };

describe('the lock of a nonce scope', () => {
  test('error: a second holder is refused and told who has it (obligation O35)', () => {
    const lock = lockScope(settings);
    expect(() => lockScope({ ...settings, holder: 'bot-2' })).toThrow(
      expect.objectContaining({
        code: 'JOURNAL_SCOPE_LOCKED',
        message: expect.stringContaining(`bot-1, process ${process.pid}`),
      }),
    );
    lock.release();
  });

  test('a released scope can be taken again', () => {
    const first = lockScope(settings);
    first.release();
    first.release();
    lockScope(settings).release();
  });

  test('scopes and environments do not lock each other', () => {
    const locks = [
      lockScope(settings),
      lockScope({ ...settings, environment: '1 main' }),
      lockScope({ ...settings, scope: 'agent:0x2222222222222222222222222222222222222222' }),
    ];
    expect(new Set(locks.map((lock) => lock.path)).size).toBe(3);
    for (const lock of locks) lock.release();
  });
});
