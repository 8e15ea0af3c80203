/** docs/guides/client.md: the example and the lines of the shell do what the page shows. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BALLAST, ENVIRONMENT, startBallast } from '../support/ballast-process.ts';
import { ROOT } from '../tidy/source.ts';

const GUIDE = readFileSync(join(ROOT, 'docs/guides/client.md'), 'utf8');
const run = promisify(execFile);

function blocks(language: string): string[] {
  return [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, block = '']) => block,
  );
}

interface FirstLine {
  readonly baseUrl: string;
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
}

describe('docs/guides/client.md', () => {
  let exchange: Awaited<ReturnType<typeof startBallast>>;
  let first: FirstLine;
  beforeAll(async () => {
    exchange = await startBallast(['sim', '--port', '0', '--seed', '7', '--json']);
    first = JSON.parse(exchange.firstLine) as FirstLine;
  });
  afterAll(async () => {
    await exchange.stop();
  });

  async function type(line: string): Promise<string> {
    const [account] = first.accounts;
    const command = line
      .replace('http://127.0.0.1:8787', first.baseUrl)
      .replace('<privateKey>', account?.privateKey ?? '')
      .replace('<address>', account?.address ?? '')
      .replace(/^node /, `${BALLAST[0]} `)
      .replace(/^npx ballast api (.*)$/, `${BALLAST.join(' ')} api $1 --base-url ${first.baseUrl}`);
    return (await run('sh', ['-c', command], { cwd: ROOT, env: ENVIRONMENT })).stdout;
  }
  const lines = blocks('sh').flatMap((block) => block.trimEnd().split('\n'));

  test('the example prints what the page shows', async () => {
    const line = lines.find((one) => one.includes('client.mjs')) ?? '';
    const shape = (text: string): string => text.replaceAll(/account \d+|at \d+/g, '#');
    expect(shape(await type(line))).toBe(shape(blocks('text')[0] ?? ''));
  });

  test.each(lines.filter((line) => line.startsWith('npx ballast api ')))('%s', async (line) => {
    expect(JSON.parse(await type(line))).not.toHaveProperty('error');
  });

  test('every line is tried', () => {
    expect(lines.filter((line) => !/client\.mjs|^npx ballast api /.test(line))).toEqual([
      'npx ballast sim --port 8787 --seed 7 --json',
    ]);
  });
});
