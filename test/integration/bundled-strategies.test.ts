/** Every bundled strategy in a whole bot on virtual time, from the configuration that is shipped with it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { problemsOf, runWholeBot } from '../support/whole-bot.ts';
import { ROOT } from '../tidy/source.ts';

/** The two-sided ladder is what the demo runs. */
const names = readdirSync(join(ROOT, 'strategies')).map((name) =>
  name === 'two-sided-ladder' ? 'demo' : name,
);

describe.each(names)('%s', (name) => {
  test('runs from its configuration, trades, takes nothing and ends proven', async () => {
    const run = await runWholeBot({ config: name, seed: 7, forMs: 5_000 });
    expect(problemsOf(run)).toEqual([]);
    // A trend needs its bars first.
    if (name !== 'trend-following') expect(run.fills.length).toBeGreaterThan(0);
    expect(run.fills.filter(({ role }) => role === 'taker')).toEqual([]);
  });

  test('is described beside its code, with every parameter of its configuration', () => {
    const folder = name === 'demo' ? 'two-sided-ladder' : name;
    expect(existsSync(join(ROOT, 'strategies', folder, 'README.md'))).toBe(true);
    const { strategies } = loadConfig(join(ROOT, 'configs', `${name}.yaml`)).config;
    expect(strategies.map(({ module }) => module)).toEqual([join(ROOT, 'strategies', folder, 'index.ts')]);
  });
});
