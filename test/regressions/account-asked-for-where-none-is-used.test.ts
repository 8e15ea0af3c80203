/** A first look at a gateway, a recording or a paper run, wanted an account, a wallet and a key file that it never used. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ballast, startBallast } from '../support/ballast-process.ts';

let folder = '';
let exchange: Awaited<ReturnType<typeof startBallast>>;
let config = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-first-'));
  config = join(folder, 'first.yaml');
  exchange = await startBallast(['sim', '--port', '0', '--json']);
  const { baseUrl } = JSON.parse(exchange.firstLine) as { readonly baseUrl: string };
  writeFileSync(
    config,
    `environment:
  name: test
  baseUrl: ${baseUrl}
markets:
  - symbol: BTC-USD
strategies:
  - name: first
    module: ${join(process.cwd(), 'docs/guides/examples/first-strategy.ts')}
    markets: [BTC-USD]
    parameters:
      size: 0.001
risk:
  capital: 10000
`,
  );
});
afterAll(async () => {
  await exchange?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a gateway without an account is recorded and traded on paper', async () => {
  const checked = await ballast(['config', 'check', config]);
  expect(checked).toMatchObject({ exitCode: 0 });
  expect(checked.stdout).toContain('orders need account.address, wallets');
  const recorded = await ballast([
    'record',
    config,
    '--out',
    join(mkdtempSync(join(folder, 'record-')), 'tape'),
    '--duration',
    '1s',
    '--json',
  ]);
  expect(recorded.exitCode, recorded.stderr).toBe(0);
  const paper = await ballast(['paper', config, '--duration', '1s', '--json']);
  expect(paper.exitCode, paper.stderr).toBe(0);
});

test('where the key files of its wallets are not on this machine, it is recorded and traded on paper all the same', async () => {
  const withWallets = join(folder, 'wallets.yaml');
  writeFileSync(
    withWallets,
    `${readFileSync(config, 'utf8')}account:
  address: '0x00000000000000000000000000000000000000aa'
wallets:
  - name: maker
    keyFile: ./elsewhere/maker.key
`,
  );
  const out = join(mkdtempSync(join(folder, 'record-')), 'tape');
  for (const line of [
    ['record', withWallets, '--out', out],
    ['paper', withWallets],
  ]) {
    const ended = await ballast([...line, '--duration', '1s']);
    expect(ended.exitCode, ended.stderr).toBe(0);
  }
  const { exitCode, stderr } = await ballast(['run', withWallets, '--mode', 'live']);
  expect(exitCode).toBe(78);
  expect(stderr).toContain('elsewhere/maker.key');
});

test('a recording needs neither strategies nor limits; a run names both', async () => {
  const bare = join(folder, 'bare.yaml');
  writeFileSync(bare, 'environment:\n  name: sim\nmarkets:\n  - symbol: BTC-USD\n');
  const out = join(mkdtempSync(join(folder, 'record-')), 'tape');
  const recorded = await ballast(['record', bare, '--out', out, '--duration', '1s']);
  expect(recorded.exitCode, recorded.stderr).toBe(0);
  const { exitCode, stderr } = await ballast(['run', bare, '--duration', '1s']);
  expect(exitCode).toBe(78);
  expect(stderr).toMatch(/strategies: expected a list[\s\S]*risk: expected a section/);
});

test.each([
  ['run', ['--mode', 'live']],
  ['doctor', []],
])('%s names what orders need, before any connection', async (command, options) => {
  const { exitCode, stderr } = await ballast([command, config, ...options]);
  expect(exitCode).toBe(78);
  expect(stderr).toContain('account.address: expected the main wallet address, got nothing');
  expect(stderr).toContain('wallets: expected at least one wallet of role trading, got none');
});
