/** Every configuration that comes with ballast is one that would start. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isStrategyDefinition, type StrategyDefinition } from '../../../src/bot/strategy/index.ts';
import { amountOf, loadConfig } from '../../../src/config/index.ts';
import { configSchema } from '../../../src/config/sections.ts';
import { Decimal } from '../../../src/core/index.ts';
import { ROOT } from '../../tidy/source.ts';

const FOLDER = join(ROOT, 'configs');
const FILES = readdirSync(FOLDER).filter((name) => /\.ya?ml$/.test(name));

/** A price of each market above what it will be, to value sizes with. */
const PRICE_MAX: Readonly<Record<string, number>> = { 'BTC-USD': 125_000, 'ETH-USD': 5_000 };

async function definitionOf(module: string): Promise<StrategyDefinition> {
  const loaded: { default?: unknown } = await import(pathToFileURL(module).href);
  if (!isStrategyDefinition(loaded.default)) throw new Error(`${module} has no strategy`);
  return loaded.default;
}

test('there are configurations for the demo, each strategy, two at once and a gateway', () => {
  expect(FILES).toEqual(
    expect.arrayContaining([
      'avellaneda-stoikov.yaml',
      'demo.yaml',
      'live-example.yaml',
      'two-strategies.yaml',
    ]),
  );
});

describe.each(FILES)('%s', (name) => {
  const { config } = loadConfig(join(FOLDER, name));

  test('says at its top what it is for', () => {
    expect(readFileSync(join(FOLDER, name), 'utf8')).toMatch(/^# \S/);
  });

  test('names strategies that take its parameters', async () => {
    for (const { module, parameters } of config.strategies) {
      const definition = await definitionOf(module);
      expect(definition.check(parameters)).toMatchObject({ isValid: true });
    }
  });

  test('has sizes that pass its own risk limits (P2, P5, P6)', () => {
    const { capital, maxOrderNotional, maxPositionNotional, maxOpenOrdersPerSide } = config.risk;
    for (const { markets, parameters } of config.strategies) {
      for (const symbol of markets) {
        const worth = (...keys: readonly string[]) => {
          const key = keys.find((one) => parameters[one] !== undefined) ?? '';
          return new Decimal(String(parameters[key])).times(PRICE_MAX[symbol] ?? Number.NaN);
        };
        // What works an order in slices never places more at once; it holds at most its position, or the whole size.
        expect(worth('slice', 'size').lte(amountOf(maxOrderNotional, capital))).toBe(true);
        const held = worth('maxInventory', 'position', 'size');
        expect(held.lte(amountOf(maxPositionNotional, capital))).toBe(true);
      }
      expect(Number(parameters['levels'] ?? 1)).toBeLessThanOrEqual(maxOpenOrdersPerSide);
    }
  });
});

describe('demo.yaml', () => {
  test('is the exchange in the box with seed 7, one ladder in BTC-USD and a capital of 10,000', () => {
    const { environment, strategies, risk, wallets } = loadConfig(join(FOLDER, 'demo.yaml')).config;
    expect(environment).toMatchObject({ name: 'sim', seed: 7 });
    expect(strategies.map((strategy) => [strategy.markets, strategy.module])).toEqual([
      [['BTC-USD'], join(ROOT, 'strategies/two-sided-ladder/index.ts')],
    ]);
    expect(risk.capital.toFixed()).toBe('10000');
    expect(wallets).toEqual([]);
  });
});

describe('two-strategies.yaml', () => {
  test('gives each strategy a market and a trading wallet of its own', () => {
    const { strategies, wallets } = loadConfig(join(FOLDER, 'two-strategies.yaml')).config;
    expect(strategies.map((strategy) => strategy.markets)).toEqual([['BTC-USD'], ['ETH-USD']]);
    expect(strategies.map((strategy) => strategy.wallet)).toEqual(wallets.map((wallet) => wallet.name));
    expect(new Set(strategies.map((strategy) => strategy.module)).size).toBe(2);
  });
});

describe('live-example.yaml', () => {
  test('shows every key of every section', () => {
    const text = readFileSync(join(FOLDER, 'live-example.yaml'), 'utf8');
    const keys = keysOf(configSchema.toJSONSchema({ io: 'input', unrepresentable: 'any' }));
    expect(keys.length).toBeGreaterThan(60);
    expect(keys.filter((key) => !new RegExp(`^[ -]*(?:# *)?${key}:`, 'm').test(text))).toEqual([]);
  });

  test('is not what runs by accident: a gateway that does not exist, no production', () => {
    const { environment } = loadConfig(join(FOLDER, 'live-example.yaml')).config;
    expect(environment).toMatchObject({ baseUrl: 'https://gateway.example', production: false });
  });
});

/** All keys a JSON Schema names, at any depth. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, items } = schema as { properties?: object; items?: unknown };
  return [
    ...Object.entries(properties ?? {}).flatMap(([key, value]) => [key, ...keysOf(value)]),
    ...keysOf(items),
  ];
}
