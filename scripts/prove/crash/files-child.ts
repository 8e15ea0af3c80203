/**
 * @module
 * A process to be killed in the middle of what the real journal does with its files: commits, checkpoints, a log begun
 * again, a full file put aside. It says on stdout what is durable and what it begins. Or one whose files may not grow.
 *
 * Usage: node files-child.ts kill|full <path>
 */
import { writeSync } from 'node:fs';
import { openJournal } from '../../../src/bot/journal/index.ts';
import { encodeRecord } from '../../../src/bot/journal/records.ts';
import { JournalStore } from '../../../src/bot/journal/store.ts';
import { BotError, messageOf } from '../../../src/core/index.ts';
import { aWrite, BINDING, SCOPE } from '../../../test/unit/bot/journal/support.ts';
import { groupOf, ROWS_MAX, WRITES_MAX } from './files-content.ts';

const [mode = '', path = ''] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);

/** Writes between two checkpoints. */
const WRITES_PER_ROUND = 12;

/** Does it all again and again, until it is killed. */
function beKilled(): void {
  let n = -1;
  for (;;) {
    say('J26');
    const store = new JournalStore({ path, version: '1', walBytes: 65_536, rowsMax: ROWS_MAX, ...BINDING });
    say('J27');
    n = Number(store.state.highestNonce(SCOPE) ?? -1n);
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < WRITES_PER_ROUND; i++) {
        if (i === 0 && round > 0) say('J25');
        store.append(groupOf(++n).map(encodeRecord));
        say(`durable ${n}`);
      }
      say('J23');
      store.checkpoint();
      say('J24');
    }
    store.close();
  }
}

/** Appends until the journal fails, as it must by name. A file that is full already is put aside first. */
async function beFull(): Promise<void> {
  try {
    const journal = await openJournal({ path, version: '1', walBytes: 0, rowsMax: ROWS_MAX, ...BINDING });
    for (let n = Number(journal.highestNonce(SCOPE) ?? -1n) + 1; n < WRITES_MAX; n++) {
      await journal.recordWrite(aWrite(n));
      say(`durable ${n}`);
    }
    await journal.close();
    say('never full');
  } catch (error) {
    say(error instanceof BotError ? `named ${error.code}` : `unnamed ${messageOf(error)}`);
  }
}

if (mode === 'kill') beKilled();
else await beFull();
