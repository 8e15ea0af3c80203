import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { walletConfig, withMainKey } from '../support/approve-scene.ts';
import { ballast, type Ended, startBallast } from '../support/ballast-process.ts';
import { picture, snapshotFile } from './snapshot.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ballast-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The picture without what differs from run to run. */
function still(args: readonly string[], ended: Ended): string {
  return picture(args, ended)
    .replaceAll(folder, '<folder>')
    .replaceAll(/0x[0-9a-f]{40}(?![0-9a-f])/g, '<address>');
}

describe('keys new', () => {
  test('makes a key of mode 600 and prints its address, never the key', async () => {
    const file = join(folder, 'keys', 'maker.key');
    const args = ['keys', 'new', file];
    const ended = await ballast(args);
    await expect(still(args, ended)).toMatchFileSnapshot(snapshotFile('keys/new'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const key = readFileSync(file, 'utf8').trim();
    expect(key).toMatch(/^0x[0-9a-f]{64}$/);
    expect(ended.stdout + ended.stderr).not.toContain(key.slice(2, 20));
  });

  test('does not write over a key', async () => {
    const file = join(folder, 'maker.key');
    writeFileSync(file, 'mine');
    const args = ['keys', 'new', file];
    const ended = await ballast(args);
    await expect(still(args, ended)).toMatchFileSnapshot(snapshotFile('keys/exists'));
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('encrypts with the password of a file, and refuses one that others can read', async () => {
    const password = join(folder, 'password');
    writeFileSync(password, 'correct horse\n', { mode: 0o644 });
    const args = ['keys', 'new', join(folder, 'maker.json'), '--password-file', password, '--json'];
    const open = await ballast(args);
    await expect(still(args, open)).toMatchFileSnapshot(snapshotFile('keys/password-open'));
    rmSync(password);
    writeFileSync(password, 'correct horse\n', { mode: 0o600 });
    const ended = await ballast(args);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ schema: 1, kind: 'keystore v3' });
    expect(JSON.parse(readFileSync(join(folder, 'maker.json'), 'utf8'))).toMatchObject({ version: 3 });
  });
});

describe('keys approve', () => {
  test('asks for the main key, takes it from an open file, and stores nothing', async () => {
    const exchange = await startBallast(['sim', '--port', '0', '--no-participants', '--json']);
    try {
      const { baseUrl, accounts } = JSON.parse(exchange.firstLine) as {
        baseUrl: string;
        accounts: { address: string; privateKey: string }[];
      };
      const [own, other] = accounts;
      const args = ['keys', 'approve', await walletConfig(folder, baseUrl, own?.address ?? '')];
      const unasked = await ballast(args);
      await expect(still(args, unasked)).toMatchFileSnapshot(snapshotFile('keys/approve-without-terminal'));
      const foreign = await approve(args, other?.privateKey ?? '');
      await expect(still(args, foreign)).toMatchFileSnapshot(snapshotFile('keys/approve-foreign-key'));
      const approved = await approve(args, own?.privateKey ?? '');
      const seen = still(args, approved)
        .replace(/until \S+,/, 'until <time>,')
        .replace(/0x[0-9a-f]{64}, seq \d+/, '<request>, seq <seq>');
      await expect(seen).toMatchFileSnapshot(snapshotFile('keys/approve'));
    } finally {
      await exchange.stop();
    }
  });

  /** Runs it with the main key on a descriptor. */
  function approve(args: readonly string[], key: string): Promise<Ended> {
    return withMainKey(folder, key, (descriptor) => ballast([...args, '--key-fd', '3'], { descriptor }));
  }
});
