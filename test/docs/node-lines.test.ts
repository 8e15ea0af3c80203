/**
 * @module
 * Lines of the pages that start Node work with any Node from 20 on, as the README promises: with the oldest Node of this
 * machine they are run here. What needs Node 24 goes through `npx node`, the one that npm installed, and says so otherwise.
 */
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENVIRONMENT, startBallast } from '../support/ballast-process.ts';
import { ROOT } from '../tidy/source.ts';

const run = promisify(execFile);
const PAGES = ['README.md', ...globSync('{docs,backtest,strategies}/**/*.md', { cwd: ROOT }).sort()];
const CLIENT = 'docs/guides/client.md';

/** Every line of a shell block that starts Node. */
const LINES = PAGES.flatMap((page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    block.split('\n').flatMap((line) => (/^(?:npx )?node /.test(line) ? [{ page, line }] : [])),
  );
});

/** PATH without what npm installed here, as a person has it. */
const OWN_PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

async function shell(line: string) {
  const env = { ...ENVIRONMENT, PATH: OWN_PATH };
  return await run('sh', ['-c', line], { cwd: ROOT, env }).then(
    ({ stdout }) => ({ failed: false, text: stdout }),
    ({ stderr }: { stderr: string }) => ({ failed: true, text: stderr }),
  );
}

const hasNode = OWN_PATH.split(delimiter).some((folder) => existsSync(join(folder, 'node')));

describe('lines of the pages that start Node', () => {
  let exchange: Awaited<ReturnType<typeof startBallast>>;
  let type: (line: string) => ReturnType<typeof shell>;
  beforeAll(async () => {
    exchange = await startBallast(['sim', '--port', '0', '--seed', '7', '--json']);
    const { baseUrl, wsUrl, accounts } = JSON.parse(exchange.firstLine) as {
      readonly baseUrl: string;
      readonly wsUrl: string;
      readonly accounts: readonly { readonly privateKey: string }[];
    };
    type = (line) =>
      shell(
        line
          .replace('http://127.0.0.1:8787', baseUrl)
          .replace('ws://127.0.0.1:8787/v1/ws', wsUrl)
          .replace('<privateKey>', accounts[1]?.privateKey ?? ''),
      );
  });
  afterAll(() => exchange.stop());

  test('are those that are looked at here', () => {
    const files = LINES.map(({ page, line }) => [
      page,
      line.startsWith('npx '),
      / (\S+\.m?[jt]s)/.exec(line)?.[1],
    ]);
    expect(files).toEqual([
      ['backtest/README.md', true, 'scripts/sample-tape.ts'],
      [CLIENT, true, 'docs/guides/examples/client.mjs'],
      ['docs/guides/simulator.md', false, 'docs/guides/examples/watch-book.mjs'],
      ['docs/guides/simulator.md', false, 'docs/guides/examples/place-order.mjs'],
    ]);
  });

  test('ask for the installed Node where they load TypeScript', () => {
    for (const { line } of LINES)
      if (/ballast-source|\.ts\b/.test(line)) expect(line).toMatch(/^npx node --conditions=ballast-source /);
  });

  const plain = LINES.filter(({ line }) => line.startsWith('node '));
  test.skipIf(!hasNode).each(plain)('run with the Node of this machine: $line', async ({ line }) => {
    const { failed, text } = await type(line);
    expect([failed, text.length > 20], text).toEqual([false, true]);
  });

  test.skipIf(!hasNode)('of the client print what its page shows', async () => {
    const page = readFileSync(join(ROOT, CLIENT), 'utf8');
    const shown = /^```text\n(.*?)^```/ms.exec(page)?.[1] ?? '';
    const line = LINES.find((one) => one.page === CLIENT)?.line ?? '';
    const shape = (text: string) => text.replaceAll(/\d+/g, '#');
    expect(shape((await type(line)).text)).toBe(shape(shown));
  });

  test.skipIf(!hasNode)('say which Node is needed where the own one is too old', async () => {
    const { text: version } = await shell('node --version');
    const line = LINES.find((one) => one.page === CLIENT)?.line.replace('npx ', '') ?? '';
    const { failed, text } = await type(line);
    const isOld = Number(/^v(\d+)/.exec(version)?.[1]) < 24;
    expect(failed).toBe(isOld);
    if (isOld) expect(text).toContain('needs Node 24.12 or later');
  });
});
