/**
 * Fronts and crowding against their definitions, and the search against spaces whose best compromises are known
 * (Deb et al. 2002, section III; docs/decisions/0003).
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NsgaSearch } from '../../../../src/research/sweep/nsga.ts';
import { crowdingOf, frontsOf } from '../../../../src/research/sweep/pareto.ts';
import type { Axis, Point } from '../../../../src/research/sweep/space.ts';
import { keyOfPoint } from '../../../../src/research/sweep/space.ts';

const scores = fc.array(fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 2, maxLength: 2 }), {
  minLength: 1,
  maxLength: 30,
});

const dominates = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((score, at) => score >= (b[at] ?? 0)) && a.some((score, at) => score > (b[at] ?? 0));

describe('frontsOf', () => {
  test('puts on a front what only results of fronts before it dominate', () => {
    fc.assert(
      fc.property(scores, (all) => {
        const fronts = frontsOf(all);
        for (const [at, one] of all.entries()) {
          const above = all.flatMap((other, place) => (dominates(other, one) ? [fronts[place] ?? 0] : []));
          expect(fronts[at]).toBe(above.length === 0 ? 0 : Math.max(...above) + 1);
        }
      }),
    );
  });

  test('takes what has no statistic for worse than all that have one', () => {
    expect(frontsOf([[Number.NaN], [-1e9], [3]])).toEqual([2, 1, 0]);
  });
});

describe('crowdingOf', () => {
  test('is without end at both ends of a front, and the gap to the neighbors between', () => {
    const all = [
      [0, 4],
      [1, 3],
      [3, 1],
      [4, 0],
    ];
    const [first, second, third, last] = crowdingOf(all, frontsOf(all));
    expect([first, last]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    expect(second).toBeCloseTo(3 / 4 + 3 / 4);
    expect(third).toBeCloseTo(3 / 4 + 3 / 4);
  });
});

const steps = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => String(at));
const AXES: readonly Axis[] = [
  { path: 's.a', values: steps(40) },
  { path: 's.b', values: steps(40) },
  { path: 's.c', values: steps(10) },
];

/** Two objectives that pull apart along `a`, and are both best at b = 30, c = 5. */
function worthOf([a = 0, b = 0, c = 0]: Point): readonly number[] {
  const miss = Math.abs(b - 30) + 4 * Math.abs(c - 5);
  return [a - miss, 39 - a - miss];
}

function search(seed: number, runs: number): readonly Point[] {
  const one = new NsgaSearch({ axes: AXES, population: 20, seed });
  const asked: Point[] = [];
  while (asked.length < runs) {
    const points = one.ask(runs - asked.length);
    if (points.length === 0) break;
    asked.push(...points);
    one.tell(points.map((point) => ({ point, scores: worthOf(point) })));
  }
  return asked;
}

describe('NsgaSearch', () => {
  test('finds compromises of which none is far from the best, in a thirtieth of the space', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const points = search(seed, 500);
      const fronts = frontsOf(points.map(worthOf));
      const best = points.filter((_, at) => fronts[at] === 0);
      const misses = best.map((point) => 39 - worthOf(point).reduce((sum, value) => sum + value, 0));
      expect(Math.min(...misses), `seed ${seed}`).toBeLessThanOrEqual(4);
      expect(best.length, `seed ${seed}`).toBeGreaterThan(1);
    }
  });

  test('asks nothing twice, and the same again for the same seed and scores', () => {
    const keys = search(7, 300).map(keyOfPoint);
    expect(new Set(keys).size).toBe(300);
    expect(search(7, 300).map(keyOfPoint)).toEqual(keys);
    expect(search(8, 300).map(keyOfPoint)).not.toEqual(keys);
  });

  test('ends when the space is used up', () => {
    const axes = [
      { path: 's.a', values: steps(3) },
      { path: 's.b', values: steps(3) },
    ];
    const one = new NsgaSearch({ axes, population: 4, seed: 1 });
    let count = 0;
    for (let points = one.ask(100); points.length > 0; points = one.ask(100)) {
      count += points.length;
      one.tell(points.map((point) => ({ point, scores: [point[0] ?? 0] })));
    }
    expect(count).toBe(9);
  });
});
