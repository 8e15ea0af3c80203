/**
 * The steps of the container file in plain folders, where no engine is there: what they copy is enough to build ballast and
 * to run it. `npm ci` and `npm prune` are left out, since what they would install is installed here already.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { containerSteps } from '../support/container-file.ts';
import { ROOT } from '../tidy/source.ts';

const run = promisify(execFile);

/** A stage: its root, and where it stands. */
interface Stage {
  readonly root: string;
  folder: string;
}

async function built(): Promise<Stage> {
  const top = mkdtempSync(join(tmpdir(), 'ballast-container-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const stages = new Map<string, Stage>();
  let stage: Stage = { root: top, folder: '/' };
  const at = (path: string, from = stage): string =>
    join(from.root, path.startsWith('/') ? path : join(from.folder, path));
  for (const { word, text } of containerSteps(readFileSync(join(ROOT, 'deploy/Containerfile'), 'utf8'))) {
    if (word === 'FROM') {
      const name = / AS (\S+)$/.exec(text)?.[1] ?? 'last';
      stage = { root: join(top, name), folder: '/' };
      mkdirSync(stage.root);
      stages.set(name, stage);
    } else if (word === 'WORKDIR') {
      stage.folder = text;
      mkdirSync(at(text), { recursive: true });
    } else if (word === 'COPY') {
      const from = /^--from=(\S+) /.exec(text)?.[1];
      const paths = text.replace(/^--from=\S+ /, '').split(' ');
      const to = paths.pop() ?? '';
      for (const path of paths) {
        const source = from === undefined ? join(ROOT, path) : at(path, stages.get(from));
        const target = to.endsWith('/') ? join(at(to), basename(path)) : at(to);
        mkdirSync(dirname(target), { recursive: true });
        if (path.endsWith('node_modules')) symlinkSync(join(ROOT, 'node_modules'), target);
        else cpSync(source, target, { recursive: true, filter: (one) => !one.includes('.ballast') });
      }
    } else if (word === 'RUN') {
      if (text === 'npm ci') symlinkSync(join(ROOT, 'node_modules'), at('node_modules'));
      else if (text.startsWith('ln -s ')) {
        const [from = '', to = ''] = text.split(' ').slice(2);
        mkdirSync(dirname(at(to)), { recursive: true });
        symlinkSync(at(from), at(to));
      } else if (text !== 'npm prune --omit=dev') await run('sh', ['-c', text], { cwd: at('.') });
    }
  }
  return stage;
}

test('what the container file copies is built, and runs from an empty folder', async () => {
  const { root } = await built();
  const ballast = async (...words: readonly string[]) => {
    const env = { ...process.env, NODE_ENV: 'production', BALLAST_STATE_HOME: join(root, 'state') };
    const command = [join(root, 'usr/local/bin/ballast'), ...words];
    return await run(process.execPath, command, { cwd: join(root, 'bot'), env, maxBuffer: 64_000_000 });
  };
  expect((await ballast('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const shipped = join(root, 'opt/ballast/configs/two-strategies.yaml');
  expect((await ballast('config', 'check', shipped)).stdout).toContain('good');
  const checked = run(process.execPath, [join(root, 'opt/ballast/deploy/healthcheck.mjs')], {
    env: { ...process.env, BALLAST_PORT: '1' },
  });
  // Nobody answers there: the container is not healthy.
  await expect(checked).rejects.toMatchObject({ code: 1 });
});
