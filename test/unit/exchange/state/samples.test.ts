import { describe, expect, test } from 'vitest';
import { Samples } from '../../../../src/exchange/state/samples.ts';

describe('Samples', () => {
  test('gives the newest, ascending', () => {
    const samples = new Samples<{ atMs: number }>();
    for (let atMs = 1; atMs <= 5; atMs++) samples.add({ atMs });
    expect(samples.newest(2)).toEqual([{ atMs: 4 }, { atMs: 5 }]);
    expect(samples.newest(99)).toHaveLength(5);
  });

  test('one of the same instant takes the place of the one before', () => {
    const samples = new Samples<{ atMs: number; equity: number }>();
    samples.add({ atMs: 1, equity: 1 });
    samples.add({ atMs: 2, equity: 2 });
    samples.add({ atMs: 2, equity: 3 });
    expect(samples.newest(9)).toEqual([
      { atMs: 1, equity: 1 },
      { atMs: 2, equity: 3 },
    ]);
  });

  test('keeps a bounded number, and never gives more than a thousand', () => {
    const samples = new Samples<{ atMs: number }>();
    for (let atMs = 0; atMs < 10_000; atMs++) {
      samples.add({ atMs });
      const all = samples.newest(100_000);
      expect(all.length).toBe(Math.min(atMs + 1, 1_000));
      expect(all.at(-1)).toEqual({ atMs });
    }
  });
});
