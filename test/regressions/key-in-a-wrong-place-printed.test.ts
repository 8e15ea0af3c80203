/**
 * Symptom: a private key in a wrong place (an argument, an address, the name of a file) stood in the error that refused it,
 * as digits or as the number that they make.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ballast } from '../support/ballast-process.ts';

/** No key of anybody: digits by formula. */
const KEY = Array.from({ length: 64 }, (_, at) => ((at * 7 + 3) % 16).toString(16)).join('');
const DECIMAL = BigInt(`0x${KEY}`).toString();
const FORMS = [`0x${KEY}`, KEY, KEY.toUpperCase(), DECIMAL];
const BASE = {
  environment: { name: 'sim' },
  markets: [{ symbol: 'BTC-USD' }],
  strategies: [{ name: 's', module: './s.ts', markets: ['BTC-USD'] }],
  risk: { capital: '10000' },
};

function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

async function expectHidden(cwd: string, ...args: readonly string[]): Promise<void> {
  const { stdout, stderr, exitCode } = await ballast(args, { cwd });
  const said = `${stdout}${stderr}`.toLowerCase();
  expect(exitCode).not.toBe(0);
  expect(said).toContain('this looks like a private key');
  // No part of it either.
  for (const digits of [KEY, DECIMAL]) {
    for (let at = 0; at + 12 <= digits.length; at++) expect(said).not.toContain(digits.slice(at, at + 12));
  }
}

test.each([
  ['an argument too many', (key: string) => ['keys', 'approve', 'bot.yaml', key]],
  ['a configuration', (key: string) => ['run', key]],
  ['a command', (key: string) => [key]],
  ['an option', (key: string) => ['run', 'bot.yaml', `--${key}`]],
  ['a number', (key: string) => ['sim', '--seed', key]],
  ['a duration', (key: string) => ['run', 'bot.yaml', '--duration', key]],
  ['a choice', (key: string) => ['run', 'bot.yaml', '--mode', key]],
  ['a tape', (key: string) => ['tape', 'info', key]],
  ['a run', (key: string) => ['replay', key]],
  ['a file of keys', (key: string) => ['conformance', '--base-url', 'http://127.0.0.1:1', '--keys', key]],
])('on the command line as %s', async (_what, args) => {
  const folder = folderWith({ 'bot.yaml': BASE });
  await Promise.all(FORMS.map((key) => expectHidden(folder, ...args(key))));
});

test.each([
  ['an address', (key: string) => ({ account: { address: key } })],
  ['an address behind other letters', (key: string) => ({ account: { address: `${'x'.repeat(50)}${key}` } })],
  ['a key file', (key: string) => ({ wallets: [{ name: 'a', role: 'trading', keyFile: key }] })],
  ['an unknown key', (key: string) => ({ [`k${key}`]: 'x' })],
  ['a market', (key: string) => ({ markets: [{ symbol: key }] })],
  ['a name', (key: string) => ({ strategies: [{ ...BASE.strategies[0], name: key }] })],
  ['a module', (key: string) => ({ strategies: [{ ...BASE.strategies[0], module: `./${key}` }] })],
])('in a configuration as %s', async (_what, part) => {
  const files = FORMS.map((key, at) => [`${at}.yaml`, { ...BASE, ...part(key) }] as const);
  const folder = folderWith(Object.fromEntries(files));
  await Promise.all(files.map(([name]) => expectHidden(folder, 'config', 'check', name)));
});

test('as the configuration itself', async () => {
  const folder = folderWith({ 'bot.key': `0x${KEY}\n` });
  await expectHidden(folder, 'config', 'check', 'bot.key');
});

test('but the hash of a strategy stays readable', async () => {
  const hash = KEY;
  const module = join(process.cwd(), 'strategies', 'ping-pong', 'index.ts');
  const folder = folderWith({
    'bot.yaml': { ...BASE, strategies: [{ ...BASE.strategies[0], module, sha256: hash }] },
  });
  const { exitCode, stderr } = await ballast(['config', 'check', 'bot.yaml'], { cwd: folder });
  expect(exitCode).toBe(78);
  expect(stderr).toContain(hash);
});
