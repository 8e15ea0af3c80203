/** @module Indicators against their batch formulas. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Ewma, imbalanceOf, micropriceOf, Volatility } from '../../../src/strategy/index.ts';
import { aBook } from '../../support/trading-builders.ts';

const series = fc.array(
  fc.record({
    value: fc.double({ min: 1, max: 1e6, noNaN: true }),
    gapMs: fc.integer({ min: 1, max: 10_000 }),
  }),
  { minLength: 2, maxLength: 50 },
);

describe('Volatility', () => {
  test('equals the batch formula over any series (U12)', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 10, max: 100_000 }), (points, halfLifeMs) => {
        const volatility = new Volatility(halfLifeMs);
        let atMs = 0;
        const times = points.map(({ gapMs }) => (atMs += gapMs));
        for (const [at, { value }] of points.entries()) volatility.observe(value, times[at] ?? 0);
        const endMs = times.at(-1) ?? 0;
        let squares = 0;
        let seconds = 0;
        for (let at = 1; at < points.length; at++) {
          const weight = 0.5 ** ((endMs - (times[at] ?? 0)) / halfLifeMs);
          squares += weight * ((points[at]?.value ?? 0) - (points[at - 1]?.value ?? 0)) ** 2;
          seconds += (weight * (points[at]?.gapMs ?? 0)) / 1_000;
        }
        const batch = Math.sqrt(squares / seconds);
        expect(Math.abs((volatility.perSqrtSecond ?? Number.NaN) - batch)).toBeLessThanOrEqual(
          1e-9 * (1 + batch),
        );
      }),
    );
  });

  test('knows nothing before the first change over time, and does not run backwards', () => {
    const volatility = new Volatility(1_000);
    volatility.observe(100, 5);
    volatility.observe(101, 5);
    expect([volatility.perSqrtSecond, volatility.count]).toEqual([undefined, 0]);
    volatility.observe(100, 1);
    volatility.observe(103, 1_001);
    expect(volatility.perSqrtSecond).toBe(3);
  });
});

describe('Ewma', () => {
  test('halves the weight of the past each half-life', () => {
    const mean = new Ewma(100);
    expect(mean.value).toBeUndefined();
    expect(mean.observe(10, 0)).toBe(10);
    expect(mean.observe(20, 100)).toBe(15);
    expect(mean.observe(15, 50)).toBe(15);
  });

  test('error: a half-life of nothing is refused', () => {
    expect(() => new Ewma(0)).toThrow(/half-life above zero/);
    expect(() => new Volatility(-1)).toThrow(/half-life above zero/);
  });
});

describe('the shape of a book', () => {
  const book = aBook({
    bids: [
      [100, 30],
      [99, 10],
    ],
    asks: [
      [102, 10],
      [103, 50],
    ],
  });

  test('imbalance is from -1 to 1 over the levels asked for', () => {
    expect(imbalanceOf(book, 1)).toBe(0.5);
    expect(imbalanceOf(book, 5)).toBeCloseTo(-0.2, 12);
    expect(imbalanceOf(aBook({ bids: [], asks: [] }), 1)).toBeUndefined();
  });

  test('the microprice leans to the thinner side', () => {
    expect(micropriceOf(book)).toBe(101.5);
    expect(micropriceOf(aBook({ asks: [] }))).toBeUndefined();
  });
});
