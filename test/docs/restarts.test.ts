/** docs/guides/restarts.md says what is: its commands are typed in a project, as it shows them, one after the other. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { ballast, ENVIRONMENT, startBallast } from '../support/ballast-process.ts';
import { ROOT } from '../tidy/source.ts';

const run = promisify(execFile);
const page = readFileSync(join(ROOT, 'docs', 'guides', 'restarts.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1] ?? '');

/** A port that nobody has. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Three runs and two exchanges, as processes, on a machine that does other things too. */
const PATIENCE_MS = 300_000;

describe('restarts.md', () => {
  let folder = '';
  let port = 0;
  const onPort = (text: string): string => text.replaceAll('8787', String(port));
  /** Starts the exchange of a block, in the folder. */
  const exchange = (block: string) => {
    const words = onPort(block.trim()).replace('npx ballast ', '').split(' ');
    const files = words.map((word) => (word.endsWith('.snapshot') ? join(folder, word) : word));
    return startBallast([...files, '--json']);
  };

  /** A project and a port that no exchange had: for each try. */
  const begin = async () => {
    folder = mkdtempSync(join(tmpdir(), 'ballast-restart-'));
    port = await freePort();
    const project = join(folder, 'bot');
    expect(await ballast(['init', project])).toMatchObject({ exitCode: 0 });
    const bin = join(project, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(join(ROOT, 'bin', 'ballast.mjs'), join(bin, 'ballast'));
    const [configuration = ''] = blocks('yaml');
    writeFileSync(join(project, 'configs', 'restart.yaml'), onPort(configuration));
  };
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test(
    'shows what a second run finds, and a restart of the exchange',
    async () => {
      await begin();
      const [start = '', steps = '', again = ''] = blocks('sh');
      const cwd = join(folder, 'bot');
      const type = (line: string) => run('sh', ['-c', line], { cwd, env: ENVIRONMENT });
      const first = await exchange(start);
      /** Fills of a run, and those of its strategy over all runs. */
      const fills = (text: string) => ({
        own: Number(/^fills +([0-9]+)/m.exec(text)?.[1]),
        all: Number(/: ([0-9]+) fills,/.exec(text)?.[1]),
      });
      const proven = async (line: string) => {
        const { stdout } = await type(line);
        expect(stdout, line).toContain('proof     proven');
        return fills(stdout);
      };
      const lines = steps.trim().split('\n');
      const runs = [];
      try {
        for (const line of lines) {
          if (line.includes('--mode live')) runs.push(await proven(line));
          else await type(line);
        }
      } finally {
        await first.stop();
      }
      const [one, two] = runs;
      // The journal knows those of the run before.
      expect(two?.all).toBe((one?.own ?? Number.NaN) + (two?.own ?? Number.NaN));
      const second = await exchange(again);
      try {
        const three = await proven(lines.at(-1) ?? '');
        expect(three.all).toBe((two?.all ?? Number.NaN) + three.own);
      } finally {
        await second.stop();
      }
    },
    PATIENCE_MS,
  );
});
