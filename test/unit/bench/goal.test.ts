import { describe, expect, test } from 'vitest';
import { holds, type Limit, medianOf, missed, reached } from '../../../bench/goal.ts';
import { GROUPS } from '../../../bench/groups.ts';

const lower: Limit = { id: 'G1', what: 'a cost', limit: 0.12, better: 'lower' };
const higher: Limit = { id: 'G12', what: 'a rate', limit: 30, better: 'higher' };

describe('a goal', () => {
  test('holds at its limit and on its better side', () => {
    expect([0.12, 0.1].map((ratio) => holds(reached(lower, ratio)))).toEqual([true, true]);
    expect([30, 31].map((ratio) => holds(reached(higher, ratio)))).toEqual([true, true]);
  });

  test('does not hold beyond its limit', () => {
    expect(holds(reached(lower, 0.1201))).toBe(false);
    expect(holds(reached(higher, 29.99))).toBe(false);
  });

  test('does not hold when it was not measured, and says why', () => {
    const goal = missed(lower, 'the peers could not be installed');
    expect(holds(goal)).toBe(false);
    expect(goal.reason).toBe('the peers could not be installed');
    expect(holds(reached(lower, Number.NaN))).toBe(false);
    expect(holds(reached(higher, Number.POSITIVE_INFINITY))).toBe(false);
  });
});

describe('a goal of several processes', () => {
  const told = (ratio: number, us: number) => ({ goals: [reached(lower, ratio)], figures: { us } });

  test('is the median of them, and so is each figure', () => {
    const { goals, figures } = medianOf([told(0.3, 7), told(0.1, 9), told(0.11, 8)]);
    expect(goals).toEqual([reached(lower, 0.11)]);
    expect(figures).toEqual({ us: 8 });
    expect(medianOf([told(0.3, 7)])).toEqual(told(0.3, 7));
  });

  test('is not measured when one of them could not', () => {
    const without = { goals: [missed(lower, 'no disk')], figures: {} };
    expect(medianOf([told(0.1, 7), without]).goals).toEqual([missed(lower, 'no disk')]);
  });
});

test('every goal is measured by one group', () => {
  const goals = GROUPS.flatMap((group) => group.goals);
  expect(goals.toSorted()).toEqual([
    'DOOR',
    ...[
      'G1',
      'G10',
      'G10.hours',
      'G11',
      'G12',
      'G13',
      'G14',
      'G15',
      'G16',
      'G17',
      'G18',
      'G19',
      'G2',
      'G20',
      'G21',
      'G3',
      'G4',
      'G5',
      'G6',
      'G7',
      'G8',
      'G9',
    ],
    'LOAD',
    'LOAD.hold',
    'LOAD.record',
    'SCALE',
    'SWEEP',
  ]);
});
