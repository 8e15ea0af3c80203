/**
 * A bot that was killed while it still loaded ended its launcher by the same signal: the shell said 137, which no page knows,
 * and a supervisor that restarts by exit code was told nothing.
 */
import { afterAll, expect, test } from 'vitest';
import { Processes, until } from '../support/processes.ts';

const processes = new Processes();

afterAll(() => processes.endAll());

async function struck(signal: NodeJS.Signals) {
  const run = processes.ballast(['sim', '--port', '0', '--duration', '20s']);
  const child = await until('the process of the command', () => run.childrenOf()[0], {
    ...{ withinMs: 20_000, everyMs: 5 },
  });
  process.kill(child.pid, signal);
  return { ...(await run.toEnd(20_000)), errors: run.errors };
}

test.each(['SIGKILL', 'SIGABRT', 'SIGSEGV', 'SIGALRM'] as const)(
  'a process that %s ends as it loads has the code of one that died',
  async (signal) => {
    expect(await struck(signal)).toMatchObject({
      ...{ code: 80, signal: null },
      errors: expect.stringContaining(`the process ended by ${signal}`),
    });
  },
);

test('one that is asked to end as it loads ends by what it was asked', async () => {
  expect(await struck('SIGTERM')).toMatchObject({ code: null, signal: 'SIGTERM' });
});
