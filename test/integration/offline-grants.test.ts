/** Grants without the main wallet's key on this machine: a file is signed elsewhere, and its signature is taken back. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKeyFile } from '../../src/bot/live/index.ts';
import { must, SystemClock, silentLog } from '../../src/core/index.ts';
import { type ServedExchange, serveExchange } from '../../src/exchange/host/index.ts';
import { ballast } from '../support/ballast-process.ts';
import { ROOT } from '../tidy/source.ts';

let folder: string;
let exchange: ServedExchange;
let maker: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-grants-'));
  exchange = await serveExchange({
    ...{ port: 0, seed: 3, clock: new SystemClock(), log: silentLog, accounts: 2, isQuiet: true },
    ...{ tape: undefined, symbol: undefined },
  });
  maker = (await makeKeyFile({ file: join(folder, 'maker.key'), passwordFile: undefined })).address;
  await makeKeyFile({ file: join(folder, 'taker.key'), passwordFile: undefined });
  writeFileSync(
    join(folder, 'bot.yaml'),
    JSON.stringify({
      environment: { name: 'test', baseUrl: exchange.server.baseUrl },
      account: { address: must(exchange.accounts[0], 'an account').address },
      wallets: [
        { name: 'maker', keyFile: 'maker.key' },
        { name: 'taker', keyFile: 'taker.key' },
      ],
      markets: [{ symbol: 'BTC-USD' }],
      strategies: [{ name: 'one', module: './one.ts', markets: ['BTC-USD'] }],
      risk: { capital: 1000 },
      log: { level: 'error' },
    }),
  );
});

afterAll(async () => {
  await exchange?.server.close();
  await exchange?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

/** A wallet in a process of its own: reads the file, and gives nothing but the signature. */
function signedElsewhere(file: string, account = 0): string {
  const script = `
    import { readFileSync } from 'node:fs';
    import { privateKeyToAccount } from 'viem/accounts';
    const [file, key] = process.argv.slice(1);
    const { ballast, ...typedData } = JSON.parse(readFileSync(file, 'utf8'));
    console.log(await privateKeyToAccount(key).signTypedData(typedData));
  `;
  const { privateKey } = must(exchange.accounts[account], 'an account');
  const args = ['--input-type=module', '-e', script, join(folder, file), privateKey];
  return execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

const keys = (...args: readonly string[]) => ballast(['keys', ...args], { cwd: folder });
const grants = async () => (await keys('list', 'bot.yaml')).stdout;
const OFFLINE = ['--offline', 'grant.json'];

describe('keys with --offline', () => {
  test('approve and revoke without a key, each by a file, a signature elsewhere and that signature', async () => {
    expect(await grants()).toBe('no API wallet is approved\n');
    const asked = await keys('approve', 'bot.yaml', '--wallet', 'maker', '--days', '7', ...OFFLINE);
    expect([asked.exitCode, asked.stderr]).toEqual([0, '']);
    const words = asked.stdout.replaceAll('\n', ' ');
    expect(words).toContain(`lets ${maker} (maker) trade on subaccount 0 until 20`);
    expect(JSON.parse(readFileSync(join(folder, 'grant.json'), 'utf8'))).toMatchObject({
      primaryType: 'ApproveAgent',
      message: { agent: maker },
      ballast: { change: 'approve', wallet: 'maker', agent: maker },
    });
    const approve = ['approve', 'bot.yaml', ...OFFLINE, '--signature'];
    expect(await grants()).toBe('no API wallet is approved\n');
    const approved = await keys(...approve, signedElsewhere('grant.json'));
    expect(approved.stdout).toMatch(new RegExp(`^maker ${maker}: approved until 20.*, receipt 0x`));
    expect(await grants()).toMatch(new RegExp(`^maker ${maker}: until 20`));

    const again = await keys(...approve, signedElsewhere('grant.json'));
    expect([again.exitCode, again.stderr]).toEqual([
      77,
      expect.stringMatching(/PREFLIGHT_GRANT_REQUEST_STALE.*`ballast keys list` shows/s),
    ]);

    await keys('revoke', 'bot.yaml', maker, ...OFFLINE);
    const revoked = await keys(
      'revoke',
      'bot.yaml',
      maker,
      ...OFFLINE,
      '--signature',
      signedElsewhere('grant.json'),
    );
    expect(revoked.stdout).toMatch(new RegExp(`^maker ${maker}: revoked, receipt 0x`));
    expect(await grants()).toBe('no API wallet is approved\n');
  });

  test('send nothing that the main wallet has not signed', async () => {
    await keys('approve', 'bot.yaml', '--wallet', 'maker', ...OFFLINE);
    const good = signedElsewhere('grant.json');
    const wrong = [
      [signedElsewhere('grant.json', 1), /expected the signature of the main wallet/],
      [good.replace(/.{4}$/, '0000'), /PREFLIGHT_GRANT_SIGNATURE/],
      [`${good.slice(0, 20)}${good[20] === '0' ? '1' : '0'}${good.slice(21)}`, /PREFLIGHT_GRANT_SIGNATURE/],
      ['0x12', /expected a signature of 64 or 65 bytes/],
    ] as const;
    for (const [signature, message] of wrong) {
      const { exitCode, stderr } = await keys('approve', 'bot.yaml', ...OFFLINE, '--signature', signature);
      expect([exitCode, stderr]).toEqual([77, expect.stringMatching(message)]);
    }
    // Another end of the grant than the one that was signed.
    const file = join(folder, 'grant.json');
    const document = JSON.parse(readFileSync(file, 'utf8'));
    document.ballast.validUntilMs += 86_400_000;
    writeFileSync(file, JSON.stringify(document));
    const changed = await keys('approve', 'bot.yaml', ...OFFLINE, '--signature', good);
    expect(changed.exitCode).toBe(77);
    writeFileSync(file, '{}');
    const empty = await keys('approve', 'bot.yaml', ...OFFLINE, '--signature', good);
    expect([empty.exitCode, empty.stderr]).toEqual([78, expect.stringMatching(/CONFIG_GRANT_FILE_INVALID/)]);
    expect(await grants()).toBe('no API wallet is approved\n');
  });

  test('ask for one wallet when there are more, since each has a signature of its own', async () => {
    const { exitCode, stderr } = await keys('approve', 'bot.yaml', ...OFFLINE);
    expect([exitCode, stderr]).toEqual([
      78,
      expect.stringMatching(/one wallet for one signature, got maker, taker/),
    ]);
  });

  test('take signatures in the other usual forms', async () => {
    for (const formOf of [
      (whole: string) => `${whole.slice(0, -2)}${whole.endsWith('1b') ? '00' : '01'}`,
      (whole: string) => {
        const s = BigInt(`0x${whole.slice(66, 130)}`) | (whole.endsWith('1c') ? 1n << 255n : 0n);
        return `${whole.slice(0, 66)}${s.toString(16).padStart(64, '0')}`;
      },
    ]) {
      await keys('approve', 'bot.yaml', '--wallet', 'maker', ...OFFLINE);
      const signature = formOf(signedElsewhere('grant.json'));
      const { exitCode, stderr } = await keys('approve', 'bot.yaml', ...OFFLINE, '--signature', signature);
      expect([exitCode, stderr]).toEqual([0, '']);
    }
  });
});
