/** docs/coming-from: its names exist, its code is that of its examples, and each example ends with a result on the sample tape. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import emaBrackets from '../../docs/coming-from/ema-brackets.ts';
import pureMarketMaking from '../../docs/coming-from/pure-market-making.ts';
import queueGrid from '../../docs/coming-from/queue-grid.ts';
import rsiCrossing from '../../docs/coming-from/rsi-crossing.ts';
import { isProven } from '../../src/bot/live/index.ts';
import { runInProcess } from '../../src/cli/compose/index.ts';
import { loadConfig, tapeOf } from '../../src/config/index.ts';
import { runConfiguredBars } from '../../src/research/bars/index.ts';
import { runOnTape } from '../../src/testing/index.ts';
import { isNameThatExists, isSdkName } from '../support/documented-names.ts';
import { ROOT } from '../tidy/source.ts';

const FOLDER = join(ROOT, 'docs', 'coming-from');
const EXAMPLES = [pureMarketMaking, rsiCrossing, queueGrid, emaBrackets];
const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));
const sources = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'));

/** What our side of the table of words may also name: a value of a key, a file, an entry point of `ballast/...`. */
const OTHER =
  /^(?:[a-z]+(?:[.-][a-z]+)*: ?\S+|queue-[\w-]+|fifo|look-ahead|canceled|rejected|parameters|bar|markets|paper|feeds|strategies|environment)$/;

describe.each(pages)('%s', (name) => {
  const page = readFileSync(join(FOLDER, name), 'utf8');

  test('shows code of its example, word for word', () => {
    const blocks = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = '']) => block);
    expect(blocks).toHaveLength(1);
    for (const block of blocks) expect(sources.some((source) => source.includes(block))).toBe(true);
  });

  test('names what is there on our side of its words', () => {
    const words = page.split('## Words')[1]?.split('\n## ')[0] ?? '';
    const ours = words
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2)
      .map((line) => line.split('|')[2] ?? '');
    expect(ours.length).toBeGreaterThan(10);
    const names = ours.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one));
    const wrong = names.filter((one) => {
      const command = one.replace(/ --[\w-]+.*$/, '');
      return !isNameThatExists(command) && !isSdkName(one) && !OTHER.test(one);
    });
    expect(wrong).toEqual([]);
  });
});

describe.each(EXAMPLES.map((one) => one.name))('%s.ts', (name) => {
  const config = join(FOLDER, `${name}.yaml`);

  test('ends with a result on the sample tape', async () => {
    const { record } = await runOnTape(config);
    expect(record.fills.length).toBeGreaterThan(0);
    expect(record.residual).toBe(0n);
  });

  test('is proven on the exchange in the box', async () => {
    const { report } = await runInProcess({ source: loadConfig(config), seed: 7, forMs: 20_000 });
    expect(isProven(report)).toBe(true);
  });
});

test('rsi-crossing.ts runs over bars, too', async () => {
  const source = loadConfig(join(FOLDER, 'rsi-crossing.yaml'));
  const { bars, record } = await runConfiguredBars({ source, tape: tapeOf(source.config, undefined) });
  expect(bars.close.length).toBeGreaterThan(50);
  expect(record.fills.length).toBeGreaterThan(0);
});
