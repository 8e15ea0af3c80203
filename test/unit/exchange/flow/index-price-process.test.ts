import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../src/core/index.ts';
import {
  IndexPriceProcess,
  type IndexPriceSettings,
} from '../../../../src/exchange/flow/index-price-process.ts';

const settings: IndexPriceSettings = {
  stepMs: 1_000,
  stepPpm: 60,
  jumpProbability: 0.06,
  jumpPpm: 2_000,
  reversion: 0.0005,
};
const walk = (overrides: Partial<IndexPriceSettings>, startTicks = 1_000_000, seed = 1) =>
  new IndexPriceProcess(startTicks, { ...settings, ...overrides }, seededRandom(seed));

describe('the index price', () => {
  test('begins where it is told to and takes the value it announced', () => {
    const index = walk({});
    expect(index.nowTicks).toBe(1_000_000);
    for (let step = 0; step < 100; step++) {
      const announced = index.nextTicks;
      expect(index.step()).toBe(announced);
      expect(index.nowTicks).toBe(announced);
    }
  });

  test('stays above zero under violent settings and tiny prices', () => {
    for (const seed of [1, 2, 3]) {
      const index = walk(
        { stepPpm: 400_000, jumpPpm: 3_000_000, jumpProbability: 0.5, reversion: 0 },
        3,
        seed,
      );
      for (let step = 0; step < 10_000; step++) {
        const value = index.step();
        expect(Number.isInteger(value) && value >= 1 && value <= 0xffff_ffff).toBe(true);
      }
    }
  });

  test('is pulled back: after two days it is still within 15 % of its start', () => {
    const index = walk({});
    for (let step = 0; step < 172_800; step++) {
      const value = index.step();
      expect(Math.abs(value / 1_000_000 - 1) < 0.15).toBe(true);
    }
  });

  test('jumps about as often as it is told to', () => {
    const index = walk({ stepPpm: 1, jumpPpm: 50_000, reversion: 0 });
    let jumps = 0;
    let before = index.nowTicks;
    for (let step = 0; step < 5_000; step++) {
      const value = index.step();
      if (Math.abs(value / before - 1) > 0.0001) jumps++;
      before = value;
    }
    expect(jumps).toBeGreaterThan(240);
    expect(jumps).toBeLessThan(360);
  });

  test('error: a start that is no price is refused', () => {
    expect(() => walk({}, 0)).toThrow('expected an index price above zero, got 0');
  });
});
