import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ballast, type Ended } from '../support/ballast-process.ts';
import { picture, snapshotFile } from './snapshot.ts';

const at = (name: string): string => `test/golden/configs/${name}.yaml`;

describe('a configuration that cannot run', () => {
  test.each(['malformed', 'contradicting', 'not-yaml', 'wrong-parameters', 'no-module', 'missing'])(
    '%s: every error with its place, exit 78',
    async (name) => {
      const args = ['config', 'check', at(name)];
      const ended = await ballast(args);
      expect(ended).toMatchObject({ exitCode: 78, stdout: '' });
      await expect(picture(args, ended)).toMatchFileSnapshot(snapshotFile(`config/${name}`));
    },
  );

  test.each(['malformed', 'wrong-parameters'])('%s: run says the same as config check', async (name) => {
    const [checked, ran] = await Promise.all([
      ballast(['config', 'check', at(name)]),
      ballast(['run', at(name)]),
    ]);
    expect(ran).toMatchObject({ exitCode: 78, stdout: '', stderr: checked.stderr });
  });

  test('ends live within a second and before any connection', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const folder = mkdtempSync(join(tmpdir(), 'ballast-golden-'));
    const file = join(folder, 'malformed.yaml');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(file, readFileSync(at('malformed'), 'utf8').replace('https://gateway.example', url));
    try {
      const runs: Ended[] = [];
      const isQuick = async (): Promise<boolean> => {
        runs.push(await ballast(['run', file, '--mode', 'live', '--production'], { cwd: folder }));
        // A second; on a busy machine as many bare starts of Node as fit into a second of an idle one.
        return (runs.at(-1)?.durationMs ?? 0) < Math.max(1000, 25 * (await bareStartMs()));
      };
      expect((await isQuick()) || (await isQuick()) || (await isQuick())).toBe(true);
      for (const run of runs) expect(run).toMatchObject({ exitCode: 78, stdout: '' });
      expect(connections).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
      server.close();
    }
  });
});

/** How long Node takes to start and end just now, in milliseconds. */
async function bareStartMs(): Promise<number> {
  const beganAtMs = performance.now();
  await promisify(execFile)(process.execPath, ['-e', '0']);
  return performance.now() - beganAtMs;
}

describe('a configuration that holds', () => {
  test('is told so, in words and as a document', async () => {
    const args = ['config', 'check', 'configs/two-strategies.yaml'];
    const [words, document] = await Promise.all([ballast(args), ballast([...args, '--json'])]);
    expect(words).toMatchObject({ exitCode: 0, stderr: '' });
    await expect(picture(args, words)).toMatchFileSnapshot(snapshotFile('config/good'));
    expect(JSON.parse(document.stdout)).toMatchObject({
      schema: 1,
      environment: 'sim',
      markets: ['BTC-USD', 'ETH-USD'],
      strategies: [{ name: 'ladder-btc', strategy: 'two-sided-ladder' }, { name: 'stoikov-eth' }],
    });
  });
});
