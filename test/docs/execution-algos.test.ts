/** docs/guides/execution-algos.md says what is: its code is that of its example, which works as it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import example from '../../docs/guides/examples/buy-and-guard.ts';
import { isProven } from '../../src/bot/live/index.ts';
import * as sdk from '../../src/bot/strategy/index.ts';
import { defineStrategy, param, type StrategyContext } from '../../src/bot/strategy/index.ts';
import { runInProcess } from '../../src/cli/compose/index.ts';
import { parseConfig } from '../../src/config/index.ts';
import { seededRandom } from '../../src/core/index.ts';
import { ExecutionVenue, NO_TROUBLE } from '../support/execution-venue.ts';
import { ROOT } from '../tidy/source.ts';

const FOLDER = join(ROOT, 'docs', 'guides');
const page = readFileSync(join(FOLDER, 'execution-algos.md'), 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1] ?? '');

/** The example with its parameters, as a strategy that takes none. */
const fixed = defineStrategy({
  name: 'fixed',
  parameters: param.object({}),
  create: (context: StrategyContext) =>
    example.create(context, {
      ...{ total: '0.100', slices: '4', sliceEvery: '1s', takeProfitPpm: '500', holdAtMost: '30s' },
    }).handlers,
});

describe('execution-algos.md', () => {
  test('shows code that is there, word for word', () => {
    const sources = [
      'docs/guides/examples/buy-and-guard.ts',
      'docs/guides/examples/buy-in-brackets.ts',
      'src/bot/strategy/algos/iceberg.ts',
    ].map((file) => readFileSync(join(ROOT, file), 'utf8'));
    expect(blocks('ts').length).toBeGreaterThanOrEqual(3);
    for (const block of blocks('ts')) expect(sources.some((source) => source.includes(block))).toBe(true);
  });

  test('names components that the SDK has', () => {
    const names = [...page.matchAll(/^\| `(?:new )?(\w+)\(context/gm)].map((match) => match[1] ?? '');
    expect(names).toHaveLength(8);
    for (const name of names) expect(sdk).toHaveProperty(name);
  });

  test('runs its configuration in the exchange in the box: bought, guarded, proven', async () => {
    const [text = ''] = blocks('yaml');
    const source = parseConfig(text, join(FOLDER, 'examples', 'guarded.yaml'));
    const { report, fills } = await runInProcess({ source, seed: 7, forMs: 20_000 });
    expect(isProven(report)).toBe(true);
    const bought = fills.filter(({ side }) => side === 'buy').reduce((sum, fill) => sum + fill.sizeLots, 0);
    // 0.01 BTC at 0.0001 a lot.
    expect(bought).toBe(100);
  });
});

test('buy-in-brackets.ts enters and ends brackets in the exchange in the box, and leaves nothing', async () => {
  const text = `environment: {name: sim}
markets: [{symbol: BTC-USD}]
strategies:
  - name: brackets
    module: ./buy-in-brackets.ts
    markets: [BTC-USD]
    parameters: {size: 0.005, stopPpm: 300, takeProfitPpm: 300, period: 1s}
risk: {capital: 10000, postOnly: false, maxSameSideFillsPer10s: 200, maxTurnoverPer10s: 1000%}
`;
  const source = parseConfig(text, join(FOLDER, 'examples', 'brackets.yaml'));
  const { report, fills } = await runInProcess({ source, seed: 7, forMs: 60_000 });
  expect(isProven(report)).toBe(true);
  expect(new Set(fills.map(({ side }) => side))).toEqual(new Set(['buy', 'sell']));
});

describe('buy-and-guard.ts', () => {
  test('buys exactly its size and sells exactly that, through restarts and trouble', () => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const random = seededRandom(seed);
      const trouble = { denied: 0.1, rejected: 0.1, late: 0.3, crash: 0.1 };
      const venue = new ExecutionVenue(fixed, { random, trouble });
      for (let step = 0; step < 40; step++) venue.step();
      venue.trouble = NO_TROUBLE;
      for (let step = 0; step < 400 && venue.run.stopReason === undefined; step++) venue.step();
      expect(venue.run.stopReason).toBe('sold: time');
      expect(venue.executedLots).toBe(0);
      expect(venue.market.inventoryLots).toBe(0);
      expect(venue.resting).toBe(0);
      expect(venue.boughtLots).toBe(100);
    }
  });
});
