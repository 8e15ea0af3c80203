import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandHelps } from '../../scripts/reference.ts';
import { ballast } from '../support/ballast-process.ts';
import { picture, shownHelps, snapshotFile } from './snapshot.ts';

const helps = await commandHelps();

describe('help', () => {
  test.each([...helps])('%s --help says what it does and takes', async (name, text) => {
    await expect(`${text}\n`).toMatchFileSnapshot(snapshotFile(`help/${name.replaceAll(' ', '-')}`));
  });

  test('there is a command for each snapshot: the reference is made of them', () => {
    expect([...shownHelps().keys()]).toEqual([...helps.keys()]);
  });

  test('there is a command for each file of commands', () => {
    const files = readdirSync(join(import.meta.dirname, '../../src/cli/commands'));
    const words = [...helps.keys()].join(' ');
    expect(
      files.map((file) => file.replace(/(?:-\w+)?\.ts$/, '')).filter((word) => !words.includes(word)),
    ).toEqual([]);
  });

  test('--version is that of package.json, on standard output', async () => {
    const { stdout, stderr, exitCode } = await ballast(['--version']);
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: '0.1.0\n', stderr: '', exitCode: 0 });
  });
});

describe('a wrong command line', () => {
  test.each([
    ['no-command', []],
    ['unknown-command', ['dmeo']],
    ['unknown-option', ['demo', '--fro', '20s']],
    ['no-config', ['run']],
    ['no-value', ['demo', '--seed']],
    ['two-unknown-options', ['sim', '--colour', 'red', '--size', '3']],
    ['group-without-command', ['keys']],
    ['malformed-duration', ['demo', '--for', '20 seconds']],
    ['malformed-number', ['sim', '--port', '80a']],
    ['number-too-large', ['sim', '--port', '70000']],
    ['unknown-mode', ['run', 'configs/demo.yaml', '--mode', 'dry']],
    ['symbol-without-a-tape', ['demo', '--symbol', 'BTCUSDT']],
    ['tape-in-mode-sim', ['run', 'configs/demo.yaml', '--tape', 'tapes/standx']],
    ['speed-without-a-tape', ['paper', 'configs/demo.yaml', '--speed', '200']],
  ])('%s: names what is wrong, shows the help on standard error, exit 64', async (name, args) => {
    const ended = await ballast(args);
    expect(ended).toMatchObject({ exitCode: 64, stdout: '' });
    // The help is a picture of its own: which one is shown is enough here.
    const help = [...helps].find(([, text]) => ended.stderr.trimEnd().endsWith(`\n\n${text}`));
    const stderr = ended.stderr.replace(help?.[1] ?? /$/, `(help of ${help?.[0]})`);
    await expect(picture(args, { ...ended, stderr })).toMatchFileSnapshot(snapshotFile(`usage/${name}`));
  });
});
