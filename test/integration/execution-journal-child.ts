/**
 * @module
 * A process to be killed: writes record after record and says each number once it is durable, or holds a scope.
 */
import { writeSync } from 'node:fs';
import { lockScope, openJournal } from '../../src/bot/journal/index.ts';
import { aWrite, BINDING, SCOPE } from '../unit/bot/journal/support.ts';

const [mode, path = ''] = process.argv.slice(2);
const say = (line: string | number) => {
  // A pipe that nobody reads for a while takes nothing: the next try may.
  for (;;)
    try {
      return writeSync(1, `${line}\n`);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EAGAIN') throw thrown;
    }
};

if (mode === 'lock') {
  lockScope({ folder: path, environment: 'test', scope: SCOPE, holder: 'child' });
  say('locked');
  setInterval(() => undefined, 1000);
} else {
  const journal = await openJournal({ path, version: '1', walBytes: 0, ...BINDING });
  for (let n = Number(journal.highestNonce(SCOPE) ?? -1n) + 1; ; n++) {
    await journal.recordWrite(aWrite(n));
    say(n);
  }
}
