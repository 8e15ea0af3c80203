/** `keys approve --key-fd 3 3< file` did not find the file through npm and npx: they hand on three descriptors only. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ballast, ENVIRONMENT, startBallast } from '../support/ballast-process.ts';
import { ROOT } from '../tidy/source.ts';

const run = promisify(execFile);

let folder = '';
let exchange: Awaited<ReturnType<typeof startBallast>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-key-'));
  exchange = await startBallast(['sim', '--port', '0', '--no-participants', '--json']);
  const { baseUrl, accounts } = JSON.parse(exchange.firstLine) as {
    readonly baseUrl: string;
    readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
  };
  const [account] = accounts;
  await ballast(['keys', 'new', join(folder, 'bot.key')]);
  writeFileSync(join(folder, 'main.key'), `${account?.privateKey}\n`);
  writeFileSync(
    join(folder, 'bot.yaml'),
    `environment:
  name: test
  baseUrl: ${baseUrl}
account:
  address: '${account?.address}'
wallets:
  - name: bot
    keyFile: bot.key
markets:
  - symbol: BTC-USD
strategies:
  - name: first
    module: ${join(ROOT, 'docs/guides/examples/first-strategy.ts')}
    markets: [BTC-USD]
    parameters:
      size: 0.001
risk:
  capital: 10000
`,
  );
  const scripts = { approve: 'ballast keys approve bot.yaml' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bot', scripts }));
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(join(ROOT, 'bin', 'ballast.mjs'), join(folder, 'node_modules', '.bin', 'ballast'));
});
afterAll(async () => {
  await exchange?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A line of bash, as a person types it in the project. */
async function typed(line: string): Promise<string> {
  return await run('bash', ['-c', line], { cwd: folder, env: ENVIRONMENT }).then(
    ({ stdout }) => stdout,
    ({ stderr }: { stderr: string }) => stderr,
  );
}

describe.skipIf(process.platform !== 'linux')('the main wallet key', () => {
  test.each([
    ['npx and a file', 'npx --offline ballast keys approve bot.yaml --key-fd 3 3< main.key'],
    ['npx and a pipe', 'npx --offline ballast keys approve bot.yaml --key-fd 5 5< <(cat main.key)'],
    ['a script of npm and a file', 'npm run -s approve -- --key-fd 3 3< main.key'],
    ['npx and the standard input', 'npx --offline ballast keys approve bot.yaml --key-fd 0 < main.key'],
    ['the launcher itself', 'node_modules/.bin/ballast keys approve bot.yaml --key-fd 3 3< main.key'],
  ])('arrives through %s', async (_through, line) => {
    expect(await typed(line)).toContain('approved until');
  });

  test.each([3, 4, 12])('is no file of Node or npm where nobody opened descriptor %i', async (descriptor) => {
    const said = await typed(
      `npx --offline ballast keys approve bot.yaml --key-fd ${descriptor} < /dev/null`,
    );
    expect(said).toContain(`expected a key in the open file ${descriptor}, but nothing is in it`);
  });
});
