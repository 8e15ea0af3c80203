/** @module Completion of shells: it knows each command and option that the help shows, and bash takes its script. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ballast } from '../support/ballast-process.ts';
import { shownHelps } from './snapshot.ts';

const script = async (shell: string): Promise<string> => {
  const { stdout, exitCode } = await ballast(['completion', shell]);
  expect(exitCode).toBe(0);
  return stdout;
};

/** What bash offers behind some words. */
function offered(bash: string, words: readonly string[]): readonly string[] {
  const list = ['ballast', ...words].map((word) => `'${word}'`).join(' ');
  const source = `${bash}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length}; _ballast; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', source], { encoding: 'utf8' })
    .split('\n')
    .filter((one) => one !== '');
}

describe.skipIf(!existsSync('/bin/bash'))('completion in bash', () => {
  test('offers each command and each option that the help shows', async () => {
    const bash = await script('bash');
    for (const [name, help] of shownHelps()) {
      const words = name.split(' ').slice(1);
      const found = new Set(offered(bash, [...words, '']));
      const options = [...help.matchAll(/^ {2,6}(?:-[a-z], )?--([a-z-]+)/gm)].map((match) => `--${match[1]}`);
      expect(
        options.filter((option) => option !== '--version' && !found.has(option)),
        name,
      ).toEqual([]);
      const below = [...shownHelps().keys()].filter((other) => other.startsWith(`${name} `));
      const next = new Set(below.map((other) => other.split(' ')[words.length + 1] ?? ''));
      expect(
        [...next].filter((word) => !found.has(word)),
        name,
      ).toEqual([]);
    }
  });

  test('completes what was begun, at any depth and behind options', async () => {
    const bash = await script('bash');
    expect(offered(bash, ['docto'])).toEqual(['doctor']);
    expect(offered(bash, ['keys', 'app'])).toEqual(['approve']);
    expect(offered(bash, ['doctor', 'mine.yaml', '--prod'])).toEqual(['--production']);
    expect(offered(bash, ['completion', 'f'])).toEqual(['fish']);
    expect(offered(bash, ['nothing-like-it'])).toEqual([]);
  });
});

test('zsh and fish have scripts with the same commands', async () => {
  const [zsh, fish] = await Promise.all(['zsh', 'fish'].map(script));
  expect(zsh).toContain('bashcompinit');
  for (const name of shownHelps().keys()) {
    const last = name.split(' ').at(-1) ?? '';
    if (name !== 'ballast') expect(fish).toContain(`-a '${last}'`);
  }
});

test('error: another shell is named with those there are', async () => {
  const { stderr, exitCode } = await ballast(['completion', 'tcsh']);
  expect(exitCode).toBe(64);
  expect(stderr).toContain('expected one of "bash", "zsh", "fish"');
});
