/** @module docs/guides/bars.md: its strategy, its configuration and its files are run as they stand there. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ballast } from '../support/ballast-process.ts';
import { ROOT } from '../tidy/source.ts';

const PAGE = readFileSync(join(ROOT, 'docs/guides/bars.md'), 'utf8');
const FOLDER = mkdtempSync(join(tmpdir(), 'ballast-bars-'));
const COMMAND = 'npx ballast bars breakout.yaml --csv hours.csv --funding funding.csv --slippage-ticks 5';

function blocks(language: string): string[] {
  const found = PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
  return [...found].map(([, block = '']) => block);
}

const LIVE = 'npx ballast run breakout.yaml --duration 5s';

/** The arguments of a command of the page, with its files where they are. */
const argsOf = (command: string) =>
  command
    .split(' ')
    .slice(2)
    .map((word) => (/\.(?:yaml|csv)$/.test(word) ? join(FOLDER, word) : word));
const args = argsOf(COMMAND);

beforeAll(() => {
  const [hours = '', funding = ''] = blocks('csv');
  const files = {
    'breakout.ts': blocks('ts')[0],
    'breakout.yaml': blocks('yaml')[0],
    'hours.csv': hours,
    'funding.csv': funding,
  };
  for (const [name, text = ''] of Object.entries(files)) writeFileSync(join(FOLDER, name), text);
});
afterAll(() => rmSync(FOLDER, { recursive: true }));

describe('docs/guides/bars.md', () => {
  test('runs as it says, and shows what is printed', async () => {
    expect(blocks('sh')).toEqual([`${COMMAND}\n`, `${LIVE}\n`]);
    const { stdout, stderr, exitCode } = await ballast(args);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    for (const line of (blocks('text')[0] ?? '').trimEnd().split('\n')) expect(stdout).toContain(`${line}\n`);
  });

  test('gives the same document twice, with the prices of its text', async () => {
    const [first, second] = [await ballast([...args, '--json']), await ballast([...args, '--json'])];
    expect(second.stdout).toBe(first.stdout);
    const { trades } = JSON.parse(first.stdout) as { trades: Readonly<Record<string, readonly unknown[]>> };
    expect(trades).toMatchObject({
      openPrice: ['60350.5', '61250.5'],
      closePrice: ['60299.5', '60024.9'],
      reason: ['rule', 'stop'],
    });
  });

  test('leaves a page, and a record that says the same', async () => {
    const [page, out] = [join(FOLDER, 'page.html'), join(FOLDER, 'run')];
    const ran = await ballast([...args, '--html', page, '--out', out]);
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readFileSync(page, 'utf8')).toContain('<html');
    const report = await ballast(['report', out]);
    expect(report.exitCode).toBe(0);
    expect(ran.stdout.startsWith(report.stdout.trimEnd())).toBe(true);
  });

  test('runs the same module live, on the exchange in the box', async () => {
    const { stdout, exitCode } = await ballast([...argsOf(LIVE), '--json']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('"reconciled":true');
  });
});
