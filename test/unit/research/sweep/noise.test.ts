/** @module Noise on parameters: within a tenth, of the right kind, taken by the schema, and what cannot be moved named. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { PreparedStrategy } from '../../../../src/bot/setup/index.ts';
import { defineStrategy, type ParameterSchema, param } from '../../../../src/bot/strategy/index.ts';
import { Decimal, freshSeed, seededRandom } from '../../../../src/core/index.ts';
import { drawNoise, noiseSpaceOf } from '../../../../src/research/sweep/noise.ts';
import { aMarket } from '../../exchange/engine/desk.ts';

const MARKET = { ...aMarket(), sizeDecimals: 4, lotStep: 1 as never };

function aStrategy(schema: ParameterSchema, parameters: unknown, name = 'maker'): PreparedStrategy {
  const definition = defineStrategy({ name: 'noisy', parameters: schema, create: () => ({}) });
  return {
    ...{ name, definition, parameters, symbols: [MARKET.symbol], wallet: undefined },
    ...{ file: 'noisy.ts', sha256: '' },
  } as unknown as PreparedStrategy;
}

function moved(strategy: PreparedStrategy, seed: number | string, draws: number) {
  const { movable } = noiseSpaceOf([strategy], [MARKET]);
  const random = seededRandom(seed);
  return Array.from({ length: draws }, (_, at) => drawNoise([strategy], movable, random.fork(`${at}`)));
}

describe('noise', () => {
  test('of every kind of number is within a tenth, of that kind, and taken by the schema', () => {
    const seed = freshSeed();
    process.stdout.write(`seed ${seed}\n`);
    const random = seededRandom(seed);
    const schema = param.object({
      count: param.integer({ min: -1_000_000, max: 1_000_000 }),
      share: param.ppm(),
      wait: param.durationMs({ min: '1ms' }),
      size: param.decimal(),
    });
    for (let at = 0; at < 200; at++) {
      const given = {
        count: String(random.integer(10, 1_000_000) * (random.chance(0.5) ? 1 : -1)),
        share: String(random.integer(10, 100_000)),
        wait: random.chance(0.5) ? `${random.integer(10, 999_999)}ms` : `${random.integer(1, 80_000)}h`,
        size: new Decimal(random.integer(1, 1_000_000)).div(10 ** random.integer(0, 6)).toFixed(),
      };
      const strategy = aStrategy(schema, given);
      const [values] = moved(strategy, random.next(), 1);
      const read = (raw: unknown) => {
        const checked = strategy.definition.check(raw);
        expect(checked.isValid, `seed ${seed}: ${JSON.stringify([given, values])}`).toBe(true);
        return checked.isValid ? checked.values : {};
      };
      const own = read(given);
      const now = read({
        ...given,
        ...Object.fromEntries(Object.entries(values ?? {}).map(([path, text]) => [path.slice(6), text])),
      });
      for (const name of Object.keys(given)) {
        const [from, to] = [new Decimal(String(own[name])), new Decimal(String(now[name]))];
        const words = `seed ${seed}: ${name} ${from.toFixed()} became ${to.toFixed()}`;
        expect(to.minus(from).abs().times(10).lte(from.abs()), words).toBe(true);
        if (name !== 'size') expect(to.isInteger(), words).toBe(true);
      }
    }
  });

  test('reaches both ends of a tenth, and every whole number between them', () => {
    const schema = param.object({ levels: param.integer({ min: 1, max: 100 }) });
    const values = moved(aStrategy(schema, { levels: '20' }), 1, 300).map((one) => one['maker.levels']);
    expect([...new Set(values)].sort()).toEqual(['18', '19', '20', '21', '22']);
  });

  test('leaves no bound of the schema, also where one parameter bounds another', () => {
    const bounded = param.object({ half: param.decimal({ max: '0.5' }), low: param.integer({ min: 100 }) });
    for (const { 'maker.half': half, 'maker.low': low } of moved(
      aStrategy(bounded, { half: '0.5', low: '100' }),
      2,
      200,
    )) {
      expect(Number(half)).toBeLessThanOrEqual(0.5);
      expect(Number(half)).toBeGreaterThanOrEqual(0.45);
      expect(Number(low)).toBeGreaterThanOrEqual(100);
      expect(Number(low)).toBeLessThanOrEqual(110);
    }
    const held = z
      .strictObject({ near: param.integer(), far: param.integer() })
      .refine(({ near, far }) => Number(near) < Number(far), {
        error: 'near below far',
      }) as unknown as ParameterSchema;
    for (const { 'maker.near': near, 'maker.far': far } of moved(
      aStrategy(held, { near: '100', far: '101' }),
      3,
      200,
    ))
      expect(Number(near ?? 100)).toBeLessThan(Number(far ?? 101));
  });

  test('gives a size whole lots, and a decimal that has digits enough only those', () => {
    const schema = param.object({ size: param.decimal(), price: param.decimal() });
    const strategy = aStrategy(schema, { size: '0.003', price: '50000.5' });
    const values = moved(strategy, 4, 100);
    expect(values.every((one) => /^0\.00(?:2[789]|3[0-3]?)$/.test(one['maker.size'] ?? ''))).toBe(true);
    expect(new Set(values.map((one) => one['maker.size'])).size).toBeGreaterThan(4);
    expect(values.every((one) => /^\d{5}(?:\.\d)?$/.test(one['maker.price'] ?? ''))).toBe(true);
    // Lots of five: two digits are the most with which every decimal is whole lots.
    const coarse = { ...MARKET, sizeDecimals: 3, lotStep: 5 as never };
    const { movable, unmoved } = noiseSpaceOf([strategy], [coarse]);
    expect(movable.map(({ name }) => name)).toEqual(['price']);
    expect(unmoved).toEqual([{ parameter: 'maker.size', why: 'a tenth of 0.003 is less than one step' }]);
  });

  test('names what it does not move, and why', () => {
    const schema = param.object({
      levels: param.integer(),
      skew: param.ppm(),
      mode: param.choice(['fast', 'slow']),
      on: param.flag(),
      sizes: param.list(param.decimal()),
      fixed: param.integer({ min: 50, max: 50 }),
      more: param.decimal().optional(),
      preset: param.decimal({ above: '0' }).prefault('0.5'),
    });
    const given = { levels: '2', skew: '0', mode: 'fast', on: 'true', sizes: ['1'], fixed: '50' };
    const { movable, unmoved } = noiseSpaceOf([aStrategy(schema, given)], [MARKET]);
    expect(movable.map(({ name }) => name)).toEqual(['preset']);
    expect(unmoved).toEqual([
      { parameter: 'maker.levels', why: 'a tenth of 2 is less than one step' },
      { parameter: 'maker.skew', why: 'it is 0' },
      { parameter: 'maker.mode', why: 'no number (choice)' },
      { parameter: 'maker.on', why: 'no number (flag)' },
      { parameter: 'maker.sizes', why: 'no number (other)' },
      { parameter: 'maker.fixed', why: 'the schema takes no value next to 50' },
      { parameter: 'maker.more', why: 'not given' },
    ]);
  });

  test('of one seed is the same, of another not', () => {
    const strategy = aStrategy(param.object({ size: param.decimal() }), { size: '1.2345' });
    expect(moved(strategy, 5, 20)).toEqual(moved(strategy, 5, 20));
    expect(moved(strategy, 5, 20)).not.toEqual(moved(strategy, 6, 20));
  });
});
