/**
 * The saved state of a strategy is not synced: after a power loss its file may be empty or cut off. The bot took that for
 * a bug of its own and ended at every start; now it says so, and the strategy starts without.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sinon from 'sinon';
import { afterEach, expect, test } from 'vitest';
import { UNREADABLE } from '../../src/bot/kernel/index.ts';
import { fileStrategyStore } from '../../src/bot/live/connect/strategy-store.ts';
import { silentLog } from '../../src/core/index.ts';
import type { StrategyId } from '../../src/domain/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'ballast-state-'));
const LADDER = 'ladder' as StrategyId;
afterEach(() => rmSync(folder, { recursive: true }));

test.each(['', '{"levels":[1,', '\0\0\0\0'])(
  'a saved state of %j is named, and not handed on (fault F57)',
  (text) => {
    const error = sinon.spy();
    const store = fileStrategyStore(join(folder, 'bot.journal.sqlite'), { ...silentLog, error });
    mkdirSync(join(folder, 'bot-strategies'), { recursive: true });
    writeFileSync(join(folder, 'bot-strategies', 'ladder.json'), text);
    expect(store.load(LADDER)).toBe(UNREADABLE);
    sinon.assert.calledOnceWithExactly(
      error,
      'the saved state of a strategy could not be read: it starts without',
      sinon.match({ strategy: LADDER }),
    );
    store.save(LADDER, '{"a":1}');
    expect(store.load(LADDER)).toBe('{"a":1}');
  },
);
