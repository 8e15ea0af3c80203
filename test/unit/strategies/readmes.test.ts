/** The READMEs of the bundled strategies say what is: every parameter with its default, the example as a configuration. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isStrategyDefinition } from '../../../src/bot/strategy/index.ts';
import { parseConfig } from '../../../src/config/index.ts';
import { ROOT } from '../../tidy/source.ts';

const FOLDER = join(ROOT, 'strategies');

interface ParameterSchema {
  readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
}

async function definitionOf(name: string) {
  const module: { readonly default: unknown } = await import(join(FOLDER, name, 'index.ts'));
  if (!isStrategyDefinition(module.default)) throw new Error(`expected a strategy in ${name}`);
  return module.default;
}

describe.each(readdirSync(FOLDER))('%s', (name) => {
  const page = readFileSync(join(FOLDER, name, 'README.md'), 'utf8');

  test('has the name of its folder and says when it loses money', async () => {
    expect((await definitionOf(name)).name).toBe(name);
    expect(page.startsWith(`# ${name}\n`)).toBe(true);
    expect(page).toContain('## When it loses money');
  });

  test('has every parameter in its table, with its default', async () => {
    const { properties } = (await definitionOf(name)).jsonSchema() as ParameterSchema;
    const rows = new Map(
      [...page.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|/gm)].map((row) => [row[1], row[2]?.trim()]),
    );
    expect([...rows.keys()].sort()).toEqual(Object.keys(properties).sort());
    for (const [key, { default: value }] of Object.entries(properties)) {
      if (value === undefined) expect(rows.get(key), key).toBe('–');
      else if (value !== '') expect(rows.get(key)?.replaceAll('`', ''), key).toBe(String(value));
    }
  });

  test('shows parameters that are valid', async () => {
    const block = /^```yaml\n(.*?)^```/ms.exec(page)?.[1] ?? '';
    const markets = /markets: \[(.*)\]/.exec(block)?.[1]?.split(', ') ?? [];
    const list = markets.map((symbol) => `  - symbol: ${symbol}\n`).join('');
    const text = `environment:\n  name: sim\nmarkets:\n${list}${block}risk:\n  capital: 10000\n`;
    const [strategy] = parseConfig(text, join(ROOT, 'configs', 'readme.yaml')).config.strategies;
    expect((await definitionOf(name)).check(strategy?.parameters)).toMatchObject({ isValid: true });
  });
});
