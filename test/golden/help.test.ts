import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandHelps } from '../../scripts/reference.ts';
import { ballast } from '../support/ballast-process.ts';
import { picture, shownHelps, snapshotFile } from './snapshot.ts';

const helps = await commandHelps();

/** What a help says of its command, of the commands below it and of each option, without wraps and types. */
function descriptions(help: string): readonly string[] {
  const [, about = '', ...rest] = help.split('\n\n');
  const entries = rest
    .join('\n')
    // Beside an option with a short form, the others are indented.
    .replaceAll(/\n {6}(?=--)/g, '\n  ')
    .replaceAll(/\n {4,}(?=\S)/g, ' ')
    .split('\n');
  const texts = entries.flatMap((line) => /^ {2}\S.*? {2,}(\S.*)$/.exec(line)?.[1] ?? []);
  return [about, ...texts].map((text) => text.replaceAll(/ *\[[^\]]*\]/g, ''));
}

describe('help', () => {
  test.each([...helps])('%s --help says what it does and takes', async (name, text) => {
    await expect(`${text}\n`).toMatchFileSnapshot(snapshotFile(`help/${name.replaceAll(' ', '-')}`));
  });

  test('there is a command for each snapshot: the reference is made of them', () => {
    expect([...shownHelps().keys()]).toEqual([...helps.keys()]);
  });

  test('there is a command for each file of commands, and the other way round', () => {
    const files = readdirSync(join(import.meta.dirname, '../../src/cli'), { withFileTypes: true });
    const commands = files.filter((one) => one.isFile()).map(({ name }) => name.replace(/\.ts$/, ''));
    const words = new Set([...helps.keys()].flatMap((name) => name.split(' ').slice(1, 2)));
    expect(commands.filter((name) => name !== 'main' && name !== 'resolve-ballast').sort()).toEqual(
      [...words].sort(),
    );
  });

  test('fits into 80 columns, and says what each command and option does in at most 60 characters', () => {
    const lines = [...helps.values()].flatMap((text) => text.split('\n'));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    // yargs puts the type right behind a text that leaves it no room.
    expect(lines.filter((line) => /\S\[(?:string|boolean|array)\]/.test(line))).toEqual([]);
    const texts = [...helps.values()].flatMap(descriptions);
    expect(texts.length).toBeGreaterThan(150);
    expect(texts.filter((text) => text.length > 60)).toEqual([]);
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
    ['two-unknown-options', ['sim', '--color', 'red', '--size', '3']],
    ['group-without-command', ['keys']],
    ['malformed-duration', ['demo', '--duration', '20 seconds']],
    ['malformed-number', ['sim', '--port', '80a']],
    ['number-too-large', ['sim', '--port', '70000']],
    ['unknown-mode', ['run', 'configs/demo.yaml', '--mode', 'dry']],
    ['symbol-without-a-tape', ['demo', '--symbol', 'BTCUSDT']],
    ['tape-in-mode-sim', ['run', 'configs/demo.yaml', '--tape', 'tapes/standx']],
    ['speed-without-a-tape', ['paper', 'configs/demo.yaml', '--speed', '200']],
  ])(
    '%s: names what is wrong, shows the help on standard error unless it names what is meant, exit 64',
    async (name, args) => {
      const ended = await ballast(args);
      expect(ended).toMatchObject({ exitCode: 64, stdout: '' });
      // The help is a picture of its own: which one is shown is enough here.
      const help = [...helps].find(([, text]) => ended.stderr.trimEnd().endsWith(`\n\n${text}`));
      const stderr =
        help === undefined ? ended.stderr : ended.stderr.replace(help[1], `(help of ${help[0]})`);
      if (help === undefined) expect(stderr).toMatch(/did you mean [\s\S]* --help` lists what there is\.\n/);
      await expect(picture(args, { ...ended, stderr })).toMatchFileSnapshot(snapshotFile(`usage/${name}`));
    },
  );
});
