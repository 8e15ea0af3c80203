/** @module Indicators against their batch formulas. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Ema,
  Ewma,
  imbalanceOf,
  intensityCurveOf,
  micropriceOf,
  TradeIntensity,
  Volatility,
} from '../../../../src/bot/strategy/index.ts';
import { lots, ticks } from '../../../../src/domain/index.ts';
import { aBook, aWorkingOrder } from '../../../support/trading-builders.ts';

const series = fc.array(
  fc.record({
    value: fc.double({ min: 1, max: 1e6, noNaN: true }),
    gapMs: fc.integer({ min: 1, max: 10_000 }),
  }),
  { minLength: 2, maxLength: 50 },
);

describe('Volatility', () => {
  test('equals the batch formula over any series', () => {
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
    // The clock was set back by 50 ms: time goes on from there.
    expect(mean.observe(25, 150)).toBe(20);
  });

  test('error: a half-life of nothing is refused', () => {
    expect(() => new Ewma(0)).toThrow(/half-life above zero/);
    expect(() => new Volatility(-1)).toThrow(/half-life above zero/);
  });
});

describe('Ewma and Ema', () => {
  test('equal their batch formulas over any series', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 100 }), (points, length) => {
        const [mean, overTime] = [new Ema(length), new Ewma(length * 100)];
        const alpha = 2 / (length + 1);
        let atMs = 0;
        const times = points.map(({ gapMs }) => (atMs += gapMs));
        for (const [at, { value }] of points.entries()) {
          mean.observe(value);
          overTime.observe(value, times[at] ?? 0);
        }
        const last = points.length - 1;
        let [byCount, byTime] = [0, 0];
        for (const [at, { value }] of points.entries()) {
          byCount += value * (at === 0 ? 1 : alpha) * (1 - alpha) ** (last - at);
          const since = 0.5 ** (((times[last] ?? 0) - (times[at] ?? 0)) / (length * 100));
          const before = at === 0 ? 0 : 0.5 ** ((points[at]?.gapMs ?? 0) / (length * 100));
          byTime += value * since * (1 - before);
        }
        expect(Math.abs((mean.value ?? Number.NaN) / byCount - 1)).toBeLessThanOrEqual(1e-9);
        expect(Math.abs((overTime.value ?? Number.NaN) / byTime - 1)).toBeLessThanOrEqual(1e-9);
        expect(mean.count).toBe(points.length);
      }),
    );
  });

  test('error: a length of nothing is refused', () => {
    expect(() => new Ema(0)).toThrow(/length above zero/);
  });
});

describe('TradeIntensity', () => {
  const depths = [0, 10, 20, 50];
  const trades = fc.array(
    fc.record({ depth: fc.integer({ min: -5, max: 80 }), gapMs: fc.integer({ min: 1, max: 5_000 }) }),
    { minLength: 1, maxLength: 50 },
  );

  test('equals the batch formula over any trades, however often time is let pass between', () => {
    fc.assert(
      fc.property(
        trades,
        fc.integer({ min: 100, max: 100_000 }),
        fc.boolean(),
        (points, halfLifeMs, isOften) => {
          const intensity = new TradeIntensity({ depths, halfLifeMs });
          intensity.advance(0);
          let atMs = 0;
          const times = points.map(({ gapMs }) => (atMs += gapMs));
          for (const [at, { depth, gapMs }] of points.entries()) {
            if (isOften) intensity.advance((times[at] ?? 0) - Math.floor(gapMs / 2));
            intensity.observe(depth, times[at] ?? 0);
          }
          const tauSeconds = halfLifeMs / Math.LN2 / 1_000;
          const seconds = tauSeconds * (1 - 0.5 ** (atMs / halfLifeMs));
          const batch = depths.map((level) =>
            points.reduce(
              (sum, { depth }, at) =>
                depth >= level ? sum + 0.5 ** ((atMs - (times[at] ?? 0)) / halfLifeMs) : sum,
              0,
            ),
          );
          for (const [at, hits] of batch.entries()) {
            expect(intensity.hits[at]).toBeCloseTo(hits, 9);
            expect(intensity.perSecond?.[at]).toBeCloseTo(hits / seconds, 6);
          }
        },
      ),
    );
  });

  test('counts a sweep that prints several trades at one instant once, as deep as it went', () => {
    const intensity = new TradeIntensity({ depths, halfLifeMs: 1_000 });
    intensity.advance(0);
    for (const depth of [5, 12, 30]) intensity.observe(depth, 100);
    expect(intensity.hits).toEqual([1, 1, 1, 0]);
    expect(new TradeIntensity({ depths, halfLifeMs: 1 }).perSecond).toBeUndefined();
  });

  test('goes on from where the clock was set back to', () => {
    const intensity = new TradeIntensity({ depths: [0], halfLifeMs: 1_000 });
    intensity.advance(1_000_000);
    intensity.observe(5, 1_001_000);
    intensity.advance(2_000);
    intensity.observe(5, 3_000);
    expect(intensity.hits).toEqual([1.5]);
  });

  test('error: depths that do not rise and no half-life are refused', () => {
    expect(() => new TradeIntensity({ depths: [1, 1], halfLifeMs: 1 })).toThrow(/depths that rise/);
    expect(() => new TradeIntensity({ depths, halfLifeMs: 0 })).toThrow(/half-life above zero/);
  });
});

describe('the intensity curve', () => {
  const pointsOf = (intensity: number, decay: number) =>
    [0, 50, 100, 200].map((depth) => {
      const perSecond = intensity * Math.exp(-decay * depth);
      return { depth, perSecond, hits: perSecond * 100 };
    });

  test('is found again where the rates lie on one', () => {
    const curve = intensityCurveOf(pointsOf(3, 0.01));
    expect(curve?.intensity).toBeCloseTo(3, 9);
    expect(curve?.decay).toBeCloseTo(0.01, 12);
  });

  test('is not told from too few trades, from one depth, or where trades do not become rarer', () => {
    expect(intensityCurveOf(pointsOf(0.01, 0.01))).toBeUndefined();
    expect(intensityCurveOf(pointsOf(3, 0.01).slice(0, 1))).toBeUndefined();
    expect(intensityCurveOf(pointsOf(3, 0))).toBeUndefined();
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

  test('imbalance is without own orders where they are named, as far as they lie in the levels', () => {
    const own = [
      aWorkingOrder('1', { side: 'buy', priceTicks: ticks(100), sizeLots: lots(25) }),
      aWorkingOrder('2', { side: 'buy', priceTicks: ticks(99), sizeLots: lots(9) }),
      aWorkingOrder('3', { side: 'sell', priceTicks: ticks(103), sizeLots: lots(50) }),
    ];
    expect(imbalanceOf(book, 1, own)).toBeCloseTo((5 - 10) / 15, 12);
    expect(imbalanceOf(book, 5, own)).toBeCloseTo((6 - 10) / 16, 12);
    expect(imbalanceOf(aBook({ bids: [[100, 25]], asks: [] }), 5, own)).toBeUndefined();
  });

  test('the microprice leans to the thinner side', () => {
    expect(micropriceOf(book)).toBe(101.5);
    expect(micropriceOf(aBook({ asks: [] }))).toBeUndefined();
  });
});
