import { describe, expect, test } from 'vitest';
import { compare, inTurn, median, quantile, rounded, Samples } from '../../../bench/measure.ts';

describe('Samples', () => {
  test('gives the median of the ratios within each round, not the ratio of the medians', () => {
    const samples = new Samples();
    for (const us of [10, 100, 20]) samples.add('base', us);
    for (const us of [5, 50, 40]) samples.add('ours', us);
    expect(samples.ratio('ours', 'base')).toBe(0.5);
    expect(samples.median('ours') / samples.median('base')).toBe(2);
  });

  test('shows median, best round and ratio of each case', () => {
    const samples = new Samples();
    for (const us of [4, 2, 8]) samples.add('base', us);
    expect(samples.rows('base')).toEqual([{ case: 'base', us: 4, 'us, best round': 2, ratio: 1 }]);
  });

  test('error: a case that was not measured is named', () => {
    expect(() => new Samples().median('nobody')).toThrow('nobody');
  });
});

describe('compare', () => {
  test('measures every case in every round, in microseconds for one unit', async () => {
    const calls = { quick: 0, slow: 0 };
    const spin = (count: number, unitMs: number) => {
      const endMs = performance.now() + count * unitMs;
      while (performance.now() < endMs);
    };
    const samples = await compare(
      {
        quick: (count) => {
          calls.quick++;
          spin(count, 0.05);
        },
        slow: async (count) => {
          calls.slow++;
          spin(count, 0.2);
        },
      },
      { rounds: 3, sampleMs: 4 },
    );
    expect([samples.of('quick').length, samples.of('slow').length]).toEqual([3, 3]);
    expect(calls.quick).toBeGreaterThan(3);
    // Less the last binary digit of a difference of times.
    expect(samples.min('quick')).toBeGreaterThan(49.999);
    expect(samples.min('slow')).toBeGreaterThan(199.999);
  });
});

test('cases run forwards and backwards in turn', () => {
  expect([0, 1, 2].map((round) => inTurn(['a', 'b', 'c'], round).join(''))).toEqual(['abc', 'cba', 'abc']);
});

test('the median of an even number of values is the mean of the two in the middle', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
});

test('a quantile is one of the values', () => {
  const values = Array.from({ length: 100 }, (_, index) => 99 - index);
  expect([quantile(values, 0), quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([
    0, 50, 99, 99,
  ]);
});

test('figures keep four significant digits', () => {
  expect([rounded(0.123456), rounded(123456)]).toEqual([0.1235, 123500]);
});
