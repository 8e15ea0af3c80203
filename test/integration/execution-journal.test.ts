import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { journalPath, lockScope, openJournal } from '../../src/bot/journal/index.ts';
import { BINDING, SCOPE, temporaryFolder } from '../unit/bot/journal/support.ts';

const folder = temporaryFolder();
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts the child; `until` is told each line and says when it has seen enough. Kills it then. */
async function killedAfter(args: readonly string[], until: (line: string) => boolean): Promise<void> {
  const child = started(args);
  if (child.stdout === null) throw new Error('expected a child with an output');
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    if (!until(line)) continue;
    child.kill('SIGKILL');
    break;
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

function started(args: readonly string[]): ChildProcess {
  const script = join(import.meta.dirname, 'execution-journal-child.ts');
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

describe('a process that is killed', () => {
  test('leaves every record that it was told is durable, and frees its journal at once', async () => {
    const path = journalPath(folder.path, BINDING);
    let last = -1;
    for (let life = 1; life <= 4; life++) {
      const enough = life * 25;
      await killedAfter(['write', path], (line) => {
        last = Number(line);
        return last >= enough;
      });
      const journal = await openJournal({ path, version: '1', walBytes: 0, ...BINDING });
      const highest = Number(journal.highestNonce(SCOPE));
      expect(highest).toBeGreaterThanOrEqual(last);
      expect(journal.openWrites()).toHaveLength(highest + 1);
      await journal.close();
    }
  });

  test('holds its scope until then, by name (obligation O35)', async () => {
    const settings = { folder: folder.path, environment: 'test', scope: SCOPE, holder: 'parent' };
    await killedAfter(['lock', folder.path], () => {
      expect(() => lockScope(settings)).toThrow(expect.objectContaining({ code: 'JOURNAL_SCOPE_LOCKED' }));
      return true;
    });
    lockScope(settings).release();
    folder.done();
  });
});
